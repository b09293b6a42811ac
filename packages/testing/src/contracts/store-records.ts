// The part of the contract of stores that is about records.
import { type ExecutionStore, type Json, limits } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import {
  accepted,
  advance,
  commitAll,
  contactChange,
  executionRecord,
  type Open,
  queuedItems,
  saveAll,
  withStore,
} from './execution-records.ts';

/** Stored records are returned unchanged, to their company alone. */
export function describeRecords(open: Open<ExecutionStore>): void {
  describeLoad(open);

  describeHistories(open);

  describeStanding(open);

  describeLists(open);
}

/** One execution. */
function describeLoad(open: Open<ExecutionStore>): void {
  describe('load', () => {
    it(
      'returns a record unchanged',
      withStore(open, async (store) => {
        const records = [
          executionRecord({
            id: 'a',
            wait: { dueAtMs: 5_000, onDue: 'expire', childId: 'b', kind: 'child' },
            variables: { $user: { id: 'u1' } },
          }),
          executionRecord({
            id: 'b',
            version: 'draft',
            parent: { executionId: 'a', waitId: 'a#wait' },
            pending: { hold: { untilMs: 9_000, onMessage: 'queue' } },
          }),
        ];
        await saveAll(store, ...records);
        for (const record of records) expect(await store.load('c1', record.executionId)).toEqual(record);
      }),
    );

    it(
      'keeps two companies apart that have an execution of the same id',
      withStore(open, async (store) => {
        const theirs = executionRecord({ companyId: 'c2', workflowId: 'w2' });
        await saveAll(store, executionRecord(), theirs, executionRecord({ revision: 2 }));
        expect(await store.load('c2', 'e1')).toEqual(theirs);
        expect(await store.load('c3', 'e1')).toBeUndefined();
      }),
    );

    it(
      'returns records that no later commit changes',
      withStore(open, async (store) => {
        const [first, second] = [
          executionRecord({ variables: { $user: { id: 'u1' } } }),
          executionRecord({ revision: 2, status: 'completed' }),
        ];
        const seqs = await commitAll(store, {
          saves: [first],
          history: [advance('e1', 1)],
          contacts: [contactChange({ userId: 'u1' })],
          enqueue: [accepted('e1')],
        });
        const before = await everything(store);
        const text = JSON.stringify(before);
        await commitAll(store, {
          saves: [second],
          history: [advance('e1', 2)],
          dequeue: queuedItems(seqs),
          contacts: [contactChange({ userId: 'u1', names: 'Ana', memory: { city: { value: 'Lima', expiresAtMs: null } } })],
        });
        expect(JSON.stringify(before)).toBe(text);
      }),
    );

    describeTextsOfRecords(open);
  });
}

/** What has happened to an execution. */
function describeHistories(open: Open<ExecutionStore>): void {
  describe('history', () => {
    it(
      'returns the advances of an execution in order',
      withStore(open, async (store) => {
        await commitAll(store, { saves: [executionRecord()], history: [advance('e1', 1, 'first'), advance('e1', 1, 'second')] });
        await commitAll(store, {
          saves: [executionRecord({ revision: 2 }), executionRecord({ id: 'e2' })],
          history: [advance('e1', 2), advance('e2', 1)],
        });
        expect(await store.history('c1', 'e1')).toEqual([advance('e1', 1, 'first'), advance('e1', 1, 'second'), advance('e1', 2)]);
        expect(await store.history('c1', 'unknown')).toEqual([]);
      }),
    );

    it(
      'keeps two companies apart that have an execution of the same id',
      withStore(open, async (store) => {
        await commitAll(store, { saves: [executionRecord()], history: [advance('e1', 1, 'ours')] });
        const theirs = advance('e1', 1, 'theirs', 'c2');
        await commitAll(store, { saves: [executionRecord({ companyId: 'c2' })], history: [theirs] });
        expect(await store.history('c1', 'e1')).toEqual([advance('e1', 1, 'ours')]);
        expect(await store.history('c2', 'e1')).toEqual([theirs]);
        expect(await store.history('c3', 'e1')).toEqual([]);
      }),
    );
  });
}

/** Where the open executions of a workflow are. */
function describeStanding(open: Open<ExecutionStore>): void {
  describe('standing', () => {
    it(
      'tells where the open executions of a workflow stand, page by page in their order, and of which version they are now',
      withStore(open, async (store) => {
        const records = ['a', 'b', 'c', 'd', 'e'].map((id) => executionRecord({ id, createdAtMs: 1, wait: {} }));
        await saveAll(store, ...records, executionRecord({ id: 'f', workflowId: 'w2' }), executionRecord({ id: 'g', companyId: 'c2' }));
        await saveAll(
          store,
          executionRecord({ id: 'a', createdAtMs: 1, revision: 2, version: 2, wait: {} }),
          executionRecord({ id: 'c', createdAtMs: 1, revision: 2, status: 'completed' }),
          executionRecord({ id: 'd', createdAtMs: 1, revision: 2, status: 'quarantined', version: 'draft' }),
          executionRecord({ id: 'e', createdAtMs: 1, revision: 2 }),
        );
        const first = await store.standing?.('c1', 'w1', 2);
        const rest = await store.standing?.('c1', 'w1', 2, first?.nextCursor ?? undefined);
        const known = store.standing === undefined ? [] : [...(first?.results ?? []), ...(rest?.results ?? [])];
        const stands = known.map(({ executionId, version, status, waitNodeId }) => [executionId, version, status, waitNodeId]);
        expect(stands).toEqual(
          store.standing === undefined
            ? []
            : [
                ['a', 2, 'waiting', 'a'],
                ['b', 1, 'waiting', 'b'],
                ['d', 'draft', 'quarantined', null],
                ['e', 1, 'running', null],
              ],
        );
        expect(rest?.nextCursor ?? null).toBeNull();
        const moved = await Promise.all(known.map(async ({ executionId }) => store.load('c1', executionId)));
        expect(known.map(({ lane, sinceMs }) => [lane, sinceMs])).toEqual(moved.map((record) => [record?.lane, record?.updatedAtMs]));
      }),
    );
  });
}

/** Pages of executions. */
function describeLists(open: Open<ExecutionStore>): void {
  describe('list', () => {
    const listIds = async (store: ExecutionStore, filter: Partial<Parameters<ExecutionStore['list']>[1]> = {}, companyId = 'c1') =>
      (await store.list(companyId, { limit: 100, ...filter })).results.map(({ executionId }) => executionId);

    it(
      'returns the newest first, whatever happened to them since',
      withStore(open, async (store) => {
        await saveAll(
          store,
          executionRecord({ id: 'b', createdAtMs: 1 }),
          executionRecord({ id: 'a', createdAtMs: 1 }),
          executionRecord({ id: 'c', createdAtMs: 2 }),
        );
        await saveAll(store, executionRecord({ id: 'b', createdAtMs: 1, revision: 2, status: 'completed' }));
        expect(await listIds(store)).toEqual(['c', 'a', 'b']);
      }),
    );

    it(
      'returns what matches the filter, of this company alone',
      withStore(open, async (store) => {
        await saveAll(
          store,
          executionRecord({ id: 'a' }),
          executionRecord({ id: 'b', workflowId: 'w2', status: 'completed' }),
          executionRecord({ id: 'c', userId: 'u2', wait: {} }),
          executionRecord({ id: 'd', companyId: 'c2' }),
        );
        expect(await listIds(store, { workflowId: 'w2' })).toEqual(['b']);
        expect(await listIds(store, { status: 'waiting' })).toEqual(['c']);
        expect(await listIds(store, { userId: 'u1' })).toEqual(['b', 'a']);
        expect(await listIds(store, { workflowId: 'w1', userId: 'u2', status: 'running' })).toEqual([]);
        expect(await listIds(store, {}, 'c2')).toEqual(['d']);
      }),
    );

    it(
      'returns each execution on one page, even when new ones are added',
      withStore(open, async (store) => {
        const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
        await saveAll(store, ...ids.map((id) => executionRecord({ id })));
        for (const limit of [1, 2, 3, 7, 8]) {
          const found: string[] = [];
          let cursor: string | undefined;
          do {
            const page = await store.list('c1', { limit, ...(cursor !== undefined && { cursor }) });
            expect(page.results.length).toBeLessThanOrEqual(limit);
            found.push(...page.results.map(({ executionId }) => executionId));
            cursor = page.nextCursor ?? undefined;
            await saveAll(store, executionRecord({ id: `new ${limit} ${found.length}`, companyId: 'c2' }));
          } while (cursor !== undefined);
          expect(found).toEqual(ids.toReversed());
        }
        const { nextCursor } = await store.list('c1', { limit: 3 });
        await saveAll(store, executionRecord({ id: 'h' }));
        expect(await listIds(store, { ...(nextCursor !== null && { cursor: nextCursor }) })).toEqual(['d', 'c', 'b', 'a']);
      }),
    );
  });
}

/** No text and no shape of JSON is lost. */
function describeTextsOfRecords(open: Open<ExecutionStore>): void {
  it(
    'keeps every text and every shape of JSON',
    withStore(open, async (store) => {
      const values: Json = [
        'a\0b',
        '\ud800 and \udc00 alone',
        '😀é\u2028\u0000',
        deep(limits.depth - 2),
        [Number.MAX_SAFE_INTEGER, 5e-324, 1.7976931348623157e308, 0.1],
        { '': '', 'a.b': 1, '\0': null, hasOwnProperty: 'own', length: 3, '0': 'zero' },
      ];
      const record = executionRecord({ variables: { $message: { values } }, userId: 'user\u00e9' });
      const change = contactChange({
        userId: 'user\u00e9',
        names: 'A\0na \ud800',
        memory: { values: { value: values, expiresAtMs: null } },
      });
      await commitAll(store, {
        saves: [record],
        history: [advance('e1', 1, 'a\0b\ud800')],
        contacts: [change],
        enqueue: [accepted('a\0b')],
      });
      expect(await store.load('c1', 'e1')).toEqual(record);
      expect(await store.history('c1', 'e1')).toEqual([advance('e1', 1, 'a\0b\ud800')]);
      expect(await store.contact('c1', 'b1', ['user\u00e9'])).toMatchObject({
        names: 'A\0na \ud800',
        memory: { values: { value: values } },
      });
      expect((await store.nextQueued(accepted('').lane))?.accepted).toEqual(accepted('a\0b').accepted);
    }),
  );
}

const everything = (store: ExecutionStore) =>
  Promise.all([
    store.load('c1', 'e1'),
    store.history('c1', 'e1'),
    store.contact('c1', 'b1', ['u1']),
    store.nextQueued(accepted('').lane),
    store.unfinished('', 5),
    store.list('c1', { limit: 5 }),
  ]);

const deep = (levels: number): Json => (levels === 0 ? 'bottom' : levels % 2 === 0 ? [deep(levels - 1)] : { in: deep(levels - 1) });
