import { finalStatuses } from '@hilo/engine/store-kit';
import type { ExecutionState } from '@hilo/engine/contract';

/**
 * Violations in the state of an execution: it is at exactly one thing, has ended, or has not begun.
 *
 * @returns none when the state is legal
 */
export function faultsOf({ status, visit, wait, pending, ending, visitsInAll }: ExecutionState): readonly string[] {
  const stands = [wait, pending].filter((place) => place !== undefined).length;
  const hasEnded = finalStatuses.has(status);
  const expectedStands = hasEnded || visitsInAll === 0 ? 0 : 1;
  const faults = {
    [`${status} at ${stands} things in place of ${expectedStands}`]: stands !== expectedStands,
    [`${status} with an ending`]: ending !== undefined && !hasEnded,
    [`${status} without an ending`]: ending === undefined && hasEnded,
    [`${status} in a visit`]: visit !== undefined && (hasEnded || visitsInAll === 0),
    [`${status} in no visit`]: visit === undefined && !hasEnded && visitsInAll > 0,
    'waiting for nothing': status === 'waiting' && wait === undefined,
    'running while it waits': status === 'running' && wait !== undefined,
  };
  return Object.entries(faults).flatMap(([fault, isThere]) => (isThere ? [fault] : []));
}
