import { parseCanvas } from '@hilo/engine';
import type { Canvas, Problem } from '@hilo/engine/contract';
import { invalidRequest, tooLarge } from '../platform/http/refusal.ts';
import { problemsRefused } from '../platform/http/admin-refusals.ts';

/**
 * The canvas of a request's body.
 *
 * @throws {Refusal} 400 for what is no JSON, 413 for what is too large, 422 with every problem for what has not the
 *   shape of a canvas: it cannot be kept
 */
export function canvasOf(text: string): Canvas {
  const { canvas, problems } = parseCanvas(text);
  if (canvas !== undefined) return canvas;
  for (const problem of problems) refuseText(problem);
  throw problemsRefused(problems);
}

/** @throws {Refusal} for a text in which no canvas can be looked for */
export function refuseText({ code, message }: Problem): void {
  if (code === 'CANVAS_TOO_LARGE') throw tooLarge(message);
  if (code === 'NOT_JSON' || code === 'TOO_DEEP' || code === 'TOO_MANY_KEYS') throw invalidRequest(message);
}
