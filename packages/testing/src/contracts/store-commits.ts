// The part of the contract of stores that is about commits.
import { type ExecutionStore, getPath } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import {
  accepted,
  advance,
  commit,
  commitAll,
  contactChange,
  executionRecord,
  type Open,
  queuedInAll,
  saveAll,
  withStore,
  queuedItems,
} from './execution-records.ts';

const everything = { history: [advance('e2', 1)], contacts: [contactChange({ userId: 'u9' })], enqueue: [accepted('e2')] };

const expectNothing = async (store: ExecutionStore) => {
  expect(await store.load('c1', 'e2')).toBeUndefined();
  expect(await store.history('c1', 'e2')).toEqual([]);
  expect(await store.contact('c1', 'b1', ['u9'])).toBeUndefined();
  expect(await queuedInAll(store)).toBe(0);
  expect((await store.list('c1', { limit: 10 })).results.map(({ executionId }) => executionId)).not.toContain('e2');
};

/** One event and all it leads to: written together or not at all (P3, P8, P10). */
export function describeCommits(open: Open<ExecutionStore>): void {
  describe('commit', () => {
    it.each([
      ['the first revision again', 1],
      ['a revision that is there already', 2],
      ['a revision after a gap', 4],
    ])('refuses %s', (_what, revision) =>
      withStore(open, async (store) => {
        await saveAll(store, executionRecord(), executionRecord({ revision: 2 }));
        expect(await commit(store, { saves: [executionRecord({ revision, variables: { $user: { id: 'other' } } })] })).toEqual({
          kind: 'conflict',
        });
        expect(await store.load('c1', 'e1')).toEqual(executionRecord({ revision: 2 }));
      })(),
    );

    it(
      'refuses a later revision of a missing execution',
      withStore(open, async (store) => {
        expect(await commit(store, { saves: [executionRecord({ revision: 2 })] })).toEqual({ kind: 'conflict' });
        expect(await store.load('c1', 'e1')).toBeUndefined();
      }),
    );

    it(
      'saves the next revision over the one before it',
      withStore(open, async (store) => {
        const next = executionRecord({ revision: 2, status: 'completed' });
        await saveAll(store, executionRecord(), next);
        expect(await store.load('c1', 'e1')).toEqual(next);
      }),
    );

    describeConflicts(open);

    describeRepetitions(open);

    describeRaces(open);
  });
}

/** A commit that comes too late writes nothing. */
function describeConflicts(open: Open<ExecutionStore>): void {
  it(
    'writes nothing when one of several executions was moved on by another',
    withStore(open, async (store) => {
      await saveAll(store, executionRecord());
      const saves = [executionRecord({ id: 'e2' }), executionRecord({ revision: 3 })];
      const seen = { keys: ['k1'], untilMs: 5_000, answer: 'first' };
      expect(await commit(store, { saves, ...everything, seen })).toEqual({ kind: 'conflict' });
      await expectNothing(store);
      expect(await commit(store, { seen })).toMatchObject({ kind: 'committed' });
    }),
  );

  it(
    'writes nothing when what it is the consequence of is no longer queued',
    withStore(open, async (store) => {
      const seen = { keys: ['k1'], untilMs: 5_000, answer: 'first' };
      expect(await commit(store, { saves: [executionRecord({ id: 'e2' })], ...everything, dequeue: queuedItems([4_711]), seen })).toEqual({
        kind: 'conflict',
      });
      await expectNothing(store);
      expect(await commit(store, { seen })).toMatchObject({ kind: 'committed' });
    }),
  );

  it(
    'dequeues nothing when another item of the same commit is missing',
    withStore(open, async (store) => {
      const [seq = -1] = await commitAll(store, { enqueue: [accepted('e1')] });
      expect(await commit(store, { dequeue: queuedItems([seq, seq + 1_000]) })).toEqual({ kind: 'conflict' });
      expect(await queuedInAll(store)).toBe(1);
    }),
  );
}

/** A delivery takes effect once, and a name is claimed once. */
function describeRepetitions(open: Open<ExecutionStore>): void {
  it(
    'writes nothing for a repeated delivery, and returns the first answer',
    withStore(open, async (store) => {
      await commitAll(store, { seen: { keys: ['k1', 'k2'], untilMs: 5_000, answer: { executionId: 'e1' } } });
      const again = { keys: ['k3', 'k2'], untilMs: 9_000, answer: { executionId: 'e2' } };
      const repeated = await commit(store, { saves: [executionRecord({ id: 'e2' })], ...everything, seen: again });
      expect(repeated).toEqual({ kind: 'duplicate', answer: { executionId: 'e1' } });
      await expectNothing(store);
      // The other key of the repetition is still new.
      expect(await commit(store, { seen: { keys: ['k3'], untilMs: 9_000, answer: null } })).toMatchObject({ kind: 'committed' });
    }),
  );

  it(
    'accepts a delivery id that is listed twice as one',
    withStore(open, async (store) => {
      const seen = { keys: ['k1', 'k1'], untilMs: 5_000, answer: null };
      expect(await commit(store, { seen })).toMatchObject({ kind: 'committed' });
      expect(await commit(store, { seen })).toEqual({ kind: 'duplicate', answer: null });
    }),
  );

  it(
    'writes nothing where another commit has claimed a name, and says so as a conflict',
    withStore(open, async (store) => {
      const claims = { keys: ['n1', 'n2'], untilMs: 5_000 };
      expect(await commit(store, { claims, seen: { keys: ['k1'], untilMs: 5_000, answer: 'first' } })).toMatchObject({
        kind: 'committed',
      });
      const again = { keys: ['n3', 'n2'], untilMs: 9_000 };
      const saves = [executionRecord({ id: 'e2' })];
      const seen = { keys: ['k2'], untilMs: 9_000, answer: null };
      expect(await commit(store, { saves, ...everything, claims: again, seen })).toEqual({ kind: 'conflict' });
      await expectNothing(store);
      // A repeated delivery is one, whatever it claims.
      const repeated = await commit(store, { claims: again, seen: { keys: ['k1'], untilMs: 9_000, answer: null } });
      expect(repeated).toEqual({ kind: 'duplicate', answer: 'first' });
      expect(await commit(store, { claims: { keys: ['n3'], untilMs: 9_000 }, seen })).toMatchObject({ kind: 'committed' });
    }),
  );
}

/** One of several commits at once wins. */
function describeRaces(open: Open<ExecutionStore>): void {
  it(
    'gives a name to one of several commits that claim it at once',
    withStore(open, async (store) => {
      const claiming = [['n1'], ['n1', 'n2'], ['n2', 'n1']].map((keys, index) =>
        commit(store, { enqueue: [accepted(`${index}`)], claims: { keys, untilMs: 5_000 } }),
      );
      const kinds = (await Promise.all(claiming)).map(({ kind }) => kind).sort();
      expect(kinds).toEqual(['committed', 'conflict', 'conflict']);
      expect(await queuedInAll(store)).toBe(1);
    }),
  );

  it(
    'lets one of several writers win',
    withStore(open, async (store) => {
      await saveAll(store, executionRecord());
      const writers = ['a', 'b', 'c', 'd'].map((id) =>
        commit(store, { saves: [executionRecord({ revision: 2, variables: { $user: { id } } })], enqueue: [accepted(id)] }),
      );
      const won = (await Promise.all(writers)).map(({ kind }) => kind).sort();
      expect(won).toEqual(['committed', 'conflict', 'conflict', 'conflict']);
      const winner = await store.nextQueued(accepted('').lane);
      const saved = await store.load('c1', 'e1');
      expect(winner?.accepted).toMatchObject({ executionId: getPath(saved?.state.variables, ['$user', 'id']) });
    }),
  );

  it(
    'accepts one of several concurrent copies of a delivery',
    withStore(open, async (store) => {
      const copies = ['a', 'b', 'c'].map((id) =>
        commit(store, { enqueue: [accepted(id)], seen: { keys: ['k1'], untilMs: 5_000, answer: id } }),
      );
      const kinds = (await Promise.all(copies)).map(({ kind }) => kind).sort();
      expect(kinds).toEqual(['committed', 'duplicate', 'duplicate']);
      expect(await queuedInAll(store)).toBe(1);
    }),
  );

  it(
    'dequeues for one of several at once',
    withStore(open, async (store) => {
      const [seq = -1] = await commitAll(store, { enqueue: [accepted('e1')] });
      const kinds = (await Promise.all([1, 2, 3].map(() => commit(store, { dequeue: queuedItems([seq]) })))).map(({ kind }) => kind).sort();
      expect(kinds).toEqual(['committed', 'conflict', 'conflict']);
    }),
  );
}
