import type { ExecutionStore, HeldSignal } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { executionRecord, type Open, saveAll, withStore } from './execution-records.ts';

const dated = (id: string, dueAtMs: number | null, more = {}) =>
  executionRecord({ id, wait: { kind: 'timer', takesReply: false, dueAtMs }, ...more });

/** How open waits are found. */
export function describeWaits(open: Open<ExecutionStore>): void {
  describeDueWaits(open);

  describeLatestQuestion(open);

  describeOpenQuestions(open);

  describeAwaitedSignals(open);
}

/** How waits are found whose time has come. */
function describeDueWaits(open: Open<ExecutionStore>): void {
  describe('due', () => {
    it(
      'returns due waits, earliest first, up to the limit',
      withStore(open, async (store) => {
        await saveAll(
          store,
          dated('late', 3_000),
          dated('early', 1_000),
          dated('never', null),
          dated('next', 2_000),
          dated('future', 3_001),
        );
        const ids = async (atMs: number, limit: number) => (await store.due(atMs, limit)).map(({ executionId }) => executionId);
        expect(await ids(999, 10)).toEqual([]);
        expect(await ids(1_000, 10)).toEqual(['early']);
        expect(await ids(3_000, 10)).toEqual(['early', 'next', 'late']);
        expect(await ids(3_000, 2)).toEqual(['early', 'next']);
        const from = async (fromMs: number, limit: number) => (await store.due(3_000, limit, fromMs)).map(({ executionId }) => executionId);
        expect([await from(1_000, 1), await from(1_001, 1), await from(3_000, 10), await from(3_001, 10)]).toEqual([
          ['early'],
          ['next'],
          ['late'],
          [],
        ]);
        expect([await store.nextDueMs(2_000), await store.nextDueMs(2_001), await store.nextDueMs(3_002)]).toEqual([
          2_000,
          3_000,
          undefined,
        ]);
        expect(await store.due(1_000, 1)).toEqual([
          { companyId: 'c1', executionId: 'early', lane: 'c1/user/b1/u1', waitId: 'early#wait', dueAtMs: 1_000 },
        ]);
      }),
    );

    it(
      'leaves out an ended wait, and one in quarantine',
      withStore(open, async (store) => {
        await saveAll(store, dated('a', 1_000), dated('b', 1_000), dated('c', 1_000));
        await saveAll(
          store,
          executionRecord({ id: 'a', revision: 2 }),
          dated('b', 5_000, { revision: 2 }),
          dated('c', 1_000, { revision: 2, status: 'quarantined' }),
        );
        expect(await store.due(2_000, 10)).toEqual([]);
        expect(await store.nextDueMs()).toBe(5_000);
      }),
    );

    describeDueOfCompanies(open);
  });

  describe('nextDueMs', () => {
    it(
      'returns the earliest due time, or nothing',
      withStore(open, async (store) => {
        expect(await store.nextDueMs()).toBeUndefined();
        await saveAll(store, executionRecord({ id: 'a', wait: { dueAtMs: null } }));
        expect(await store.nextDueMs()).toBeUndefined();
        await saveAll(
          store,
          executionRecord({ id: 'b', wait: { dueAtMs: 7_000 } }),
          executionRecord({ id: 'c', companyId: 'c2', wait: { dueAtMs: 4_102_444_800_000 } }),
        );
        expect(await store.nextDueMs()).toBe(7_000);
        await saveAll(store, executionRecord({ id: 'b', revision: 2, status: 'completed' }));
        expect(await store.nextDueMs()).toBe(4_102_444_800_000);
      }),
    );
  });
}

/** How the question is found that a message of a user answers. */
function describeLatestQuestion(open: Open<ExecutionStore>): void {
  describe('awaitingReply', () => {
    const findId = async (store: ExecutionStore, companyId = 'c1', botId = 'b1', userId = 'u1') =>
      (await store.awaitingReply(companyId, botId, userId))?.executionId;

    it(
      'returns, of several executions of the user, the one whose wait was opened last',
      withStore(open, async (store) => {
        await saveAll(
          store,
          executionRecord({ id: 'a', wait: { openedAtMs: 1_000 } }),
          executionRecord({ id: 'b', wait: { openedAtMs: 3_000 } }),
          executionRecord({ id: 'c', wait: { openedAtMs: 2_000 } }),
        );
        expect(await store.awaitingReply('c1', 'b1', 'u1')).toEqual(executionRecord({ id: 'b', wait: { openedAtMs: 3_000 } }));
        await saveAll(store, executionRecord({ id: 'b', revision: 2, status: 'completed' }));
        expect(await findId(store)).toBe('c');
      }),
    );

    it(
      'returns, of waits opened in the same millisecond, the one that was committed last',
      withStore(open, async (store) => {
        await saveAll(
          store,
          executionRecord({ id: 'b', wait: {} }),
          executionRecord({ id: 'a', wait: {} }),
          executionRecord({ id: 'b', revision: 2, wait: {} }),
        );
        expect(await findId(store)).toBe('b');
      }),
    );

    it(
      'passes over waits that take no reply, and those in quarantine',
      withStore(open, async (store) => {
        await saveAll(
          store,
          executionRecord({ id: 'a', wait: { openedAtMs: 1_000 } }),
          executionRecord({ id: 'b', wait: { openedAtMs: 2_000, kind: 'timer', takesReply: false } }),
          executionRecord({ id: 'c', wait: { openedAtMs: 3_000 }, status: 'quarantined' }),
          executionRecord({ id: 'd', wait: { openedAtMs: 1_500, kind: 'timer', takesReply: true } }),
        );
        expect(await findId(store)).toBe('d');
      }),
    );

    it(
      'keeps companies, bots and users apart',
      withStore(open, async (store) => {
        await saveAll(store, executionRecord({ id: 'a', wait: {} }));
        expect(await findId(store, 'c2')).toBeUndefined();
        expect(await findId(store, 'c1', 'b2')).toBeUndefined();
        expect(await findId(store, 'c1', 'b1', 'u2')).toBeUndefined();
        await saveAll(store, executionRecord({ id: 'a', companyId: 'c2', wait: { openedAtMs: 9_000 } }));
        expect((await store.awaitingReply('c1', 'b1', 'u1'))?.companyId).toBe('c1');
      }),
    );
  });
}

/** How all open questions of a user are found. */
function describeOpenQuestions(open: Open<ExecutionStore>): void {
  describe('awaitingReplies', () => {
    const ids = async (store: ExecutionStore, companyId = 'c1', botId = 'b1', userId = 'u1') =>
      (await store.awaitingReplies(companyId, botId, userId)).map(({ executionId }) => executionId);

    it(
      'returns all open questions of the user, the one that was opened last first',
      withStore(open, async (store) => {
        expect(await ids(store)).toEqual([]);
        await saveAll(
          store,
          executionRecord({ id: 'a', wait: { openedAtMs: 1_000 } }),
          executionRecord({ id: 'b', wait: { openedAtMs: 3_000 } }),
          executionRecord({ id: 'c', wait: { openedAtMs: 2_000, kind: 'timer', takesReply: false } }),
          executionRecord({ id: 'd', wait: { openedAtMs: 4_000 }, status: 'quarantined' }),
          executionRecord({ id: 'e', wait: { openedAtMs: 2_000, kind: 'timer', takesReply: true } }),
          executionRecord({ id: 'f', companyId: 'c2', wait: { openedAtMs: 9_000 } }),
        );
        expect(await ids(store)).toEqual(['b', 'e', 'a']);
        expect((await store.awaitingReplies('c1', 'b1', 'u1'))[0]).toEqual(await store.awaitingReply('c1', 'b1', 'u1'));
        expect([await ids(store, 'c2'), await ids(store, 'c1', 'b2'), await ids(store, 'c1', 'b1', 'u2')]).toEqual([['f'], [], []]);
        await saveAll(store, executionRecord({ id: 'b', revision: 2, status: 'completed' }));
        expect(await ids(store)).toEqual(['e', 'a']);
      }),
    );

    it(
      'returns 50 at most',
      withStore(open, async (store) => {
        await saveAll(
          store,
          ...Array.from({ length: 51 }, (_, index) => executionRecord({ id: `e${index}`, wait: { openedAtMs: index } })),
        );
        expect(await ids(store)).toEqual(Array.from({ length: 50 }, (_, index) => `e${50 - index}`));
      }),
    );
  });
}

/** How waits for a signal are found. */
function describeAwaitedSignals(open: Open<ExecutionStore>): void {
  describe('awaitingSignal', () => {
    const listening = (id: string, name: string, value: string, more = {}) =>
      executionRecord({ id, wait: { kind: 'event', takesReply: false, correlation: { name, value } }, ...more });
    const ids = async (store: ExecutionStore, name: string, value: string, companyId = 'c1') =>
      (await store.awaitingSignal(companyId, name, value)).map(({ executionId }) => executionId).toSorted();

    it(
      'returns all waits for this name and value, and no other',
      withStore(open, async (store) => {
        await saveAll(
          store,
          listening('a', 'paid', '7'),
          listening('b', 'paid', '7'),
          listening('c', 'paid', '8'),
          listening('d', 'sent', '7'),
          listening('e', 'paid', ''),
        );
        expect(await ids(store, 'paid', '7')).toEqual(['a', 'b']);
        expect(await ids(store, 'paid', '')).toEqual(['e']);
        expect(await ids(store, 'Paid', '7')).toEqual([]);
        expect(await ids(store, 'paid', '7', 'c2')).toEqual([]);
      }),
    );

    it(
      'leaves out an ended wait, and one in quarantine',
      withStore(open, async (store) => {
        await saveAll(store, listening('a', 'paid', '7'), listening('b', 'paid', '7'));
        await saveAll(
          store,
          executionRecord({ id: 'a', revision: 2 }),
          listening('b', 'paid', '7', { revision: 2, status: 'quarantined' }),
        );
        expect(await ids(store, 'paid', '7')).toEqual([]);
      }),
    );
  });
}

/** Companies do not see each other’s waits. */
function describeDueOfCompanies(open: Open<ExecutionStore>): void {
  it(
    'returns the waits of one company alone, and which companies have a timer, however many another has',
    withStore(open, async (store) => {
      const many = Array.from({ length: 20 }, (_, index) => dated(`m${index}`, 1_000 + index, { companyId: 'many' }));
      await saveAll(store, ...many, dated('few', 5_000, { companyId: 'few' }), dated('ä', 9_000, { companyId: 'ä"\ud800' }));
      await saveAll(store, dated('never', null, { companyId: 'none' }), executionRecord({ id: 'idle', companyId: 'idle' }));
      const ids = async (...asked: Parameters<ExecutionStore['due']>) => (await store.due(...asked)).map(({ executionId }) => executionId);
      expect(await ids(9_000, 3, 0, 'few')).toEqual(['few']);
      expect(await ids(9_000, 3, 1_018, 'many')).toEqual(['m18', 'm19']);
      expect(await ids(4_999, 3, 0, 'few')).toEqual([]);
      expect(await ids(9_000, 3, 0, 'ä"\ud800')).toEqual(['ä']);
      expect(await ids(9_000, 3, 0, 'nobody')).toEqual([]);
      const all = await store.companiesWithTimers(5_000, '', 9);
      expect(new Map(all.map(({ companyId, isDue }) => [companyId, isDue]))).toEqual(
        new Map([
          ['many', true],
          ['few', true],
          ['ä"\ud800', false],
        ]),
      );
      expect(await store.companiesWithTimers(5_000, '', 1)).toEqual(all.slice(0, 1));
      expect(await store.companiesWithTimers(5_000, all[0]?.companyId ?? '', 9)).toEqual(all.slice(1));
      expect(await store.companiesWithTimers(5_000, all[2]?.companyId ?? '', 9)).toEqual([]);
    }),
  );

  it(
    'keeps two companies apart that have an execution of the same id',
    withStore(open, async (store) => {
      await saveAll(store, dated('e1', 1_000), dated('e1', 2_000, { companyId: 'c2' }));
      expect((await store.due(9_000, 10)).map(({ companyId, dueAtMs }) => [companyId, dueAtMs])).toEqual([
        ['c1', 1_000],
        ['c2', 2_000],
      ]);
    }),
  );
}

/** How signals are held for waits that are not open yet. A store that holds none has no such part. */
export function describeHeldSignals(open: Open<ExecutionStore>): void {
  describe('held signals', () => {
    const signal = (id: string, more: Partial<HeldSignal> = {}): HeldSignal => ({
      companyId: 'c1',
      id,
      name: 'paid',
      correlation: '7',
      payload: { by: id },
      heldAtMs: 1,
      untilMs: 1_000,
      ...more,
    });
    const held = ({ heldSignals, countHeldSignals, awaitedSignals, dropHeldSignal }: ExecutionStore) => ({
      of: heldSignals ?? expect.fail('the store holds signals'),
      count: countHeldSignals ?? expect.fail('it counts them'),
      awaited: awaitedSignals ?? expect.fail('it finds those that are awaited'),
      drop: dropHeldSignal ?? expect.fail('it drops them'),
    });
    const hold = (store: ExecutionStore, ...signals: readonly HeldSignal[]) =>
      store.commit({ saves: [], history: [], contacts: [], enqueue: [], dequeue: [], hold: signals });

    it(
      'are found by company, name and correlation value, oldest first',
      withStore(open, async (store) => {
        await hold(store, signal('b', { heldAtMs: 2 }), signal('a', { heldAtMs: 3 }), signal('c', { heldAtMs: 1 }));
        await hold(store, signal('d', { companyId: 'c2' }), signal('e', { name: 'sent' }), signal('f', { correlation: '' }));
        const long = 'ñ'.repeat(5_000);
        await hold(store, signal('g', { name: long, correlation: long, payload: null }));
        expect((await held(store).of('c1', 'paid', '7')).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
        expect(await held(store).of('c1', 'paid', '7')).toContainEqual(signal('b', { heldAtMs: 2 }));
        expect(await held(store).of('c1', long, long)).toEqual([signal('g', { name: long, correlation: long, payload: null })]);
        expect(await held(store).of('c1', 'paid', '8')).toEqual([]);
        await held(store).drop('c1', 'b');
        await held(store).drop('c2', 'c');
        expect((await held(store).of('c1', 'paid', '7')).map(({ id }) => id)).toEqual(['c', 'a']);
      }),
    );

    it(
      'are counted until they expire, and listed where an execution waits for them',
      withStore(open, async (store) => {
        await hold(
          store,
          signal('a', { companyId: 'c11' }),
          signal('b', { companyId: 'c11', untilMs: 2_000 }),
          signal('c', { companyId: 'c12' }),
          signal('d', { companyId: 'c11', correlation: 'x' }),
        );
        expect([await held(store).count('c11', 999), await held(store).count('c11', 1_000), await held(store).count('c13', 0)]).toEqual([
          3, 1, 0,
        ]);
        const awaited = async () => (await held(store).awaited()).filter(({ companyId }) => companyId === 'c11');
        expect(await awaited()).toEqual([]);
        await saveAll(
          store,
          executionRecord({
            id: 'w',
            companyId: 'c11',
            wait: { kind: 'event', takesReply: false, dueAtMs: null, correlation: { name: 'paid', value: '7' } },
          }),
        );
        const topics = (await awaited()).map(({ companyId, name, correlation }) => `${companyId} ${name} ${correlation}`);
        expect([...new Set(topics)]).toEqual(['c11 paid 7']);
      }),
    );

    it(
      'are held by the commit that says so, or not at all',
      withStore(open, async (store) => {
        const seen = { keys: ['c21:once'], untilMs: 9_000, answer: null };
        const commit = { saves: [], history: [], contacts: [], enqueue: [], dequeue: [], seen };
        expect(await store.commit({ ...commit, hold: [signal('a', { companyId: 'c21' })] })).toMatchObject({ kind: 'committed' });
        expect(await store.commit({ ...commit, hold: [signal('b', { companyId: 'c21' })] })).toMatchObject({ kind: 'duplicate' });
        expect((await held(store).of('c21', 'paid', '7')).map(({ id }) => id)).toEqual(['a']);
      }),
    );
  });
}
