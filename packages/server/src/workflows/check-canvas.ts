import { checkCanvas, checkCanvasText, type CheckOptions, readCanvas } from '@hilo/engine';
import type { Canvas, Problem } from '@hilo/engine/contract';
import { type PublishedCanvas, rivalStarts } from './rival-starts.ts';

/** What a canvas is checked against: what it is made of, what its company has, and what is published there. */
export interface PublishChecks extends CheckOptions {
  /** The latest versions of the company; read only where the canvas begins with a message. */
  readonly published: () => Promise<readonly PublishedCanvas[]>;
}

/**
 * All that publishing a canvas in a company would say: the one list of `hilo validate`, of `POST /admin/v1/validate` and of
 * publishing itself, which refuses a canvas whose list has an error and tells the rest as warnings.
 *
 * @param canvas - parsed, or a text that may be none
 */
export async function problemsOf(canvas: Canvas | string, { published, ...checks }: PublishChecks): Promise<readonly Problem[]> {
  if (typeof canvas !== 'string') return withRivals(checkCanvas(canvas, checks), canvas, published);
  const problems = checkCanvasText(canvas, checks);
  const { canvas: readable } = readCanvas(canvas);
  return readable === undefined ? problems : withRivals(problems, readable, published);
}

/** What the engine says of a canvas by itself, and what is wrong with it beside the other workflows of its company. */
export const withRivals = async (
  problems: readonly Problem[],
  canvas: Canvas,
  published: PublishChecks['published'],
): Promise<readonly Problem[]> => [...problems, ...(await rivalStarts(canvas, published))];
