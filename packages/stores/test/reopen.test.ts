import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeQueued } from '../../testing/src/contracts/execution-records.ts';
import { openSqliteStore } from '../src/index.ts';
import { aCanvas, everythingOf, fillStore } from './filled-store.ts';
import { withDirectory } from './temporary-directory.ts';

describe('a SQLite store that is opened again', () => {
  it(
    'has kept everything',
    withDirectory(async (directory) => {
      const path = join(directory, 'a', 'b', 'hilo.db');
      const first = await openSqliteStore({ path });
      await fillStore(first);
      const before = await everythingOf(first);
      await first.close();
      const second = await openSqliteStore({ path, mustExist: true });
      expect(await everythingOf(second)).toEqual(before);
      expect((await second.canvases.draft('c1', 'w1'))?.canvas).toEqual(aCanvas);
      await second.close();
    }),
  );

  it(
    'never gives a number of the queue again',
    withDirectory(async (directory) => {
      const path = join(directory, 'hilo.db');
      const first = await openSqliteStore({ path });
      await fillStore(first);
      const seqs = (await takeQueued(first.executions)).map(({ seq }) => seq);
      expect(seqs).toHaveLength(1);
      await first.close();
      const second = await openSqliteStore({ path });
      await fillStore(second, 'e2');
      for (const { seq } of await takeQueued(second.executions)) expect(seq).toBeGreaterThan(Math.max(...seqs));
      await second.close();
    }),
  );

  it(
    'says how durable it is',
    withDirectory(async (directory) => {
      const store = await openSqliteStore({ path: join(directory, 'hilo.db') });
      expect(store.durability).toEqual({ database: 'sqlite', survives: 'power-loss', settings: { journal_mode: 'wal', synchronous: 2 } });
      await store.close();
      const inMemory = await openSqliteStore({ path: ':memory:' });
      expect(inMemory.durability).toMatchObject({ survives: 'nothing' });
      await inMemory.close();
    }),
  );

  it(
    'writes what was asked for before it was closed, and takes nothing after',
    withDirectory(async (directory) => {
      const path = join(directory, 'hilo.db');
      const first = await openSqliteStore({ path });
      const filling = first.canvases.saveDraft('c1', aCanvas, 'hash');
      await first.close();
      await filling;
      await expect(first.canvases.saveDraft('c1', aCanvas, 'hash')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      await expect(first.executions.load('c1', 'e1')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      await first.close();
      const second = await openSqliteStore({ path });
      expect(await second.canvases.draft('c1', 'w1')).toBeDefined();
      await second.close();
    }),
  );
});
