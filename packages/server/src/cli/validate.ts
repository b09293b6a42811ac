import type { CheckOptions } from '@hilo/engine';
import { type Channel, channels } from '@hilo/engine/contract';
import { Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../config/load-config.ts';
import { checkFile, isSound } from './check-file.ts';
import { drawProblem, type PlacedProblem } from './draw-problem.ts';
import { canvasesBeside } from './neighbours.ts';
import { columnsOf, type Paint, painter } from './paint.ts';
import { printable } from './printable.ts';
import { type CanvasFile, readCanvasFile } from './read-canvas.ts';

interface ValidateOptions {
  readonly config?: string;
  readonly channel?: readonly Channel[];
  readonly strict?: true;
  readonly json?: true;
}

/** What was found in one file. */
interface Report {
  readonly file: string;
  readonly problems: readonly PlacedProblem[];
  readonly isOk: boolean;
}

/** Nobody reads more problems of one file than this. */
const mostDrawn = 25;

export const validateCommand = (): Command =>
  new Command('validate')
    .summary('check canvases as publishing would')
    .description('Checks canvases as publishing would, and shows every problem with its place, all at once.')
    .argument('<canvas...>', 'canvas files')
    .option('-c, --channel <name>', 'also hold them to the limits of a channel; can be given several times', channelOption)
    .option('--config <file>', 'nodes, drivers and channels of your own; without it hilo.config.ts of this directory, where there is one')
    .option('--strict', 'let warnings fail too')
    .option('--json', 'print [{ file, ok, problems }] and nothing else')
    .addHelpText('after', helpAfter)
    .action(async (files: readonly string[], options: ValidateOptions) => {
      const reports = await validate(files, options);
      const paint = painter(process.stdout);
      process.stdout.write(
        options.json === true
          ? `${JSON.stringify(reports.map(asJson), null, 2)}\n`
          : drawReports(reports, paint, columnsOf(process.stdout)),
      );
      if (!reports.every(({ isOk }) => isOk)) process.exitCode = 1;
    });

const helpAfter = `
Workflows that a canvas calls are looked for among the files given and the other canvases in their folders.

Exit code: 0 when all can be published, 1 when one cannot, 2 for wrong use.`;

/** A channel by name, added to those given before it. */
function channelOption(name: string, before: readonly Channel[] = []): readonly Channel[] {
  const channel = channels.find((known) => known === name);
  if (channel === undefined) throw new InvalidArgumentError(`There are: ${channels.join(', ')}.`);
  return [...before, channel];
}

async function validate(files: readonly string[], { channel = [], strict, config }: ValidateOptions): Promise<readonly Report[]> {
  const parts = await loadConfig(config);
  const reads = await readAll(files);
  const known = await canvasesBeside(files);
  const resolve: CheckOptions['resolve'] = ({ kind, id }) => (kind === 'workflow' ? known.has(id) : undefined);
  return reads.map((read) => {
    const problems = checkFile(read, { parts, channels: channel, resolve });
    return { file: read.file, problems, isOk: strict === true ? problems.length === 0 : isSound(problems) };
  });
}

/** One after the other: a thousand files open at once are more than some systems allow. */
async function readAll(files: readonly string[]): Promise<readonly CanvasFile[]> {
  const reads: CanvasFile[] = [];
  for (const file of files) reads.push(await readCanvasFile(file));
  return reads;
}

const asJson = ({ file, problems, isOk }: Report) => ({
  file,
  ok: isOk,
  problems: problems.map(({ problem, source }) => ({
    ...problem,
    ...(source !== undefined && { line: source.place.line, column: source.place.column }),
  })),
});

function drawReports(reports: readonly Report[], paint: Paint, columns: number): string {
  const parts = reports.map(({ file, problems }) => {
    const drawn = problems.slice(0, mostDrawn).map((problem) => `${drawProblem(problem, paint, columns)}\n\n`);
    const left = problems.length - mostDrawn;
    const rest =
      left > 0
        ? `${paint('dim', `… and ${count(left, 'more problem', 'more problems')} in ${printable(file)}; --json lists all`)}\n\n`
        : '';
    return problems.length === 0 ? `${paint('green', '✔')} ${printable(file)}\n` : `${drawn.join('')}${rest}`;
  });
  return `${parts.join('')}${summary(reports, paint)}\n`;
}

function summary(reports: readonly Report[], paint: Paint): string {
  const all = reports.flatMap(({ problems }) => problems);
  const errors = all.filter(({ problem }) => problem.severity === 'error').length;
  const found = [
    errors > 0 ? count(errors, 'error', 'errors') : '',
    all.length > errors ? count(all.length - errors, 'warning', 'warnings') : '',
  ]
    .filter(Boolean)
    .join(', ');
  const bad = reports.filter(({ isOk }) => !isOk).length;
  if (bad > 0) return paint('red', `✖ ${found}${reports.length === 1 ? '' : ` in ${bad} of ${reports.length} canvases`}`);
  const good = reports.length === 1 ? 'The canvas can be published' : `All ${reports.length} canvases can be published`;
  return `${paint('green', `✔ ${good}`)}${found === '' ? '' : paint('yellow', ` (${found})`)}`;
}

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;
