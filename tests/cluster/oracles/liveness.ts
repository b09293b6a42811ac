import { finalStatuses } from '@hilo/engine/store-kit';
import type { Oracle } from '../evidence.ts';
import { isHiloError } from '@hilo/engine/contract';

/** Once faults end, every caller is answered and every execution has ended, or waits for something that has not happened. */
export const liveness: Oracle = ({ isQuiet, unanswered, unfinished, executions, endMs }) => {
  if (!isQuiet) return ['the cluster does not come to rest'];
  const stuck = executions.filter(({ state: { status, wait } }) => {
    if (finalStatuses.has(status)) return false;
    return status !== 'waiting' || wait === undefined || (wait.dueAtMs !== null && wait.dueAtMs <= endMs);
  });
  return [
    ...unanswered.map((key) => `"${key}" is never answered`),
    ...unfinished.filter(({ queued }) => queued > 0).map(({ lane, queued }) => `lane ${lane} leaves ${queued} unprocessed`),
    ...stuck.map(
      ({ executionId, state: { status, wait } }) => `execution ${executionId} is ${status} for ever (${wait?.kind ?? 'at nothing'})`,
    ),
  ];
};

/** Engines report only faults of their store, and leave no rejection unhandled (P26, P32). */
export const ownFaults: Oracle = ({ faults, unhandled }) => [
  ...faults
    .filter(({ error }) => !isHiloError(error, 'STORE_UNAVAILABLE') && !isHiloError(error, 'STORE_CONFLICT'))
    .map(({ process, error, while: doing }) => `${process} had a fault of its own while ${doing}: ${String(error)}`),
  ...unhandled.map((error) => `a rejection that nobody handles would end the process: ${String(error)}`),
];
