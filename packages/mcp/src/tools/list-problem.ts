// A problem of a canvas as every tool answers it.
import { isRecord } from '../backend.ts';

/** A problem with the labels of its fixes, by which `apply_fix` makes them, and the conversation that shows it as a transcript. */
export function listProblem(problem: unknown): unknown {
  if (!isRecord(problem)) return problem;
  const { fixes, dialogue, ...others } = problem;
  return {
    ...others,
    ...(isRecord(dialogue) && { dialogue: dialogue['transcript'] }),
    ...(Array.isArray(fixes) && { fixes: fixes.map((fix: unknown) => (isRecord(fix) ? fix['label'] : fix)) }),
  };
}
