import { join } from 'node:path';
import type { Commit } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { advance, commit, executionRecord } from '../../testing/src/contracts/execution-records.ts';
import type { DurableStore } from '../src/index.ts';
import { openOver } from '../src/sqlite/open-sqlite-store.ts';
import { aCanvas, fillStore } from './filled-store.ts';
import { withDirectory } from './temporary-directory.ts';
import { type WatchedConnection, watchedConnection } from './watched-connection.ts';

const withStore = (test: (store: DurableStore, connection: WatchedConnection) => Promise<void>) =>
  withDirectory(async (directory) => {
    const connection = watchedConnection();
    const store = await openOver(connection.connect, { path: join(directory, 'hilo.db') });
    await fillStore(store);
    await test(store, connection);
    expect(connection.isInTransaction()).toBe(false);
    await store.close();
  });

/** More than is left in the pages that are there. */
const large = (id: string): Partial<Commit> => ({
  saves: [executionRecord({ id, variables: { $message: { text: 'x'.repeat(100_000) } } })],
  history: [advance(id, 1, 'y'.repeat(100_000))],
});

const unavailable = { code: 'STORE_UNAVAILABLE' };

describe('a SQLite store whose disk is full', () => {
  it(
    'is not opened, and what to do is said',
    withDirectory(async (directory) => {
      const connection = watchedConnection();
      connection.watch((_number, sql) => (sql === 'begin immediate' ? 'full' : undefined));
      await expect(openOver(connection.connect, { path: join(directory, 'hilo.db') })).rejects.toThrow(
        /hilo\.db cannot be opened: SQLite: the disk is full \(.*\): make room on it$/,
      );
    }),
  );

  it(
    'writes nothing by half, goes on reading, and writes again when there is room (P26)',
    withStore(async ({ executions }, connection) => {
      connection.run('pragma max_page_count = 1'); // no less than there are
      for (let round = 0; round < 3; round += 1) {
        const answers = await Promise.allSettled(['e2', 'e3', 'e4'].map((id) => commit(executions, large(id))));
        for (const answer of answers) expect(answer).toMatchObject({ status: 'rejected', reason: unavailable });
      }
      expect((await executions.list('c1', { limit: 10 })).results.map(({ executionId }) => executionId)).toEqual(['e1']);
      expect(await executions.history('c1', 'e2')).toEqual([]);
      expect(await executions.load('c1', 'e1')).toBeDefined();

      connection.run('pragma max_page_count = 1000000');
      for (const id of ['e2', 'e3', 'e4']) expect(await commit(executions, large(id))).toMatchObject({ kind: 'committed' });
    }),
  );

  it(
    'answers every kind of write with STORE_UNAVAILABLE, and every question as before',
    withStore(async (store, connection) => {
      const { executions, canvases, prune } = store;
      connection.watch((_number, sql) => (/^(insert|update|delete|commit|begin)/.test(sql) ? 'full' : undefined));
      const writes = [
        () => commit(executions, { saves: [executionRecord({ id: 'e2' })] }),
        () => executions.countCrashes(['l']),
        () => executions.clearCrashCounts(['l']),
        () => canvases.saveDraft('c1', aCanvas, 'other'),
        () => canvases.publish('c1', aCanvas, 'other', 1_000),
        () => prune({ nowMs: 99_000, completedForMs: 0, failedForMs: 0 }),
      ];
      for (const write of writes) await expect(write()).rejects.toMatchObject(unavailable);
      expect(await executions.load('c1', 'e1')).toBeDefined();
      expect(await executions.nextDueMs()).toBe(5_000);
      expect(await canvases.latest('c1', 'w1')).toMatchObject({ version: 1, hash: 'hash' });
      connection.watch();
      for (const write of writes) await write();
      expect(await canvases.latest('c1', 'w1')).toMatchObject({ version: 2, hash: 'other' });
    }),
  );

  it(
    'does not tell a write that it is kept when its neighbour filled the disk',
    withStore(async ({ executions }, connection) => {
      connection.run('pragma max_page_count = 1');
      const small = { saves: [executionRecord({ id: 'small' })] };
      const [first, second] = await Promise.allSettled([commit(executions, small), commit(executions, large('e2'))]);
      expect(second).toMatchObject({ status: 'rejected', reason: unavailable });
      expect((await executions.load('c1', 'small')) !== undefined).toBe(first?.status === 'fulfilled');
      connection.run('pragma max_page_count = 1000000');
    }),
  );
});
