import { checkCanvasText, type CheckOptions } from '@hilo/engine';
import { type CompleteParts, performedEffects } from '@hilo/server/project';
import type { PlacedProblem } from './draw-problem.ts';
import { createPlaceFinder } from './place.ts';
import type { CanvasFile } from './read-canvas.ts';

/** What a canvas file is checked against. */
export interface FileChecks extends Omit<CheckOptions, 'nodes' | 'effects'> {
  /** What the project adds to Hilo. */
  readonly parts: Pick<CompleteParts, 'nodes' | 'drivers'>;
}

/** All that is wrong with a canvas file, each problem with its place in the text. */
export async function checkFile(read: CanvasFile, { parts, ...options }: FileChecks): Promise<readonly PlacedProblem[]> {
  const { file } = read;
  if (read.kind === 'unreadable') return [{ file, problem: read.problem }];
  const { text } = read;
  const findPlace = createPlaceFinder(text);
  const checks = { ...options, nodes: parts.nodes, effects: performedEffects(parts) };
  return checkCanvasText(text, checks).map((problem) => {
    const place = findPlace(problem);
    return place === undefined ? { file, problem } : { file, problem, source: { text, place } };
  });
}

/** Whether there are only warnings. */
export const isSound = (problems: readonly PlacedProblem[]): boolean => problems.every(({ problem }) => problem.severity === 'warning');
