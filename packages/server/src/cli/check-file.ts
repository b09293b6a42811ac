import { type CheckOptions, checkCanvasText } from '@hilo/engine';
import { standardNodes } from '@hilo/nodes';
import type { PlacedProblem } from './draw-problem.ts';
import { placesIn } from './place.ts';
import type { CanvasFile } from './read-canvas.ts';

/** All that is wrong with a canvas file, each problem with its place in the text. */
export function checkFile(read: CanvasFile, options: Omit<CheckOptions, 'nodes'> = {}): readonly PlacedProblem[] {
  const { file } = read;
  if (read.kind === 'unreadable') return [{ file, problem: read.problem }];
  const { text } = read;
  const placeOf = placesIn(text);
  return checkCanvasText(text, { ...options, nodes: standardNodes }).map((problem) => {
    const place = placeOf(problem);
    return place === undefined ? { file, problem } : { file, problem, source: { text, place } };
  });
}

/** Whether nothing worse than a warning is among them. */
export const isSound = (problems: readonly PlacedProblem[]): boolean => problems.every(({ problem }) => problem.severity === 'warning');
