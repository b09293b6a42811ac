import type { DurableStore, Steps } from '@hilo/stores';
import { collections } from '../../src/platform/database/collections.ts';

/** Every row that a workspace describes, so that two moments can be compared. */
export const dumpTables = ({ runner }: DurableStore): Promise<{ readonly [table: string]: readonly object[] }> =>
  runner.read(function* (): Steps<{ readonly [table: string]: readonly object[] }> {
    const dump: { [table: string]: readonly object[] } = {};
    for (const [name, { rows }] of Object.entries(collections)) dump[name] = yield* rows();
    return dump;
  });
