import { setup } from 'xstate';
import type { ExecutionEvent, ExecutionEventType } from '../contract/event.ts';
import { type ExecutionState, type ExecutionStatus, executionStatuses } from '../contract/execution.ts';
import type { WaitKind } from '../contract/wait.ts';

/** Input of the lifecycle: an event, and the status that the canvas reached by it. */
interface StatusChange {
  readonly type: ExecutionEventType;
  readonly to: ExecutionStatus;
}

/** Only its type is looked at, by XState's `setup`. */
const types: { events?: StatusChange } = {};

const lifecycleSetup = setup({
  types,
  guards: { leadsTo: ({ event }, { status }: { readonly status: ExecutionStatus }) => event.to === status },
});

/** A transition to each of these statuses. */
const to = (...statuses: readonly ExecutionStatus[]) =>
  statuses.map((status) => ({ guard: { type: 'leadsTo' as const, params: { status } }, target: status }));

/** The statuses in which a running execution may halt: at an effect, at a wait, or at an end. */
const onwards = to('running', 'waiting', 'completed', 'failed');

/**
 * The lifecycle of an execution, by status. An event that is not listed leaves it unchanged: a duplicate, a late timer, an answer to an
 * ended wait.
 */
export const lifecycleMachine = lifecycleSetup.createMachine({
  id: 'lifecycle',
  initial: 'running',
  states: {
    running: {
      on: {
        'execution.started': onwards,
        'effect.settled': onwards,
        'canvas.entered': onwards,
        'webhook.received': to('running'), // kept for a wait to come
        'execution.cancelled': to('cancelled'),
        'execution.quarantined': to('quarantined'),
      },
    },
    waiting: {
      on: {
        'reply.received': onwards,
        'webhook.received': onwards,
        'timer.fired': [...onwards, ...to('expired')],
        'signal.received': onwards,
        'child.ended': onwards,
        'execution.migrated': onwards,
        'execution.cancelled': to('cancelled'),
        'execution.quarantined': to('quarantined'),
      },
    },
    quarantined: {
      on: {
        'execution.released': onwards,
        'execution.migrated': [...to('quarantined'), ...onwards],
        'execution.cancelled': to('cancelled'),
      },
    },
    completed: { type: 'final' },
    failed: { type: 'final' },
    cancelled: { type: 'final' },
    expired: { type: 'final' },
  },
});

/** Which event is legal in which status, as the machine has it: what `canvasLogic` and `canvasMachine` look up. */
export const lifecycle = Object.fromEntries(
  executionStatuses.map((status) => [status, Object.keys(lifecycleMachine.states[status]?.on ?? {})]),
) as unknown as { readonly [Status in ExecutionStatus]: readonly ExecutionEventType[] };

/** The statuses without a transition out of them. */
export const finalStatuses: ReadonlySet<ExecutionStatus> = new Set(
  executionStatuses.filter((status) => lifecycleMachine.states[status]?.type === 'final'),
);

/** The kinds of waits that an event can answer. */
const answerableWaits: Readonly<Record<'webhook.received' | 'signal.received' | 'child.ended', readonly WaitKind[]>> = {
  'webhook.received': ['webhook', 'external'],
  'signal.received': ['event', 'handoff', 'payment', 'reply'],
  'child.ended': ['child'],
};

/** Whether an execution is on its way to its next wait: what is to answer that wait may come before it is open. */
export const isAtWork = ({ status, wait }: ExecutionState): boolean =>
  status === 'running' || (status === 'waiting' && (wait?.kind === 'retry' || wait?.kind === 'child'));

/** Whether an event applies to this execution: legal in its status, and addressed to its open effect or wait. */
export function isLegal(state: ExecutionState, event: ExecutionEvent): boolean {
  if (!lifecycle[state.status].includes(event.type)) return false;
  switch (event.type) {
    case 'execution.started':
      return state.visitsInAll === 0 && state.visit === undefined;
    case 'effect.settled':
      return state.pending?.key === event.key;
    case 'canvas.entered':
      return state.pending?.key === event.key && state.pending.type === 'flow.jump';
    case 'timer.fired':
      return state.wait?.id === event.waitId && state.wait.dueAtMs !== null && state.wait.dueAtMs <= event.atMs;
    case 'reply.received':
      return state.wait?.id === event.waitId && state.wait.takesReply;
    case 'webhook.received':
      if (event.isKept === true) return event.visit !== undefined || isAtWork(state);
      return isAnswered(state, event);
    case 'signal.received':
    case 'child.ended':
      return isAnswered(state, event);
    case 'execution.cancelled':
    case 'execution.quarantined':
    case 'execution.released':
    case 'execution.migrated':
      return true;
  }
}

/** Whether an event names the open wait, and is of a kind that answers it. */
const isAnswered = (
  { wait }: ExecutionState,
  { type, waitId }: Extract<ExecutionEvent, { readonly type: keyof typeof answerableWaits }>,
): boolean => wait?.id === waitId && answerableWaits[type].includes(wait.kind);
