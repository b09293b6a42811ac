// `hilo validate`: every problem of files and folders.
import { resolve } from 'node:path';
import type { Connections, PublishedWorkflow } from '@hilo/engine';
import { type Channel, isHiloError } from '@hilo/engine/contract';
import { type CompleteParts, configPaths, loadCheckParts, loadConfig } from '@hilo/server/parts';
import { type CanvasFile, checkFile, isSound, parseFile, readCanvasFile } from './canvas-file.ts';
import { drawProblem, drawRefusal, type PlacedProblem } from './draw-problem.ts';
import { canvasesBeside } from './neighbours.ts';
import type { Mended } from './mend.ts';
import { formatCount, getColumns, type Paint, painter, printable, toSafeJson } from './paint.ts';
import { resolveAmong } from './tools-beside.ts';
import { watchChanges } from './watch-files.ts';
import type { CompanyChecks } from './workspace-checks.ts';
import { takeInterrupts } from './interrupt.ts';

/** The flags of `hilo validate`. */
export interface ValidateOptions {
  readonly config?: string;
  readonly workspace?: string;
  /** Channels that every canvas must suit, beside those of the workspace. */
  readonly channel?: readonly Channel[];
  /** Whether warnings refuse a canvas too. */
  readonly strict?: true;
  /** Whether fixes are taken that are sure. */
  readonly fix?: true;
  /** Whether errors are shown as conversations, too. */
  readonly dialogues?: true;
  readonly json?: true;
  readonly watch?: true;
}

/** The problems of one file. */
interface Report {
  readonly file: string;
  readonly problems: readonly PlacedProblem[];
  readonly isOk: boolean;
  /** What was mended in it. */
  readonly fixed?: readonly string[];
}

/** Most problems that are drawn of one file. */
const maxDrawn = 25;

/** Checks canvas files once, or until Ctrl-C. */
export async function validate(files: readonly string[], options: ValidateOptions): Promise<void> {
  if (options.watch === true) await watch(files, options);
  else if (!(await checkAndReport(files, options))) process.exitCode = 1;
}

/** Checks the canvases now and after each change, until Ctrl-C. A check that fails is reported, and the next change is awaited. */
async function watch(files: readonly string[], options: ValidateOptions): Promise<void> {
  const ended = new AbortController();
  const end = () => ended.abort();
  const giveBack = takeInterrupts();
  process.once('SIGINT', () => {
    end();
    giveBack(); // a second one ends a check that hangs
  });
  const watched = [...files, ...(options.workspace === undefined ? [] : [options.workspace]), ...configPaths(options.config)];
  let reading = 0;
  for await (const _ of watchChanges(watched, ended)) {
    reading += 1;
    if (options.json !== true) process.stdout.write(`${painter(process.stdout)('dim', clockTime(new Date()))}\n`);
    await checkAndReport(files, options, reading).catch((error: unknown) => reportFailure(error, options));
    if (options.json !== true) process.stdout.write('\n');
  }
}

/** As the wall clock here shows it: `09:05:00`. */
const clockTime = (date: Date): string => date.toTimeString().slice(0, 8);

function reportFailure(error: unknown, { json }: ValidateOptions): void {
  const message = error instanceof Error ? error.message : String(error);
  if (json === true) process.stdout.write(`${toSafeJson({ error: message })}\n`);
  else process.stderr.write(`hilo: ${message}\n`);
}

/** Prints the problems of the canvases; resolves to whether all can be published. */
async function checkAndReport(files: readonly string[], options: ValidateOptions, reading?: number): Promise<boolean> {
  const reports = await createReports(files, options, reading).catch((error: unknown) => reportRefusal(error, options));
  if (reports === undefined) return false;
  const paint = painter(process.stdout);
  process.stdout.write(
    options.json === true ? formatJson(reports.map(describeReport), options) : drawReports(reports, paint, getColumns(process.stdout)),
  );
  return reports.every(({ isOk }) => isOk);
}

/** Reports the problems for which a workspace cannot be read, and rethrows every other error. */
async function reportRefusal(error: unknown, options: ValidateOptions): Promise<undefined> {
  const { workspace, json } = options;
  if (!isHiloError(error, 'WORKSPACE_REFUSED') || workspace === undefined) throw error;
  if (json === true) process.stdout.write(formatJson({ problems: error.details.problems }, options));
  else process.stderr.write(`${await drawRefusal(workspace, error, '`hilo import --json`', 'cannot be read')}\n`);
  return undefined;
}

/** One JSON document; while watching, on one line. */
const formatJson = (document: unknown, { watch }: ValidateOptions): string => `${toSafeJson(document, watch === true ? 0 : 2)}\n`;

async function createReports(
  files: readonly string[],
  { channel = [], strict, dialogues, fix, config, workspace }: ValidateOptions,
  reading?: number,
): Promise<readonly Report[]> {
  const directory = process.cwd();
  const complete = workspace === undefined ? undefined : await loadConfig(config, directory, reading);
  const parts = complete ?? (await loadCheckParts(config, directory, reading));
  const reads = await readAll(files);
  const findChecks =
    workspace === undefined || complete === undefined
      ? await checksBeside(files, reads, parts.nodes)
      : await readChecks(workspace, complete, reads);
  const reports: Report[] = [];
  const findDialogue = dialogues === true ? (await import('./dialogues.ts')).createDialogues(workspace, parts) : undefined;
  for (const given of reads) {
    const { connections, published, others } = findChecks(given.file);
    const channels = [...new Set([...(connections.channels ?? []), ...channel])];
    const check = (one: CanvasFile) => checkFile(one, { parts, ...connections, channels, published, others });
    const { read, done } = fix === true ? await mendFile(given, check) : { read: given, done: [] };
    const problems = await check(read);
    const shown = findDialogue === undefined ? problems : await findDialogue(read, problems);
    const isOk = strict === true ? problems.length === 0 : isSound(problems);
    reports.push({ file: read.file, problems: shown, isOk, ...(fix === true && { fixed: done }) });
  }
  return reports;
}

/** Mends a file and writes it, where something was mended. */
async function mendFile(given: CanvasFile, check: (read: CanvasFile) => Promise<readonly PlacedProblem[]>): Promise<Mended> {
  const [{ mend }, { replaceFile }] = await Promise.all([import('./mend.ts'), import('./write-result.ts')]);
  const mended = await mend(given, async (read) => (await check(read)).map(({ problem }) => problem));
  if (mended.read.kind === 'text' && mended.done.length > 0) await replaceFile(given.file, mended.read.text);
  return mended;
}

/**
 * Without a workspace, workflows are looked for in the files' folders, and other references cannot be checked. The given files are
 * checked as if they were published together.
 */
async function checksBeside(
  files: readonly string[],
  reads: readonly CanvasFile[],
  nodes: CompleteParts['nodes'],
): Promise<(file: string) => CompanyChecks> {
  const given = new Map(reads.map((read) => [resolve(read.file), read.kind === 'text' ? parseFile(read).canvas : undefined] as const));
  const beside = await canvasesBeside(files, given);
  const published = [...given.values()].flatMap((canvas): readonly PublishedWorkflow[] =>
    canvas === undefined ? [] : [{ workflowId: canvas.id, canvas }],
  );
  const canvases = new Map([...beside].map(([id, { canvas }]) => [id, canvas] as const));
  const connections: Connections = { resolve: resolveAmong(canvases, nodes) };
  // An agent in a given file has the problem itself.
  const others = new Map([...beside].filter(([, { file }]) => !given.has(file)).map(([id, { canvas }]) => [id, canvas] as const));
  return () => ({ connections, published, others });
}

/** What the companies of a workspace have, and the canvases that are checked with each other. */
async function readChecks(workspace: string, parts: CompleteParts, reads: readonly CanvasFile[]): Promise<(file: string) => CompanyChecks> {
  const { workspaceChecks } = await import('./workspace-checks.ts'); // loads what only a workspace needs
  const given = reads.flatMap((read) => (read.kind === 'text' ? [parseFile(read).canvas?.id ?? []].flat() : []));
  return workspaceChecks(workspace, parts, given);
}

/** One after the other: a thousand files open at once are more than some systems allow. */
async function readAll(files: readonly string[]): Promise<readonly CanvasFile[]> {
  const reads: CanvasFile[] = [];
  for (const file of files) reads.push(await readCanvasFile(file));
  return reads;
}

const describeReport = ({ file, problems, isOk, fixed }: Report) => ({
  file,
  ok: isOk,
  ...(fixed !== undefined && { fixed }),
  problems: problems.map(({ problem, source, dialogue }) => ({
    ...problem,
    ...(dialogue !== undefined && { dialogue: dialogue.kind === 'found' ? dialogue.script : null }),
    ...(source !== undefined && { line: source.place.line, column: source.place.column }),
  })),
});

function drawReports(reports: readonly Report[], paint: Paint, columns: number): string {
  const parts = reports.map(({ file, problems, fixed = [] }) => {
    const mended = fixed.map((one) => `${paint('green', 'fixed')} ${printable(file)}  ${printable(one)}\n`).join('');
    const drawn = problems.slice(0, maxDrawn).map((problem) => `${drawProblem(problem, paint, columns)}\n\n`);
    const left = problems.length - maxDrawn;
    const rest =
      left > 0 ? `${paint('dim', `… and ${formatCount(left, 'more problems')} in ${printable(file)}; --json lists all`)}\n\n` : '';
    return problems.length === 0 ? `${mended}${paint('green', '✔')} ${printable(file)}\n` : `${mended}${drawn.join('')}${rest}`;
  });
  return `${parts.join('')}${summary(reports, paint)}\n`;
}

function summary(reports: readonly Report[], paint: Paint): string {
  const all = reports.flatMap(({ problems }) => problems);
  const errors = all.filter(({ problem }) => problem.severity === 'error').length;
  const found = [errors > 0 ? formatCount(errors, 'errors') : '', all.length > errors ? formatCount(all.length - errors, 'warnings') : '']
    .filter(Boolean)
    .join(', ');
  const bad = reports.filter(({ isOk }) => !isOk).length;
  if (bad > 0) return paint('red', `✖ ${found}${reports.length === 1 ? '' : ` in ${bad} of ${reports.length} canvases`}`);
  const good = reports.length === 1 ? 'The canvas can be published' : `All ${reports.length} canvases can be published`;
  return `${paint('green', `✔ ${good}`)}${found === '' ? '' : paint('yellow', ` (${found})`)}`;
}
