import type { Snapshot } from 'xstate';
import type { EffectRequest } from '../contract/effect.ts';
import type { Ending, ExecutionInput, ExecutionState, HistoryEntry } from '../contract/execution.ts';
import type { JsonObject } from '../contract/json.ts';
import type { Write } from '../contract/variables.ts';
import { countedBytes } from '../variables/view.ts';
import { finalStatuses } from './lifecycle.ts';

/** What an execution's actor stands at: its state, and what the last event led to. */
export type ExecutionSnapshot = Snapshot<Ending> & {
  readonly state: ExecutionState;
  /** What the last event did, oldest first. */
  readonly trail: readonly HistoryEntry[];
  /** What the last event ended in asking for: an effect, a child, a jump. */
  readonly asked: EffectRequest | undefined;
  /** What the last event wrote that outlives the execution. */
  readonly outward: readonly Write[];
};

/** An execution that was accepted and has not begun. */
export function initialState(input: ExecutionInput): ExecutionState {
  const { variables: outside, defaults, ...identity } = input;
  const variables: JsonObject = {
    $error: { cause: null, message: null, nodeId: null, attempt: null },
    ...outside,
    $context: { ...defaults, executionId: input.rootId },
  };
  return {
    ...identity,
    status: 'running',
    visits: {},
    visitsInAll: 0,
    visitsSinceWait: 0,
    historyBytes: 0,
    memos: {},
    resumedOnce: [],
    isCaught: false,
    variables,
    variablesBytes: countedBytes(variables),
  };
}

/** What an event led to, besides the state. */
interface Consequences {
  readonly trail: readonly HistoryEntry[];
  readonly asked: EffectRequest | undefined;
  readonly outward: readonly Write[];
}

const noConsequences: Consequences = { trail: [], asked: undefined, outward: [] };

/** Dresses a state as XState's snapshot. An execution that failed is done, too: failing is an outcome, not a bug. */
export const snapshotOf = (state: ExecutionState, { trail, asked, outward }: Consequences = noConsequences): ExecutionSnapshot =>
  finalStatuses.has(state.status)
    ? { state, trail, asked, outward, status: 'done', output: state.ending ?? { outputs: {} }, error: undefined }
    : { state, trail, asked, outward, status: 'active', output: undefined, error: undefined };
