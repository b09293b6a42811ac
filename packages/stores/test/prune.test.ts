import { describe, expect, it } from 'vitest';
import { advance, commit, executionRecord, type RecordParts } from '../../testing/src/contracts/execution-records.ts';
import { type DurableStore, openSqliteStore } from '../src/index.ts';

const day = 86_400_000;

const withStore = (test: (store: DurableStore) => Promise<void>) => async (): Promise<void> => {
  const store = await openSqliteStore({ path: ':memory:' });
  await test(store);
  await store.close();
};

const keep = ({ executions }: DurableStore, id: string, parts: RecordParts) =>
  commit(executions, { saves: [executionRecord({ id, createdAtMs: 0, ...parts })], history: [advance(id, 1)] });

const idsOf = async ({ executions }: DurableStore): Promise<readonly string[]> =>
  (await executions.list('c1', { limit: 5_000 })).results.map(({ executionId }) => executionId).toSorted();

describe('prune', () => {
  it(
    'removes what ended long enough ago, with its history, each outcome after its own time',
    withStore(async (store) => {
      for (const status of ['completed', 'failed', 'cancelled', 'expired'] as const) {
        await keep(store, `old ${status}`, { status });
        await keep(store, `new ${status}`, { status, createdAtMs: 99 * day });
      }
      const retention = { completedForMs: 30 * day, failedForMs: 90 * day };
      expect(await store.prune({ nowMs: 31 * day, ...retention })).toEqual({ executions: 3, seen: 0 });
      expect(await idsOf(store)).toContain('old failed');
      expect(await store.executions.history('c1', 'old completed')).toEqual([]);
      expect(await store.executions.history('c1', 'old failed')).toHaveLength(1);
      expect(await store.prune({ nowMs: 100 * day, ...retention })).toEqual({ executions: 1, seen: 0 });
      expect(await idsOf(store)).toEqual(['new cancelled', 'new completed', 'new expired', 'new failed']);
    }),
  );

  it(
    'never removes what lives, however old',
    withStore(async (store) => {
      await keep(store, 'runs', { status: 'running' });
      await keep(store, 'waits', { wait: { dueAtMs: 400 * day } });
      await keep(store, 'asks', { pending: {} });
      await keep(store, 'quarantined', { status: 'quarantined' });
      expect(await store.prune({ nowMs: 10_000 * day, completedForMs: 0, failedForMs: 0 })).toEqual({ executions: 0, seen: 0 });
      expect(await idsOf(store)).toHaveLength(4);
    }),
  );

  it(
    'removes nothing of the companies that keep all',
    withStore(async (store) => {
      await keep(store, 'kept', { status: 'completed' });
      const removed = executionRecord({ id: 'removed', companyId: 'c2', createdAtMs: 0, status: 'completed' });
      await commit(store.executions, { saves: [removed] });
      const retention = { nowMs: day, completedForMs: 0, failedForMs: 0, exceptCompanies: ['c1', 'c3'] };
      expect(await store.prune(retention)).toEqual({ executions: 1, seen: 0 });
      expect(await idsOf(store)).toEqual(['kept']);
      expect(await store.executions.load('c2', 'removed')).toBeUndefined();
    }),
  );

  it(
    'forgets delivery ids when their time is over, not before',
    withStore(async (store) => {
      const seen = (key: string, untilMs: number) => commit(store.executions, { seen: { keys: [key], untilMs, answer: key } });
      await seen('short', 5_000);
      await seen('long', 5_001);
      expect(await store.prune({ nowMs: 5_000, completedForMs: 0, failedForMs: 0 })).toEqual({ executions: 0, seen: 1 });
      expect(await seen('long', 1)).toEqual({ kind: 'duplicate', answer: 'long' });
      expect(await seen('short', 1)).toMatchObject({ kind: 'committed' });
    }),
  );

  it.each([499, 500, 501, 1_001])('forgets all of %i delivery ids that are over, and none of those between them', (over) =>
    withStore(async (store) => {
      const keysOf = (name: string, count: number) => Array.from({ length: count }, (_, index) => `c1:${index}:${name}`);
      const [short, long] = [keysOf('short', over), keysOf('long', 40)];
      await commit(store.executions, { seen: { keys: short, untilMs: 5_000, answer: 'short' } });
      await commit(store.executions, { seen: { keys: long, untilMs: 5_001, answer: 'long' } });
      expect(await store.prune({ nowMs: 5_000, completedForMs: 0, failedForMs: 0 })).toEqual({ executions: 0, seen: over });
      expect(await store.executions.seenAnswer(short)).toBeUndefined();
      for (const key of long) expect(await store.executions.seenAnswer([key])).toEqual({ answer: 'long' });
      expect(await store.prune({ nowMs: 5_000, completedForMs: 0, failedForMs: 0 })).toEqual({ executions: 0, seen: 0 });
    })(),
  );

  it(
    'goes through more than one batch',
    withStore(async (store) => {
      await Promise.all(Array.from({ length: 1_203 }, (_, index) => keep(store, `e${index}`, { status: 'completed' })));
      expect(await store.prune({ nowMs: day, completedForMs: 0, failedForMs: 0 })).toMatchObject({ executions: 1_203 });
      expect(await idsOf(store)).toEqual([]);
    }),
  );
});
