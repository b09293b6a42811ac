import { finalStatuses } from '@hilo/engine/store-kit';
import type { HistoryRecord } from '@hilo/engine/contract';
import { shredded } from '../load/canvases.ts';
import { type Evidence, executionIdOf, type Rule } from './evidence.ts';

/** At rest everything has ended; nothing is there twice, and nothing is left over (P35). */
export const accountsForAll: Rule = (evidence) => [...unended(evidence), ...leftOver(evidence), ...strangers(evidence)];

const unended = ({ store }: Evidence): readonly string[] =>
  store.stories.flatMap(({ record: { executionId, workflowId, state } }) => [
    ...(finalStatuses.has(state.status)
      ? []
      : [
          `Execution ${executionId} of "${workflowId}" is ${state.status} for ever${state.wait === undefined ? '' : `, for ${state.wait.kind}`}`,
        ]),
    ...(finalStatuses.has(state.status) && (state.wait !== undefined || state.pending !== undefined)
      ? [`Execution ${executionId} has ended and stands at something`]
      : []),
  ]);

function leftOver({ store: { queue, orphanedHistories } }: Evidence): readonly string[] {
  return [
    ...queue.map(({ lane, accepted }) => `"${accepted.kind}" is left in the queue of ${lane}`),
    ...(orphanedHistories === 0 ? [] : [`${orphanedHistories} histories belong to no execution`]),
  ];
}

/** Executions without a cause: each needs a request, a user's message, or a call of a child. */
function strangers({ wishes, store }: Evidence): readonly string[] {
  const wanted = new Set(wishes.map(executionIdOf));
  return store.stories.flatMap(({ record: { executionId, workflowId, parent }, history }) => {
    const isExpected = parent !== undefined || wanted.has(executionId) || workflowId === shredded || history.some(isStartByMessage);
    return isExpected ? [] : [`Execution ${executionId} of "${workflowId}" was never asked for`];
  });
}

const isStartByMessage = ({ event }: HistoryRecord): boolean => event.type === 'execution.started' && event.trigger.kind === 'message';
