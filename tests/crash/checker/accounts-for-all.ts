import { finalStatuses } from '@hilo/engine/store-kit';
import type { HistoryRecord } from '@hilo/engine/contract';
import { shredded } from '../load/canvases.ts';
import { type Evidence, executionIdOf, type Rule } from './evidence.ts';

/** At rest everything has ended; nothing is there twice, and nothing is left over (P35). */
export const accountsForAll: Rule = (evidence) => [...unended(evidence), ...leftOver(evidence), ...withoutCause(evidence)];

const unended = ({ store }: Evidence): readonly string[] =>
  store.executions.flatMap(({ record: { executionId, workflowId, state } }) => [
    ...(finalStatuses.has(state.status)
      ? []
      : [
          `Execution ${executionId} of "${workflowId}" is ${state.status} for ever${state.wait === undefined ? '' : `, for ${state.wait.kind}`}`,
        ]),
    ...(finalStatuses.has(state.status) && (state.wait !== undefined || state.pending !== undefined)
      ? [`Execution ${executionId} has ended, and still has a wait or a pending effect`]
      : []),
  ]);

function leftOver({ store: { queue, orphanedHistories, unlisted } }: Evidence): readonly string[] {
  return [
    ...queue.map(({ lane, accepted }) => `"${accepted.kind}" is left in the queue of ${lane}`),
    ...unlisted.map((id) => `Execution ${id} is not in the list of its user`),
    ...(orphanedHistories === 0 ? [] : [`${orphanedHistories} histories belong to no execution`]),
  ];
}

/** Executions without a cause: each needs a request, a user's message, or a call of a child. */
function withoutCause({ requests, store }: Evidence): readonly string[] {
  const requested = new Set(requests.map(executionIdOf));
  return store.executions.flatMap(({ record: { executionId, workflowId, parent }, history }) => {
    const isExpected = parent !== undefined || requested.has(executionId) || workflowId === shredded || history.some(isStartByMessage);
    return isExpected ? [] : [`Execution ${executionId} of "${workflowId}" was begun by no request, message or parent`];
  });
}

const isStartByMessage = ({ event }: HistoryRecord): boolean => event.type === 'execution.started' && event.trigger.kind === 'message';
