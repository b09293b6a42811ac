// The ids of the workflows of a company, where their number is about that of those that are read at once.
import { parseCanvas } from '@hilo/engine';
import { openSqliteStore } from '@hilo/stores';
import { expect, it } from 'vitest';
import { serviceTables } from './tables.ts';
import { readWorkflowIds } from './workflow-ids.ts';

it('are all read, once and in order, and those of no other company', async () => {
  const store = await openSqliteStore({ path: ':memory:', extensions: [serviceTables] });
  try {
    const ids = ['a', 'a-1', 'b', 'Z', 'z', 'z0'];
    for (const [companyId, some] of [
      ['1', ids],
      ['2', ['a0', 'other']],
    ] as const)
      for (const id of some) {
        const { canvas } = parseCanvas({ schemaVersion: 1, id, name: id, nodes: [{ id: 'b', type: 'start', data: {} }], edges: [] });
        await store.canvases.saveDraft(companyId, canvas!, id);
      }
    for (const inWindow of [1, ids.length - 1, ids.length, ids.length + 1]) {
      expect(await readWorkflowIds(store.runner, '1', inWindow)).toEqual(['Z', 'a', 'a-1', 'b', 'z', 'z0']);
    }
    expect(await readWorkflowIds(store.runner, '3', 2)).toEqual([]);
  } finally {
    await store.close();
  }
});
