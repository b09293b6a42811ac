import type { Problem } from '../contract/problem.ts';
import { problem } from './problem-codes.ts';

/** More problems than anyone reads: what is beyond is not listed. */
export const mostProblems = 1_000;

/** Problems as a reader wants them: errors first, then in the order of the canvas, not too many. */
export function problemList(problems: readonly Problem[]): readonly Problem[] {
  const sorted = problems
    .map((problem) => ({ problem, key: `${problem.severity === 'error' ? 0 : 1}${inCanvasOrder(problem.pointer)}` }))
    .sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0))
    .map(({ problem }) => problem);
  if (sorted.length <= mostProblems) return sorted;
  return [...sorted.slice(0, mostProblems - 1), problem('MORE_PROBLEMS', [], `There are more problems than these ${mostProblems - 1}`)];
}

/** A pointer as text that sorts `/nodes/2` before `/nodes/10`. */
const inCanvasOrder = (pointer: string): string => pointer.replace(/\d{1,6}(?!\d)/g, (digits) => digits.padStart(6, '0'));
