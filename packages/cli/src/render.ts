// `hilo render`: a canvas as a picture.
import { extname } from 'node:path';
import { parseJsonText } from '@hilo/engine/contract';
import { type Direction, drawCanvas } from '@hilo/picture';
import { loadConfig } from '@hilo/server/parts';
import type { Command } from 'commander';
import { checkFile, readCanvasFile } from './canvas-file.ts';
import { drawProblem, type PlacedProblem, problemLine } from './draw-problem.ts';
import { getColumns, painter, printable } from './paint.ts';
import { rasterise } from './rasterise.ts';
import { writeResult } from './write-result.ts';

/** Problems with which a file cannot be drawn even in part. */
const undrawable: ReadonlySet<string> = new Set(['FILE_NOT_FOUND', 'FILE_UNREADABLE', 'NOT_JSON', 'TOO_DEEP', 'CANVAS_TOO_LARGE']);
const maxPrinted = 10;
/** Endings of pictures that are not drawn: a program that goes by the name would not show the file. */
const imageEndings: ReadonlySet<string> = new Set(['.avif', '.bmp', '.gif', '.heic', '.jpeg', '.jpg', '.pdf', '.tif', '.tiff', '.webp']);

/** The flags of `hilo render`. */
export interface RenderOptions {
  /** The file that is written; standard output, when left out. */
  readonly output?: string;
  readonly config?: string;
  readonly direction: Direction;
  readonly png?: true;
}

/** Draws a canvas file as a picture, as far as its problems allow; the exit code is 1 when nothing can be drawn. */
export async function render(command: Command, file: string, { output, config, direction, png }: RenderOptions): Promise<void> {
  const ending = extname(output ?? '').toLowerCase();
  if (imageEndings.has(ending) || (png === true && ending === '.svg'))
    return command.error(
      `error: ${printable(output ?? '')} cannot be a${png === true ? ' PNG' : 'n SVG or a PNG'} by its name: let it end with .${png === true ? '' : 'svg or .'}png`,
    );
  const read = await readCanvasFile(file);
  const parts = await loadConfig(config);
  const problems = await checkFile(read, { parts });
  const picture =
    read.kind === 'text' && !problems.some(({ problem }) => undrawable.has(problem.code))
      ? drawCanvas(parseJsonText(withoutMark(read.text)), parts.nodes, direction)
      : undefined;
  if (picture === undefined || picture.nodes === 0) {
    process.stderr.write(`${problems.slice(0, maxPrinted).map(drawOnStderr).join('\n\n')}\n`);
    process.exitCode = 1;
    return;
  }
  printProblems(problems);
  const drawing = png === true || output?.toLowerCase().endsWith('.png') === true ? await rasterise(picture) : picture.svg;
  if (output === undefined) {
    process.stdout.write(drawing);
    return;
  }
  await writeResult(output, drawing);
  const { nodes, width, height } = picture;
  process.stderr.write(
    `${painter(process.stderr)('green', '✔')} ${printable(output)} (${nodes} ${nodes === 1 ? 'node' : 'nodes'}, ${width} × ${height})\n`,
  );
}

const drawOnStderr = (problem: PlacedProblem): string => drawProblem(problem, painter(process.stderr), getColumns(process.stderr));

/** One line a problem: the picture itself may go to standard output. */
function printProblems(problems: readonly PlacedProblem[]): void {
  const paint = painter(process.stderr);
  for (const problem of problems.slice(0, maxPrinted)) process.stderr.write(`${problemLine(problem, paint)}\n`);
  if (problems.length > maxPrinted) process.stderr.write(`… and ${problems.length - maxPrinted} more; "hilo validate" shows all\n`);
}

/** `JSON.parse` takes no byte order mark. */
const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);
