// The contract suite of execution stores.
import type { ExecutionStore } from '@hilo/engine/contract';
import { describe } from 'vitest';
import type { Open } from './execution-records.ts';
import { describeCommits } from './store-commits.ts';
import { describeContacts } from './store-contacts.ts';
import { describeModel } from './store-model.ts';
import { describeQueue } from './store-queue.ts';
import { describeRecords } from './store-records.ts';
import { describeHeldSignals, describeWaits } from './store-waits.ts';

/**
 * The promises of `ExecutionStore`, as tests: every implementation runs them.
 *
 * @param open - opens a new, empty store
 * @example
 * describeExecutionStore('SQLite', async () => {
 *   const { executions, close } = await openSqliteStore({ path: newPath() });
 *   return { store: executions, close };
 * });
 */
export function describeExecutionStore(name: string, open: Open<ExecutionStore>): void {
  describe(`${name} as an ExecutionStore`, () => {
    describeCommits(open);
    describeQueue(open);
    describeWaits(open);
    describeHeldSignals(open);
    describeContacts(open);
    describeRecords(open);
    describeModel(open);
  });
}
