// How long the commands take that an author waits for.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inDirectory } from '../in-directory.ts';
import { atMost, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { median } from '../statistics.ts';

const root = join(import.meta.dirname, '../..');
const hilo = join(root, 'packages/cli/src/main.ts');

/** A command, and the seconds that it may take. */
interface Subject {
  readonly name: string;
  readonly args: readonly string[];
  readonly maxSeconds?: number;
}

/** What an author waits for: whole processes, from their start to their end, from the sources of this repository. */
export const commands = (quick: boolean, progress: Progress): Promise<Part> =>
  inDirectory(async (directory) => {
    const canvases = copyCanvases(join(directory, 'hundred'), 100);
    const project = copyTranscripts(join(directory, 'project'), 200);
    const subjects: readonly Subject[] = [
      { name: 'floor: an empty program', args: ['--eval', ''] },
      {
        name: "`import '@hilo/engine'`",
        args: ['--input-type=module', '--eval', `await import(${JSON.stringify(join(root, 'packages/engine/src/index.ts'))})`],
      },
      { name: '`hilo --help`', args: [hilo, '--help'] },
      { name: '`hilo validate` of 100 canvases', args: [hilo, 'validate', ...canvases], maxSeconds: 2 },
      { name: '`hilo test` of 200 transcripts', args: [hilo, 'test', project], maxSeconds: 5 },
      {
        name: '`npm run docs`, the whole site',
        args: [join(root, 'node_modules/vitepress/bin/vitepress.js'), 'build', 'docs', '--outDir', join(directory, 'site')],
        maxSeconds: 60,
      },
    ];
    const rounds = quick ? 1 : 5;
    const measured = subjects.map((subject) => ({ ...subject, runs: [] as Run[] }));
    for (let round = -1; round < rounds; round += 1) {
      for (const { name, args, runs } of measured) {
        progress.say(`commands: ${name}`);
        const run = start(name, args);
        if (round >= 0) runs.push(run); // the first one only fills the caches
      }
    }
    progress.clear();
    const seconds = (runs: readonly Run[]): number => median(runs.map(({ elapsedSeconds }) => elapsedSeconds));
    return {
      name: 'Commands of authors',
      unit: 'seconds',
      contestants: measured.map(({ name, runs }) => ({ name, median: seconds(runs), cpuUs: median(runs.map(({ workedUs }) => workedUs)) })),
      aims: measured.flatMap(({ name, maxSeconds, runs }) =>
        maxSeconds === undefined ? [] : [atMost(`${name}, seconds`, seconds(runs), maxSeconds)],
      ),
    };
  });

/** One process, from its start to its end. */
interface Run {
  readonly elapsedSeconds: number;
  /** Processor time of all its threads. */
  readonly workedUs: number;
}

/** Node.js prints at the exit of a process what it had of the processors. */
const exitReport =
  'data:text/javascript,process.on("exit",()=>{const{user,system}=process.cpuUsage();process.stderr.write(`\\nworked ${user+system} us\\n`)})';

function start(name: string, args: readonly string[]): Run {
  const beganMs = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', exitReport, ...args], { cwd: root, encoding: 'utf8' });
  const elapsedSeconds = (performance.now() - beganMs) / 1_000;
  if (status !== 0) throw new Error(`${name} failed: ${stderr}${stdout}`);
  return { elapsedSeconds, workedUs: Number(/worked (\d+) us\n$/.exec(stderr)?.[1]) };
}

const examples = join(root, 'examples');
const canvasFiles = readdirSync(join(examples, 'canvases'));
const transcriptFiles = readdirSync(join(examples, 'transcripts'));

/** The canvases of the examples, which call each other, and then the same under further names. */
function copyCanvases(folder: string, many: number): readonly string[] {
  mkdirSync(folder);
  return Array.from({ length: many }, (_, index) => {
    const file = canvasFiles[index % canvasFiles.length] ?? '';
    const canvas = JSON.parse(readFileSync(join(examples, 'canvases', file), 'utf8')) as {
      readonly id: string;
      readonly nodes: readonly { readonly data?: { readonly keywords?: readonly string[] } }[];
    };
    const suffix = index < canvasFiles.length ? '' : `-${index}`;
    const path = join(folder, `${basename(file, '.json')}${suffix}.json`);
    // Two canvases of one company may not interrupt for the same keyword: each has its own, in which no other is a word.
    const nodes = canvas.nodes.map(({ data, ...node }) => ({
      ...node,
      ...(data !== undefined && {
        data: {
          ...data,
          ...(data.keywords !== undefined && { keywords: data.keywords.map((word) => `${word}${suffix.replace('-', 'x')}`) }),
        },
      }),
    }));
    writeFileSync(path, JSON.stringify({ ...canvas, id: `${canvas.id}${suffix}`, nodes }, null, 2));
    return path;
  });
}

/** The examples with their transcripts, each under as many names as needed. */
function copyTranscripts(folder: string, many: number): string {
  mkdirSync(join(folder, 'transcripts'), { recursive: true });
  cpSync(join(examples, 'canvases'), join(folder, 'canvases'), { recursive: true });
  for (let index = 0; index < many; index += 1) {
    const file = transcriptFiles[index % transcriptFiles.length] ?? '';
    cpSync(join(examples, 'transcripts', file), join(folder, 'transcripts', `${basename(file, '.txt')}.${index}.txt`));
  }
  return folder;
}
