// How long it takes from the start of a process to the end of its first execution.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { atMost, figure, type Measured, type Part } from '../part.ts';
import { reasonOf } from '../processes.ts';
import type { Progress } from '../progress.ts';
import { median } from '../statistics.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(import.meta.dirname, '..');
/** Where Hilo is installed as a user installs it. */
const ours = join(folder, 'node_modules/.hilo');

/** A program, and the packages that its users have to install. */
const contestants: readonly { readonly title: string; readonly name: string; readonly packages: readonly string[] }[] = [
  { title: 'floor: an empty program', name: 'nothing', packages: [] },
  { title: 'Hilo, engine and nodes', name: 'hilo', packages: ['@hilo/engine', '@hilo/nodes'] },
  { title: 'Hilo, engine and nodes imported alone', name: 'hilo-import', packages: [] },
  { title: 'robot3', name: 'robot3', packages: ['robot3'] },
  { title: 'XState machine', name: 'xstate', packages: ['xstate'] },
  {
    title: 'sequential-workflow-machine',
    name: 'sequential-workflow',
    packages: ['sequential-workflow-machine', 'sequential-workflow-model'],
  },
  { title: 'bpmn-engine', name: 'bpmn-engine', packages: ['bpmn-engine'] },
  { title: 'LangGraph', name: 'langgraph', packages: ['@langchain/langgraph', '@langchain/core'] },
  { title: 'Mastra', name: 'mastra', packages: ['@mastra/core', 'zod'] },
  { title: 'Node-RED', name: 'node-red', packages: ['node-red'] },
];

/** From the start of a process to the end of its first execution, in turn, each from the files that a user installs. */
export function coldStart(quick: boolean, progress: Progress): readonly Part[] {
  installOurs(progress);
  const rounds = quick ? 3 : 15;
  const runs = new Map<string, Run[]>(contestants.map(({ name }) => [name, []]));
  const failures = new Map<string, string>();
  for (let round = -1; round < rounds; round += 1) {
    for (const { name, title } of contestants) {
      progress.say(`cold start: ${title}`);
      if (failures.has(name)) continue;
      try {
        const run = start(name);
        if (round >= 0) runs.get(name)?.push(run); // the first one only fills the caches of the disk
      } catch (error) {
        failures.set(name, `${title}: ${reasonOf(error)}`);
      }
    }
  }
  progress.clear();
  const runsOf = (name: string): readonly Run[] => runs.get(name) ?? [];
  const floor = runsOf('nothing');
  const own = median(runsOf('hilo').map(({ workedMs }, round) => workedMs - (floor[round]?.workedMs ?? Number.NaN)));
  const alone = median(runsOf('hilo-import').map(({ workedMs }, round) => workedMs - (floor[round]?.workedMs ?? Number.NaN)));
  const bound = `to import engine and nodes takes ${figure(alone)} ms of it, most of which makes the schemas of nodes and messages`;
  return [
    {
      name: 'Cold start: import to first execution',
      unit: 'ms of a whole process',
      contestants: contestants
        .filter(({ name }) => !failures.has(name))
        .map(
          ({ title, name }): Measured => ({
            name: title,
            median: median(runsOf(name).map(({ elapsedMs }) => elapsedMs)),
            ratioToFloor: median(runsOf(name).map(({ workedMs }, round) => workedMs / (floor[round]?.workedMs ?? Number.NaN))),
            cpuUs: median(runsOf(name).map(({ workedMs }) => workedMs * 1_000)),
          }),
        ),
      aims: [atMost('engine and nodes to the first execution, beyond an empty program, ms of processor time', own, 70, bound)],
      notes: ['The ratio is that of the processor time of all threads.', ...failures.values()],
    },
    {
      name: 'Size of an install',
      unit: 'MB',
      contestants: contestants
        .filter(({ packages }) => packages.length > 0)
        .map(({ title, name, packages }) => sizeOf(title, name === 'hilo' ? ours : folder, packages)),
      aims: [],
    },
  ];
}

/** One process, from its start to its end. */
interface Run {
  readonly elapsedMs: number;
  /** Processor time of all its threads. */
  readonly workedMs: number;
}

function start(name: string): Run {
  const beganMs = performance.now();
  const { status, stderr, stdout } = spawnSync(process.execPath, [join(folder, 'cold-process.mjs'), name], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the cold start failed: ${stderr}`);
  const workedMs = Number(/worked (\S+) ms\n$/.exec(stdout)?.[1]);
  return { elapsedMs: performance.now() - beganMs, workedMs };
}

/** Builds and packs the two packages and installs them by npm in a folder of their own. */
function installOurs(progress: Progress): void {
  progress.say('packing and installing @hilo/engine and @hilo/nodes');
  rmSync(ours, { recursive: true, force: true });
  mkdirSync(ours, { recursive: true });
  writeFileSync(join(ours, 'package.json'), '{ "private": true, "type": "module" }\n');
  run(process.execPath, [join(root, 'scripts/build.ts')], root);
  for (const name of ['engine', 'nodes']) run('pnpm', ['pack', '--pack-destination', ours], join(root, 'packages', name));
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  run('npm', ['install', ...quiet, ...globSync('*.tgz', { cwd: ours }).map((file) => `./${file}`)], ours);
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${(stderr || stdout).trim()}`);
}

/** What these packages and everything that they depend on take on the disk, and how many packages they are. */
function sizeOf(title: string, from: string, names: readonly string[]): Measured {
  const found = new Set<string>();
  const visit = (name: string, dependent: string): void => {
    const place = findPackage(name, dependent);
    if (place === undefined || found.has(place)) return;
    found.add(place);
    const { dependencies = {} } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as {
      readonly dependencies?: Readonly<Record<string, string>>;
    };
    for (const dependency of Object.keys(dependencies)) visit(dependency, place);
  };
  for (const name of names) visit(name, from);
  const bytes = [...found].reduce((sum, place) => sum + bytesIn(place), 0);
  return { name: `${title}, ${found.size} ${found.size === 1 ? 'package' : 'packages'}`, median: bytes / 1e6 };
}

/** Where Node.js finds a package for a dependent: beside it, or in a folder further up. */
function findPackage(name: string, dependent: string): string | undefined {
  for (let place = dependent; ; place = dirname(place)) {
    const candidate = join(place, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (place === dirname(place)) return undefined; // an optional one for another platform
  }
}

/** The files of one package, without the packages inside it. */
function bytesIn(place: string): number {
  return readdirSync(place, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === 'node_modules') return sum;
    const path = join(place, entry.name);
    return sum + (entry.isDirectory() ? bytesIn(path) : entry.isFile() ? statSync(path).size : 0);
  }, 0);
}
