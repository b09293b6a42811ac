import type { ExecutionEvent, ExecutionEventType } from '../contract/event.ts';
import type { ExecutionState, ExecutionStatus } from '../contract/execution.ts';
import type { WaitKind } from '../contract/wait.ts';

/**
 * The life of an execution: which event is legal in which status. `canvasLogic` and `canvasMachine` are both made from
 * it. What is not listed leaves the execution as it is: a duplicate, a late timer, an answer to a wait that is over.
 */
export const lifecycle: { readonly [Status in ExecutionStatus]: readonly ExecutionEventType[] } = {
  running: ['execution.started', 'effect.settled', 'canvas.entered', 'execution.cancelled', 'execution.quarantined'],
  waiting: [
    'reply.received',
    'webhook.received',
    'timer.fired',
    'signal.received',
    'child.ended',
    'execution.cancelled',
    'execution.quarantined',
  ],
  quarantined: ['execution.released', 'execution.cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
  expired: [],
};

/** The statuses nothing leads out of. */
export const finalStatuses: ReadonlySet<ExecutionStatus> = new Set<ExecutionStatus>(['completed', 'failed', 'cancelled', 'expired']);

/** Which waits an event can answer. */
const answers = {
  'webhook.received': ['webhook', 'external'],
  'signal.received': ['event', 'handoff', 'payment'],
  'child.ended': ['child'],
} as const satisfies { readonly [Type in ExecutionEventType]?: readonly WaitKind[] };

const answersOf = (type: keyof typeof answers): readonly WaitKind[] => answers[type];

/** Whether an event may change this execution: legal in its status, and meant for what it stands at. */
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
    case 'signal.received':
    case 'child.ended':
      return state.wait?.id === event.waitId && answersOf(event.type).includes(state.wait.kind);
    case 'execution.cancelled':
    case 'execution.quarantined':
    case 'execution.released':
      return true;
  }
}
