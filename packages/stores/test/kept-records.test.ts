// Executions that wait are kept as committed: what is read of them is what the database has, whatever else is written or fails.
import type { Commit, ExecutionRecord } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commitAll, executionRecord } from '../../testing/src/contracts/execution-records.ts';
import { rowsOfCommit } from '../src/commit.ts';
import { createExecutionStore } from '../src/execution-store.ts';
import { call, type DurableStore, openSqliteStore, statementsOver, storeUnavailable } from '../src/index.ts';
import { keepRecords } from '../src/sqlite/kept-records.ts';
import { openWith } from '../src/sqlite/open-sqlite-store.ts';
import { createInlineWriter, type Writer } from '../src/sqlite/writer.ts';
import { commitOf } from './commit-of.ts';
import { withDirectory } from './temporary-directory.ts';

const statement = statementsOver<Record<never, never>>();
const removeExecution = statement<{ readonly id: string }>()((db, { id }) => db.deleteFrom('executions').where('execution_id', '=', id));
const advanceExecution = statement<{ readonly id: string }>()((db, { id }) =>
  db
    .updateTable('executions')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1), status: 'running' }))
    .where('execution_id', '=', id),
);
const touchTurns = statement()((db) => db.deleteFrom('turns').where('name', '=', 'none'));

const ids = ['e1', 'e2', 'e3'];
const id = fc.constantFrom(...ids);
const isWaiting = fc.boolean();
const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('commit' as const),
      of: fc.uniqueArray(id, { minLength: 1, maxLength: 2 }),
      isWaiting,
      // One behind is another writer's conflict.
      behind: fc.constantFrom(0, 0, 0, 1),
      key: fc.constantFrom(undefined, undefined, 'k1', 'k2'),
      beside: fc.constantFrom(undefined, undefined, 'turns' as const, 'remove' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), of: id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('advance' as const), of: id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('prune' as const) }) },
);
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

/** What becomes of a group: it may be durable and unreported, or never have been written (P2). */
type Fate = 'answered' | 'unreported' | 'lost';
const fate = fc.constantFrom<Fate[]>('answered', 'answered', 'answered', 'unreported', 'lost');

/** A writer whose groups have fates, and go on when `pass` lets them. */
const fatedWriter = (writer: Writer, nextFate: () => Fate, pass: (what: string) => Promise<void> = async () => undefined): Writer => ({
  ...writer,
  maxInFlight: 2,
  async write(group) {
    const become = nextFate();
    await pass(`a group that is to be ${become} is written`);
    const outcomes = become === 'lost' ? [] : await writer.write(group);
    await pass(`a group that is to be ${become} comes back`);
    if (become !== 'answered') throw storeUnavailable('nobody knows what became of it');
    return outcomes;
  },
});

async function perform(store: DurableStore, one: Act): Promise<unknown> {
  switch (one.do) {
    case 'commit': {
      const saves: ExecutionRecord[] = [];
      for (const executionId of one.of) {
        const revision = ((await store.executions.load('c1', executionId))?.revision ?? 0) + 1 - one.behind;
        const state = one.isWaiting ? { wait: { dueAtMs: revision } } : { status: 'completed' as const };
        if (revision > 0) saves.push(executionRecord({ id: executionId, revision, variables: { $user: { revision } }, ...state }));
      }
      const seen = one.key === undefined ? {} : { seen: { keys: [one.key], untilMs: 9_000, answer: null } };
      const beside = { turns: [call(touchTurns, {})], remove: [call(removeExecution, { id: 'e1' })] };
      return store.commitWith(commitOf({ saves, ...seen }), one.beside === undefined ? [] : beside[one.beside]);
    }
    case 'remove':
      return store.runner.write([call(removeExecution, { id: one.of })]);
    case 'advance':
      return store.runner.writeOne(call(advanceExecution, { id: one.of }));
    case 'prune':
      return store.prune({ nowMs: 1e12, completedForMs: 0, failedForMs: 0 });
  }
}

describe('a record that is kept', () => {
  it('is what the database has at every moment, through any writers, conflicts and unknown outcomes', () =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { maxLength: 12 }),
        fc.array(fate, { minLength: 1 }),
        async (scheduler, rounds, fates) => {
          let groups = 0;
          const nextFate = () => fates[groups++ % fates.length] ?? 'answered';
          const store = await openWith(
            async (_path, connection) =>
              fatedWriter(createInlineWriter(connection), nextFate, (what) => scheduler.schedule(Promise.resolve(), what)),
            {
              path: ':memory:',
            },
          );
          const forgetful = createExecutionStore(store.runner);
          const compare = async (): Promise<void> => {
            for (const executionId of ids) {
              // Both read now, and are awaited afterwards.
              const [kept, stored] = [store.executions.load('c1', executionId), forgetful.load('c1', executionId)];
              expect(await kept).toEqual(await stored);
            }
          };
          for (const round of rounds) {
            const acts = round.map(async (one) => {
              await perform(store, one).catch(() => undefined);
              await compare();
            });
            await scheduler.waitFor(Promise.all(acts));
            await compare();
          }
        },
      ),
    ));

  it('is not read from the database again, and is read again after anything but a commit', async () => {
    const store = await openSqliteStore({ path: ':memory:' });
    const waiting = executionRecord({ id: 'e1', wait: {} });
    await commitAll(store.executions, { saves: [waiting] });
    expect(store.executions.load('c1', 'e1')).toBe(waiting);
    expect(store.executions.load('c2', 'e1')).toBeInstanceOf(Promise);
    await store.runner.write([call(touchTurns, {})]);
    expect(store.executions.load('c1', 'e1')).toBe(waiting);
    await store.runner.write([call(advanceExecution, { id: 'e1' })]);
    expect(await store.executions.load('c1', 'e1')).toMatchObject({ revision: 2 });
    await store.close();
    await expect(async () => store.executions.load('c1', 'e1')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  it.each([
    ['whose outcome nobody knows, and which was written', 'unreported', 2, 2],
    ['whose outcome nobody knows, and which was not written', 'lost', 2, 1],
    ['that another writer was faster than', 'answered', 3, 1],
  ] as const)('is read again after a commit %s (record kept, commit refused)', async (_name, fateOfSecond, revision, found) => {
    const fates: Fate[] = ['answered', fateOfSecond];
    const store = await openWith(
      async (_path, connection) => fatedWriter(createInlineWriter(connection), () => fates.shift() ?? 'answered'),
      {
        path: ':memory:',
      },
    );
    await commitAll(store.executions, { saves: [executionRecord({ id: 'e1', wait: {} })] });
    const saves = [executionRecord({ id: 'e1', revision, wait: {} })];
    await Promise.allSettled([store.executions.commit(commitOf({ saves }))]);
    expect(store.executions.load('c1', 'e1')).toBeInstanceOf(Promise);
    expect(await store.executions.load('c1', 'e1')).toMatchObject({ revision: found });
    await store.close();
  });

  it('cannot be changed by those who read it', async () => {
    const store = await openSqliteStore({ path: ':memory:' });
    await commitAll(store.executions, { saves: [executionRecord({ id: 'e1', wait: {}, variables: { $user: { tags: ['a'] } } })] });
    const read = await store.executions.load('c1', 'e1');
    const listObjects = (value: unknown): readonly object[] =>
      typeof value === 'object' && value !== null ? [value, ...Object.entries(value).flatMap(([, item]) => listObjects(item))] : [];
    expect(listObjects(read)).toContainEqual(['a']);
    expect(listObjects(read).filter((part) => !Object.isFrozen(part))).toEqual([]);
    await store.close();
  });

  it(
    'is the only process’s: another is refused, and reads what was committed once it is gone',
    withDirectory(async (directory) => {
      const path = `${directory}/hilo.db`;
      const first = await openSqliteStore({ path });
      await commitAll(first.executions, { saves: [executionRecord({ id: 'e1', wait: {} })] });
      await expect(openSqliteStore({ path })).rejects.toMatchObject({ code: 'STORE_LOCKED' });
      await first.close();
      const second = await openSqliteStore({ path });
      await commitAll(second.executions, { saves: [executionRecord({ id: 'e1', revision: 2, wait: {} })] });
      await second.close();
      const third = await openSqliteStore({ path });
      expect(await third.executions.load('c1', 'e1')).toMatchObject({ revision: 2 });
      await third.close();
    }),
  );
});

describe('what is kept', () => {
  const records = (count: number): readonly ExecutionRecord[] =>
    Array.from({ length: count }, (_, index) => executionRecord({ id: `e${index}`, wait: {} }));
  const chars = (commit: Commit): number => (rowsOfCommit(commit).saves[0]?.state ?? '').length;
  const fill = async (limits: { readonly maxRecords: number; readonly maxChars: number }, saves: readonly ExecutionRecord[]) => {
    const kept = keepRecords(() => '', limits);
    for (const record of saves) {
      const commit = commitOf({ saves: [record] });
      await kept.committing(commit, rowsOfCommit(commit), [], async () => ({ kind: 'committed', seqs: [] }));
    }
    return saves.flatMap(({ companyId, executionId }) => (kept.find(companyId, executionId) === undefined ? [] : [executionId]));
  };

  it.each([
    [2, ['e0', 'e1']],
    [3, ['e0', 'e1', 'e2']],
    [4, ['e1', 'e2', 'e3']],
  ])('is bounded in number: of %i records the last three', async (count, expected) => {
    expect(await fill({ maxRecords: 3, maxChars: 1e9 }, records(count))).toEqual(expected);
  });

  it.each([
    [-1, ['e2']],
    [0, ['e1', 'e2']],
    [1, ['e1', 'e2']],
  ])('is bounded in size: with %i characters more than the last two have', async (more, expected) => {
    const saves = records(3);
    const size = saves.slice(1).reduce((sum, record) => sum + chars(commitOf({ saves: [record] })), 0);
    expect(await fill({ maxRecords: 9, maxChars: size + more }, saves)).toEqual(expected);
  });

  it('makes no room for a record that does not fit at all', async () => {
    const large = executionRecord({ id: 'large', wait: {}, variables: { $user: { text: 'x'.repeat(10_000) } } });
    expect(await fill({ maxRecords: 9, maxChars: 5_000 }, [...records(1), large])).toEqual(['e0']);
  });

  it('is what waits, and nothing else', async () => {
    const others = (['running', 'completed', 'failed', 'quarantined'] as const).map((status) => executionRecord({ id: status, status }));
    expect(await fill({ maxRecords: 9, maxChars: 1e9 }, [...others, ...records(1)])).toEqual(['e0']);
  });
});
