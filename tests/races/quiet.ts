import { type ExecutionRecord, isHiloError } from '@hilo/engine/contract';
import { expect } from 'vitest';
import { companyId, type World } from './world.ts';

/**
 * Holds after every race: nothing is in progress, queued or reported as a fault, and each history has a record for each revision (P3,
 * P8).
 *
 * @returns every execution
 */
export async function atRest({ engines, contents, faults }: World): Promise<readonly ExecutionRecord[]> {
  // Only a lease that ran out makes the store refuse.
  for (const fault of faults) if (!isHiloError(fault, 'STORE_UNAVAILABLE')) throw fault;
  for (const engine of engines) expect(engine.activity()).toEqual({ working: 0, blocked: 0 });
  expect((await contents.unfinished('', 1)).map(({ lane }) => lane)).toEqual([]);
  const { results } = await contents.list(companyId, { limit: 1_000 });
  for (const record of results) await isWhole(record, contents);
  return results;
}

async function isWhole({ executionId, revision, state }: ExecutionRecord, contents: World['contents']): Promise<void> {
  const history = await contents.history(companyId, executionId);
  let last = 0;
  for (const record of history) {
    // A jump, or a child that cannot be called, adds a second event to the same advance.
    if (record.revision !== last && record.revision !== last + 1) throw new Error(`Revision ${last} is followed by ${record.revision}`);
    last = record.revision;
  }
  expect(last).toBe(revision);
  expect(state.status).not.toBe('running');
}
