import type { DurableStore } from '@hilo/stores';
import { tables } from '../../src/platform/tables/all.ts';

/** Every row that a workspace describes, so that two moments can be compared. */
export async function dumpTables({ runner }: DurableStore): Promise<{ readonly [table: string]: readonly object[] }> {
  const dump: { [table: string]: readonly object[] } = {};
  for (const { name, allOfEveryCompany } of tables) dump[name] = await runner.read<object>(allOfEveryCompany());
  return dump;
}
