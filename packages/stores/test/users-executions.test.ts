// The list of a user's executions, whose index SQLite has in periods.
import type { ExecutionRecord, ExecutionStatus } from '@hilo/engine/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commitAll, executionRecord, storeRuns } from '../../testing/src/contracts/execution-records.ts';
import { call, type DurableStore, openSqliteStore, statementsOver } from '../src/index.ts';
import { periodBits } from '../src/statements/users-executions.ts';

const statement = statementsOver<Record<never, never>>();
const removeExecution = statement<{ readonly id: string }>()((db, { id }) => db.deleteFrom('executions').where('execution_id', '=', id));
const renumber = statement<{ readonly id: string; readonly number: number }>()((db, { id, number }) =>
  db.updateTable('executions').set({ id: number }).where('execution_id', '=', id),
);

const period = 2 ** periodBits;
const companies = ['c1', 'c2'];
const users = ['u1', 'u2', 'a "user" of \0'];
const workflows = ['w1', 'w2'];
const statuses = ['waiting', 'completed'] as const satisfies readonly ExecutionStatus[];

const start = fc.record({
  companyId: fc.constantFrom(...companies),
  userId: fc.constantFrom(...users),
  workflowId: fc.constantFrom(...workflows),
  status: fc.constantFrom(...statuses),
});
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('start' as const), parts: start }) },
  // The next execution stands at a period's edge, or far behind.
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('number' as const), by: fc.constantFrom(period - 1, period, period + 1, 9 * period) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), which: fc.nat() }) },
);
const filter = fc.record(
  {
    companyId: fc.constantFrom(...companies),
    userId: fc.constantFrom(...users, 'nobody'),
    workflowId: fc.constantFrom(...workflows),
    status: fc.constantFrom(...statuses),
    limit: fc.integer({ min: 1, max: 4 }),
  },
  { requiredKeys: ['companyId', 'userId', 'limit'] },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Filter = typeof filter extends fc.Arbitrary<infer Value> ? Value : never;

/** All pages of a list, one behind the other. */
async function listAll({ executions }: DurableStore, { companyId, ...given }: Filter): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await executions.list(companyId, { ...given, ...(cursor !== undefined && { cursor }) });
    expect(page.results.length).toBeLessThanOrEqual(given.limit);
    ids.push(...page.results.map(({ executionId }) => executionId));
    cursor = page.nextCursor;
  }
  return ids;
}

const isWanted =
  ({ companyId, userId, workflowId, status }: Filter) =>
  (record: ExecutionRecord): boolean =>
    record.companyId === companyId &&
    record.state.origin.userId === userId &&
    (workflowId === undefined || record.workflowId === workflowId) &&
    (status === undefined || record.state.status === status);

/** Plays steps on a store. @returns what it has then, the newest first */
async function play(store: DurableStore, steps: readonly Step[]): Promise<readonly ExecutionRecord[]> {
  let kept: readonly ExecutionRecord[] = [];
  let number = 0;
  for (const [index, one] of steps.entries()) {
    const newest = kept[0];
    if (one.do === 'start') {
      const record = executionRecord({ id: `e${index}`, ...one.parts });
      await commitAll(store.executions, { saves: [record] });
      kept = [record, ...kept];
      number += 1;
    } else if (one.do === 'remove' && kept.length > 0) {
      const removed = kept[one.which % kept.length];
      await store.runner.write([call(removeExecution, { id: removed?.executionId ?? '' })]);
      kept = kept.filter((record) => record !== removed);
    } else if (one.do === 'number' && newest !== undefined) {
      number += one.by;
      await store.runner.write([call(renumber, { id: newest.executionId, number })]);
    }
  }
  return kept;
}

it('has each of them once, the newest first, page by page, wherever they stand among those of others', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.array(filter, { minLength: 1, maxLength: 4 }), async (steps, filters) => {
      const store = await openSqliteStore({ path: ':memory:' });
      const kept = await play(store, steps);
      for (const given of filters)
        expect(await listAll(store, given)).toEqual(kept.filter(isWanted(given)).map(({ executionId }) => executionId));
      await store.close();
    }),
    storeRuns(),
  ));
