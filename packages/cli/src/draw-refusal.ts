import { readFile } from 'node:fs/promises';
import type { HiloError } from '@hilo/engine/contract';
import { drawProblem } from './draw-problem.ts';
import { columnsOf, painter } from './paint.ts';
import { placesIn } from './place.ts';
import { printable } from './printable.ts';

/** More problems than anyone reads at once. */
const mostDrawn = 25;

/**
 * Every problem of a workspace that was not imported, with its place in the file, for standard error.
 *
 * @param rest - where those are told that are too many to draw
 * @param what - what did not come about
 */
export async function drawRefusal(
  file: string,
  { details: { problems } }: HiloError<'WORKSPACE_REFUSED'>,
  rest: string,
  what = 'is not imported',
): Promise<string> {
  const paint = painter(process.stderr);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const placeOf = text === undefined ? undefined : placesIn(text);
  const drawn = problems.slice(0, mostDrawn).map((problem) => {
    const place = placeOf?.(problem);
    const source = text === undefined || place === undefined ? {} : { source: { text, place } };
    return drawProblem({ file, problem, ...source }, paint, columnsOf(process.stderr));
  });
  const more = problems.length > mostDrawn ? [paint('dim', `… and ${problems.length - mostDrawn} more; ${rest} lists all`)] : [];
  return [...drawn, ...more, paint('red', `✖ ${printable(file)} ${what}`)].join('\n\n');
}
