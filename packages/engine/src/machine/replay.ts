import type { CompiledCanvas } from '../canvas/compile.ts';
import type { ExecutionState } from '../contract/execution.ts';
import type { HistoryRecord } from '../contract/store.ts';
import { nextSnapshot } from './canvas-logic.ts';
import { initialState, snapshotOf } from './canvas-logic.ts';

/**
 * Takes an execution through its history again: the same decisions, without performing anything (P19).
 *
 * @param canvasOf - the compiled canvas that a content hash names
 * @returns the state after each record; the last is the state the execution has. A history that `mask` has thinned out
 *   cannot come to the same end.
 */
export function replayHistory(history: readonly HistoryRecord[], canvasOf: (hash: string) => CompiledCanvas): readonly ExecutionState[] {
  const states: ExecutionState[] = [];
  let state: ExecutionState | undefined;
  for (const { event } of history) {
    if (event.type === 'execution.accepted') state = initialState(event.input);
    else if (state !== undefined) {
      const hash = event.type === 'canvas.entered' ? event.canvasHash : state.canvasHash;
      state = nextSnapshot(canvasOf(hash), snapshotOf(state), event).state;
    }
    if (state !== undefined) states.push(state);
  }
  return states;
}
