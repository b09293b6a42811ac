// Replays of histories: the same decisions once more, without performing anything (P19).
import type { CompiledCanvas } from '../canvas/compile.ts';
import { canvasOfEvent, type ExecutionEvent } from '../contract/event.ts';
import type { ExecutionState } from '../contract/execution.ts';
import type { HistoryRecord } from '../contract/store.ts';
import { initialState, TransitionLog } from './canvas-logic.ts';
import { hidesValues } from './mask.ts';

/** The canvas that a content hash names; none where it is not there any more. */
export type CanvasOf = (hash: string) => CompiledCanvas | undefined;

/** How far a history is replayed. */
export interface Replay {
  /** Nothing before its first record. */
  readonly state: ExecutionState | undefined;
  /** How many of its records that took. */
  readonly events: number;
  /** The node whose values the next record hides (`mask`): what follows is not known. */
  readonly maskedAt?: string;
  /** The part of the next record that is replayed, where the work of a turn ended within it: a replay from here goes on with it. */
  readonly underWay?: TransitionLog;
}

const notBegun: Replay = { state: undefined, events: 0 };

/** Where a replay goes on, and how far in one turn. */
interface ReplayOptions {
  readonly from?: Replay | undefined;
  /** At most so many records; all, when left out. */
  readonly most?: number;
  /** Stops after so much work of expressions, also within a record: one may have as much as an advance. All at once, when left out. */
  readonly work?: number;
  /** Goes on where values are masked, to a state that is not the execution's own. */
  readonly passesMasks?: true;
  readonly onState?: (state: ExecutionState) => void;
}

/**
 * Replays a history as far as before a record: the state that the execution had then. It ends earlier where values are masked or a canvas
 * is gone, and after `most` records or so much `work`, so that its caller can let others have their turn.
 *
 * @param until - the index of the record that is not replayed any more
 */
export function replayUntil(
  history: readonly HistoryRecord[],
  until: number,
  canvasOf: CanvasOf,
  { from = notBegun, most = Number.POSITIVE_INFINITY, work = Number.POSITIVE_INFINITY, passesMasks, onState }: ReplayOptions = {},
): Replay {
  let { state } = from;
  const end = Math.min(until, history.length, from.events + most);
  let left = work;
  for (let index = from.events; index < end; index += 1) {
    const { event } = history[index] as HistoryRecord;
    if (event.type === 'execution.accepted') state = initialState(event.input);
    else if (event.type === 'execution.forked') ({ state } = event);
    else if (state === undefined) continue;
    else if (event.type === 'execution.continued') state = continueAs(state, event.as);
    else {
      const canvas = canvasOf(canvasOfEvent(event, state.canvasHash));
      if (canvas === undefined) return { state, events: index };
      const maskedAt = passesMasks === true ? undefined : hidesValues(event, state, canvas);
      if (maskedAt !== undefined) return { state, events: index, maskedAt };
      const underWay = (index === from.events ? from.underWay : undefined) ?? new TransitionLog();
      const taken = underWay.take(canvas, state, event, left);
      left -= underWay.spent;
      if (taken === undefined) return { state, events: index, underWay };
      ({ state } = taken);
    }
    onState?.(state);
    if (left <= 0 && index + 1 < end) return { state, events: index + 1, underWay: new TransitionLog() };
  }
  return { state, events: Math.max(end, from.events) };
}

/** Notes of an ended execution which one continues it. */
export const continueAs = (state: ExecutionState, executionId: string): ExecutionState => ({
  ...state,
  ending: { outputs: {}, ...state.ending, continuedAs: executionId },
});

/** Whether a record is of an event that the execution advanced by. */
export const isExecutionEvent = (event: HistoryRecord['event']): event is ExecutionEvent =>
  event.type !== 'execution.accepted' && event.type !== 'execution.forked' && event.type !== 'execution.continued';

/** The contents that a history ran on, by their hashes. */
export function listCanvasHashes(history: readonly HistoryRecord[]): readonly string[] {
  const hashes = history.map(({ event }) => {
    if (event.type === 'execution.accepted') return event.input.canvasHash;
    if (event.type === 'execution.forked') return event.state.canvasHash;
    return isExecutionEvent(event) ? canvasOfEvent(event, '') : '';
  });
  return [...new Set(hashes)].filter((hash) => hash !== '');
}

/**
 * Replays the whole history of an execution (P19).
 *
 * @returns the state after each record; the last is the state the execution has. A history with masked
 *   values does not reproduce the same state.
 */
export function replayHistory(history: readonly HistoryRecord[], canvasOf: CanvasOf): readonly ExecutionState[] {
  const states: ExecutionState[] = [];
  replayUntil(history, history.length, canvasOf, { passesMasks: true, onState: (state) => void states.push(state) });
  return states;
}
