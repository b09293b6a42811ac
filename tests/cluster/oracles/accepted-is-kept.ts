import { finalStatuses } from '@hilo/engine/store-kit';
import type { Oracle } from '../evidence.ts';

/** Every accepted request is in the store, and was accepted once (P1, P10). */
export const acceptedIsKept: Oracle = ({ answers, commits, executions, histories }) => {
  const seen = commits.flatMap(({ commit }) => commit.seen?.keys ?? []);
  const repeated = seen.filter((key, index) => seen.indexOf(key) !== index);
  const statuses = new Map(executions.map(({ executionId, state }) => [executionId, state.status]));
  const lost = answers.filter(({ verb, key, executionId = '', refusal }) => {
    if (refusal !== undefined) return false;
    const status = statuses.get(executionId);
    switch (verb) {
      case 'message':
        return !seen.some((known) => known.endsWith(`:event:${key}`));
      case 'start':
        return status === undefined;
      case 'cancel':
        return status === undefined || !finalStatuses.has(status);
      case 'resume':
        return !(histories.get(executionId) ?? []).some(({ event }) => event.type === 'webhook.received');
      default:
        return false;
    }
  });
  return [
    ...lost.map(({ verb, key, executionId = '' }) => `${verb} "${key}" was accepted and is not in the store ${executionId}`),
    ...repeated.map((key) => `delivery "${key}" was taken twice`),
  ];
};
