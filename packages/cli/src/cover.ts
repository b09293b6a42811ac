// `hilo cover`: writes transcripts for the ports of canvases that no transcript takes yet, as few as possible.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Channel } from '@hilo/engine/contract';
import { coverPorts, type CoveringTalk, uncoveredPorts } from '@hilo/simulator';
import { formatCount, type Paint, painter, printable, printableLines, printJson } from './paint.ts';
import { replay } from './run/replay.ts';
import { createSimulationOptions, prepareRun, projectFiles, type RunSetup } from './run/setup.ts';
import { findCanvas, findTranscripts } from './test-transcripts.ts';

/** The flags of `hilo cover`. */
export interface CoverOptions {
  /** The folder in which the transcripts are written; they are listed alone, when left out. */
  readonly write?: string;
  readonly maxMs: number;
  readonly config?: string;
  readonly with?: readonly string[];
  readonly workspace?: string;
  readonly channel: Channel;
  readonly json?: true;
}

/** What was found for one canvas. */
interface Covered {
  readonly canvas: string;
  /** Ports that transcripts take already. */
  readonly taken: number;
  readonly talks: readonly (CoveringTalk & { readonly file?: string })[];
  readonly never: readonly string[];
}

/** Covers canvases, one after the other; the exit code is 1 where one cannot run. */
export async function cover(files: readonly string[], options: CoverOptions): Promise<void> {
  const project = projectFiles(options);
  const paint = painter(process.stdout);
  const covered: Covered[] = [];
  for (const file of files) {
    await requireFolder(file, options.write);
    const given = { channel: options.channel, seed: 1, ...(options.with !== undefined && { with: options.with }) };
    const setup = await prepareRun(file, given, project);
    if (setup === undefined) process.exitCode = 1;
    else {
      const one = await coverCanvas(file, setup, options);
      covered.push(one);
      if (options.json !== true) process.stdout.write(`${draw(one, paint)}\n`);
    }
  }
  if (options.json === true) printJson({ canvases: covered });
}

/** @throws {Error} where `hilo test` would not find the canvas of a transcript in the folder */
async function requireFolder(canvas: string, folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  const found = await findCanvas(join(folder, `${nameOf(canvas)}.txt`));
  if (found === undefined || resolve(found) !== resolve(canvas))
    throw new Error(
      `hilo test would not find ${printable(canvas)} from ${printable(folder)}: name the folder of the canvas, one below it, or one beside canvases/`,
    );
}

const nameOf = (canvas: string): string => basename(canvas, '.json');

async function coverCanvas(canvas: string, setup: RunSetup, { write, maxMs }: CoverOptions): Promise<Covered> {
  const folder = dirname(canvas);
  const taken = await takenPorts(canvas, setup, [folder, join(folder, '..', 'transcripts'), ...(write === undefined ? [] : [write])]);
  const untilMs = performance.now() + maxMs;
  const { talks, never } = await coverPorts(setup.canvases, {
    ...createSimulationOptions(setup),
    taken,
    isOver: () => performance.now() > untilMs,
  });
  if (write === undefined) return { canvas, taken: taken.length, talks, never };
  if (talks.length > 0) await mkdir(write, { recursive: true });
  const written: (CoveringTalk & { readonly file: string })[] = [];
  for (const talk of talks)
    written.push({ ...talk, file: await writeTalk(join(write, `${nameOf(canvas)}.${nameOfPort(talk.port)}`), talk) });
  return { canvas, taken: taken.length, talks: written, never };
}

/** The port as a part of the name of a file: letters, digits and hyphens, for there it ends at a dot. */
const nameOfPort = (port: string): string => port.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').replaceAll(/^-|-$/g, '') || 'port';

/** Writes a transcript under a name that no other file has. @returns the name */
async function writeTalk(path: string, { transcript }: CoveringTalk): Promise<string> {
  for (let count = 1; ; count += 1) {
    const file = count === 1 ? `${path}.txt` : `${path}-${count}.txt`;
    try {
      await writeFile(file, transcript, { flag: 'wx' });
      return file;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

/** The ports that the transcripts of a canvas take now. */
async function takenPorts(canvas: string, setup: RunSetup, folders: readonly string[]): Promise<readonly string[]> {
  const histories = [];
  for (const file of await findTranscripts(canvas, folders)) {
    const played = await replay(setup, await readFile(file, 'utf8')).catch(() => undefined); // hilo test says what is wrong with it
    for (const { executionId } of (await played?.conversation.executions()) ?? [])
      histories.push((await played?.conversation.history(executionId)) ?? []);
  }
  return uncoveredPorts(setup.main, histories, { nodes: setup.parts.nodes }).taken;
}

function draw({ canvas, taken, talks, never }: Covered, paint: Paint): string {
  const found = talks.reduce((sum, { ports }) => sum + ports.length, 0);
  const all = taken + found + never.length;
  const head = `${paint(never.length === 0 ? 'green' : 'yellow', `${taken + found} of ${all} ports`)} of ${printable(canvas)}: ${taken} by transcripts, ${found} by ${formatCount(talks.length, 'conversations')} found`;
  return [
    head,
    ...talks.flatMap(({ file, port, ports, transcript }) =>
      file === undefined
        ? [paint('dim', `# ${printable(port)}, ${formatCount(ports.length, 'ports')}`), printableLines(transcript.trimEnd())]
        : [`  ${paint('green', '+')} ${printable(file)}  ${formatCount(ports.length, 'ports')}`],
    ),
    ...(never.length === 0 ? [] : [`  no conversation was found for: ${never.map((port) => printable(port)).join(', ')}`]),
  ].join('\n');
}
