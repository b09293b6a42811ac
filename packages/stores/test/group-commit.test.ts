import { join } from 'node:path';
import { type Canvas, WorkflowId } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { advance, commit, executionRecord } from '../../testing/src/contracts/execution-records.ts';
import type { DurableStore } from '../src/index.ts';
import { openOver } from '../src/sqlite/open-sqlite-store.ts';
import { withDirectory } from './temporary-directory.ts';
import { type WatchedConnection, watchedConnection } from './watched-connection.ts';

const withWatched = (test: (store: DurableStore, connection: WatchedConnection) => Promise<void>) =>
  withDirectory(async (directory) => {
    const connection = watchedConnection();
    const store = await openOver(connection.connect, { path: join(directory, 'hilo.db') });
    connection.watch();
    try {
      await test(store, connection);
    } finally {
      await store.close();
    }
  });

const canvas: Canvas = {
  schemaVersion: 1,
  id: WorkflowId.parse('w'),
  name: 'W',
  kind: 'skill',
  settings: {},
  variables: {},
  nodes: [],
  edges: [],
};

const commitsIn = ({ statements }: WatchedConnection): number => statements.filter((sql) => sql === 'commit').length;

const starts = ({ executions }: DurableStore, count: number) =>
  Array.from({ length: count }, (_, index) =>
    commit(executions, { saves: [executionRecord({ id: `e${index}` })], history: [advance(`e${index}`, 1)] }),
  );

describe('commits that arrive together', () => {
  it(
    'share one transaction',
    withWatched(async (store, connection) => {
      const answers = await Promise.all(starts(store, 64));
      expect(answers.every(({ kind }) => kind === 'committed')).toBe(true);
      expect(commitsIn(connection)).toBe(1);
      expect((await store.executions.list('c1', { limit: 100 })).results).toHaveLength(64);
    }),
  );

  it(
    'are divided among several when they are many',
    withWatched(async (store, connection) => {
      await Promise.all(starts(store, 1_000));
      expect(commitsIn(connection)).toBe(4);
    }),
  );

  it(
    'are not harmed by a conflict, a repetition or a mistake among them',
    withWatched(async (store, connection) => {
      const { executions } = store;
      const seen = { keys: ['k1'], untilMs: 9_000, answer: 'first' };
      const answers = await Promise.allSettled([
        ...starts(store, 30),
        commit(executions, { seen }),
        commit(executions, { saves: [executionRecord({ id: 'new' }), executionRecord({ id: 'unknown', revision: 7 })] }),
        commit(executions, { saves: [executionRecord({ id: 'again' })], seen }),
        commit(executions, { saves: [executionRecord({ id: 'mistaken' })], history: [advance('nobody', 1)] }),
        ...starts(store, 1),
      ]);
      const kinds = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.kind : 'rejected'));
      expect(kinds.slice(30)).toEqual(['committed', 'conflict', 'duplicate', 'rejected', 'conflict']);
      expect(kinds.slice(0, 30).every((kind) => kind === 'committed')).toBe(true);
      expect(commitsIn(connection)).toBe(1);
      const kept = (await executions.list('c1', { limit: 100 })).results.map(({ executionId }) => executionId);
      expect(kept.toSorted()).toEqual(Array.from({ length: 30 }, (_, index) => `e${index}`).toSorted());
    }),
  );

  it(
    'all fail when their transaction does, and leave nothing behind',
    withWatched(async (store, connection) => {
      connection.watch((_number, sql) => (sql === 'commit' ? 'before' : undefined));
      const answers = await Promise.allSettled(starts(store, 20));
      expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
      expect(connection.isInTransaction()).toBe(false);
      expect((await store.executions.list('c1', { limit: 100 })).results).toEqual([]);
      connection.watch();
      expect((await Promise.all(starts(store, 20))).every(({ kind }) => kind === 'committed')).toBe(true);
    }),
  );

  it(
    'are answered only after their transaction',
    withWatched(async (store, connection) => {
      const committedAt: number[] = [];
      await Promise.all(starts(store, 10).map((start) => start.then(() => committedAt.push(commitsIn(connection)))));
      expect(committedAt).toEqual(Array.from({ length: 10 }, () => 1));
    }),
  );
});

describe('the latest version', () => {
  it(
    'is remembered until it is published anew, also where nobody knows what became of that (P2)',
    withWatched(async ({ canvases }, connection) => {
      const publish = (version: number) => canvases.publish('1', { ...canvas, name: `Version ${version}` }, `hash ${version}`, version);
      const latest = async () => (await canvases.latest('1', canvas.id))?.version;
      expect(await latest()).toBeUndefined();
      await publish(1);
      expect([await latest(), await latest()]).toEqual([1, 1]);
      const asked = connection.statements.length;
      expect(await latest()).toBe(1);
      expect(connection.statements).toHaveLength(asked);
      connection.watch((_number, sql) => (sql === 'commit' ? 'after' : undefined));
      await expect(publish(2)).rejects.toBeInstanceOf(Error);
      connection.watch();
      expect(await latest()).toBe(2);
    }),
  );
});
