// Profiles a contestant, or the compilation of a large canvas, with V8's sampling profiler.
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkCanvas } from '../packages/engine/src/index.ts';
import { compileCanvas } from '../packages/engine/src/debug.ts';
import { standardNodes } from '../packages/nodes/src/index.ts';
import { longCanvas, read, types } from './canvases.ts';
import { contestants, type ContestantName } from './contestants/index.ts';
import type { Progress } from './progress.ts';
import { aligned } from './tables.ts';

/** Where time was spent: one function, or one package of many. */
export interface Share {
  readonly name: string;
  readonly place: string;
  /** Of all samples that were not idle, from 0 to 1. */
  readonly share: number;
}

export interface Profile {
  readonly what: string;
  /** For one execution, or one node compiled. */
  readonly usPerUnit: number;
  readonly unit: string;
  readonly functions: readonly Share[];
  readonly packages: readonly Share[];
}

/** What can be profiled: a contestant, or the compilation of a large canvas. */
export type ProfileTarget = ContestantName | 'compile' | 'check';

/** Runs the target in this process under V8's sampling profiler, after warming it up. */
export async function profile(
  target: ProfileTarget,
  { warmUpMs, runMs }: { readonly warmUpMs: number; readonly runMs: number },
  progress: Progress,
): Promise<Profile> {
  const work = target === 'compile' || target === 'check' ? compiling(target) : executing(target);
  progress.say(`warming up ${target}`);
  await work.runFor(warmUpMs);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 100 });
  await session.post('Profiler.start');
  progress.say(`profiling ${target}`);
  const { units, elapsedMs } = await work.runFor(runMs);
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  progress.clear();
  return { what: target, usPerUnit: (elapsedMs * 1000) / units, unit: work.unit, ...sharesOf(profile) };
}

interface Work {
  readonly unit: string;
  runFor(durationMs: number): Promise<{ readonly units: number; readonly elapsedMs: number }>;
}

/** An engine's memory grows with its executions, so a fresh contestant takes over after a while, as in the race. */
function executing(name: ContestantName): Work {
  const batch = 64;
  const each = 20_480;
  return {
    unit: 'execution',
    async runFor(durationMs) {
      let contestant = await contestants[name]();
      return repeat(batch, durationMs, async (done) => {
        if (done % each === 0) contestant = await contestants[name]();
        await contestant.run(done % each, batch);
      });
    },
  };
}

function compiling(target: 'compile' | 'check'): Work {
  const size = 10_000;
  const canvas = read(longCanvas(size));
  const run = () => (target === 'compile' ? compileCanvas(canvas, '', types) : checkCanvas(canvas, { nodes: standardNodes }));
  return { unit: 'node', runFor: (durationMs) => repeat(size, durationMs, () => void run()) };
}

async function repeat(units: number, durationMs: number, run: (first: number) => Promise<void> | void) {
  const beganMs = performance.now();
  for (let done = 0; ; ) {
    await run(done);
    done += units;
    const elapsedMs = performance.now() - beganMs;
    if (elapsedMs >= durationMs) return { units: done, elapsedMs };
  }
}

/** Adds up the samples by function and by package. */
function sharesOf({ nodes, samples = [] }: Profiler.Profile): Pick<Profile, 'functions' | 'packages'> {
  const byId = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const functions = new Map<string, { readonly name: string; readonly place: string; samples: number }>();
  const packages = new Map<string, number>();
  let all = 0;
  for (const id of samples) {
    const frame = byId.get(id);
    if (frame === undefined || frame.functionName === '(idle)' || frame.functionName === '(root)') continue;
    all += 1;
    const file = fileOf(frame.url);
    const place = file === '' ? '' : `${file}:${frame.lineNumber + 1}`;
    const name = frame.functionName === '' ? '(anonymous)' : frame.functionName;
    const key = `${name} ${place}`;
    const known = functions.get(key) ?? { name, place, samples: 0 };
    known.samples += 1;
    functions.set(key, known);
    const owner = packageOf(frame.functionName, file);
    packages.set(owner, (packages.get(owner) ?? 0) + 1);
  }
  const inOrder = (shares: readonly Share[]) => shares.toSorted((a, b) => b.share - a.share);
  return {
    functions: inOrder([...functions.values()].map(({ samples, ...rest }) => ({ ...rest, share: samples / all }))),
    packages: inOrder([...packages].map(([name, count]) => ({ name, place: '', share: count / all }))),
  };
}

const root = fileURLToPath(new URL('..', import.meta.url));

const fileOf = (url: string): string =>
  url.startsWith('file://') ? relative(root, fileURLToPath(url)).replace(/^.*node_modules\//, '') : url;

function packageOf(functionName: string, file: string): string {
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (file === '') return 'V8 and Node.js, native';
  if (file.startsWith('node:')) return 'Node.js';
  const [first = '', second = '', , third = ''] = file.split('/');
  if (first === 'packages') return `@hilo/${second}: ${third === '' ? 'src' : third}`;
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/** Where time goes: by package first, then by function. */
export function profileInTerminal({ what, usPerUnit, unit, packages, functions }: Profile): string {
  const line = ({ name, place, share }: Profile['functions'][number]): readonly string[] => [
    name,
    `${(share * 100).toFixed(1)} %`,
    `${(share * usPerUnit).toFixed(2)} µs`,
    place,
  ];
  const table = (head: string, shares: Profile['functions'], most: number): string =>
    aligned([[head, 'share', `of one ${unit}`, ''], ...shares.slice(0, most).map(line)]);
  return [
    `${what}: ${usPerUnit.toFixed(2)} µs for one ${unit}, by the wall, with the profiler on`,
    table('package', packages, 20),
    table('function', functions, 40),
  ].join('\n\n');
}
