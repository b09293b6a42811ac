// The part of the contract of stores that is about queues.
import type { ExecutionStore, InboxEvent, UnfinishedLane } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import {
  accepted,
  acceptedMessage,
  commitAll,
  executionRecord,
  type Open,
  queuedItems,
  saveAll,
  takeQueued,
  withStore,
} from './execution-records.ts';

const lane = accepted('').lane;

const inLane = (name: string, id = 'e1') => ({ ...accepted(id), lane: name });

/** What has had no consequence yet, and what a process that starts finds left to do. */
export function describeQueue(open: Open<ExecutionStore>): void {
  describeNextQueued(open);

  describeUnfinished(open);

  describeSeenAnswers(open);

  describeCrashCounts(open);
}

/** In which order a lane’s items come. */
function describeNextQueued(open: Open<ExecutionStore>): void {
  describe('nextQueued', () => {
    it(
      'returns internal items first, then the order of acceptance',
      withStore(open, async (store) => {
        const { accepted: begin } = accepted('e4');
        await commitAll(store, {
          enqueue: [
            acceptedMessage('first'),
            accepted('e1'),
            { ...accepted(''), accepted: { kind: 'start', executionId: 'e2', entry: 'n1', trigger: { kind: 'message', message: {} } } },
          ],
        });
        await commitAll(store, {
          enqueue: [
            acceptedMessage('second'),
            {
              ...accepted(''),
              accepted: { kind: 'child.start', executionId: 'e3', entry: 'n1', trigger: { kind: 'message', message: {} } },
            },
            { ...accepted(''), accepted: { kind: 'child.ended', executionId: 'e4', waitId: 'w', result: {} } },
            { ...accepted(''), accepted: begin },
          ],
        });
        expect((await takeQueued(store)).map(({ accepted }) => accepted.kind)).toEqual([
          'child.ended',
          'child.start',
          'child.ended',
          'child.ended',
          'message',
          'start',
          'message',
        ]);
        expect(await store.nextQueued(lane)).toBeUndefined();
      }),
    );

    describeKindsOfItems(open);

    it(
      'returns the whole item, with its number, on every call',
      withStore(open, async (store) => {
        const [seq = -1] = await commitAll(store, { enqueue: [acceptedMessage('first')] });
        for (const _ of [1, 2]) expect(await store.nextQueued(lane)).toEqual({ ...acceptedMessage('first'), seq });
      }),
    );

    it(
      'returns internal items only, on request',
      withStore(open, async (store) => {
        await commitAll(store, { enqueue: [acceptedMessage('first')] });
        expect(await store.nextQueued(lane, { isInternal: true })).toBeUndefined();
        await commitAll(store, { enqueue: [accepted('e1')] });
        expect(await store.nextQueued(lane, { isInternal: true })).toMatchObject({ accepted: { kind: 'child.ended' } });
      }),
    );

    it(
      'keeps lanes apart',
      withStore(open, async (store) => {
        await commitAll(store, { enqueue: [inLane('a', 'e1'), inLane('A', 'e2'), inLane('a ', 'e3')] });
        for (const [name, executionId] of Object.entries({ a: 'e1', A: 'e2', 'a ': 'e3' }))
          expect((await takeQueued(store, name)).map(({ accepted }) => accepted)).toMatchObject([{ executionId }]);
        expect(await store.nextQueued('')).toBeUndefined();
      }),
    );

    describeRemovedItems(open);
  });
}

/** What a commit was the consequence of is gone. */
function describeRemovedItems(open: Open<ExecutionStore>): void {
  it(
    'never reuses the number of a removed item',
    withStore(open, async (store) => {
      const [first = 0] = await commitAll(store, { enqueue: [accepted('e1')] });
      await commitAll(store, { dequeue: queuedItems([first]) });
      const [second = 0] = await commitAll(store, { enqueue: [accepted('e2')] });
      expect(second).toBeGreaterThan(first);
    }),
  );

  it(
    'forgets what a commit was the consequence of, and keeps the rest',
    withStore(open, async (store) => {
      const [first = 0, , third = 0] = await commitAll(store, { enqueue: [accepted('e1'), accepted('e2'), accepted('e3')] });
      await commitAll(store, { dequeue: queuedItems([first, third]), enqueue: [accepted('e4')] });
      expect((await takeQueued(store)).map(({ accepted }) => accepted)).toEqual([accepted('e2').accepted, accepted('e4').accepted]);
    }),
  );
}

/** What a process that starts finds left to do. */
function describeUnfinished(open: Open<ExecutionStore>): void {
  describe('unfinished', () => {
    const summary = (lanes: readonly UnfinishedLane[]) =>
      lanes.map(({ lane: name, unsettled, queued }) => [name, unsettled.map(({ executionId }) => executionId), queued]);

    it(
      'returns lanes with a pending effect or a queued item',
      withStore(open, async (store) => {
        await saveAll(
          store,
          executionRecord({ id: 'asks', lane: 'b', pending: {} }),
          executionRecord({ id: 'asks', lane: 'a', companyId: 'c2', pending: {} }),
          executionRecord({ id: 'asks too', lane: 'b', pending: {} }),
          executionRecord({ id: 'waits', lane: 'c', wait: {} }),
          executionRecord({ id: 'begins', lane: 'd' }),
          executionRecord({ id: 'answered', lane: 'e', pending: {} }),
          executionRecord({ id: 'answered', lane: 'e', revision: 2, status: 'completed' }),
          executionRecord({ id: 'stopped', lane: 'f', status: 'quarantined', pending: {} }),
        );
        const [done = -1] = await commitAll(store, { enqueue: [inLane('g'), inLane('b'), inLane('h'), inLane('h')] });
        await commitAll(store, { dequeue: queuedItems([done], 'g') });
        expect(summary(await store.unfinished('', 100))).toEqual([
          ['a', ['asks'], 0],
          ['b', ['asks', 'asks too'], 1],
          ['h', [], 2],
        ]);
      }),
    );

    it(
      'returns the whole executions of a lane, in the order of acceptance',
      withStore(open, async (store) => {
        const records = ['z', 'y', 'x'].map((id, index) => executionRecord({ id, createdAtMs: index, pending: {} }));
        await saveAll(store, ...records);
        const advanced = executionRecord({ id: 'z', createdAtMs: 0, revision: 2, pending: { attempt: 2 } });
        await saveAll(store, advanced);
        const expected = { lane, unsettled: [advanced, ...records.slice(1)], queued: 0 };
        expect(await store.unfinishedIn(lane)).toEqual(expected);
        expect(await store.unfinished('', 1)).toEqual([expected]);
      }),
    );

    it(
      'returns each lane on one page, by name, whatever it contains',
      withStore(open, async (store) => {
        const names = ['a', 'b', 'c', 'd', 'e', 'f'];
        await commitAll(store, { enqueue: names.filter((_, index) => index % 3 !== 2).flatMap((name) => [inLane(name), inLane(name)]) });
        await saveAll(
          store,
          ...names.filter((_, index) => index % 3 !== 0).map((name) => executionRecord({ id: name, lane: name, pending: {} })),
        );
        for (const limit of [1, 2, 4, 6, 7]) {
          const found: string[] = [];
          for (let page: readonly UnfinishedLane[]; (page = await store.unfinished(found.at(-1) ?? '', limit)).length > 0; ) {
            expect(page.length).toBeLessThanOrEqual(limit);
            found.push(...page.map(({ lane: name }) => name));
          }
          expect(found).toEqual(names);
        }
      }),
    );

    it(
      'reports an empty lane as such',
      withStore(open, async (store) => {
        expect(await store.unfinishedIn('nowhere')).toEqual({ lane: 'nowhere', unsettled: [], queued: 0 });
        expect(await store.unfinished('', 10)).toEqual([]);
      }),
    );
  });
}

/** What a repeated delivery is answered. */
function describeSeenAnswers(open: Open<ExecutionStore>): void {
  describe('seenAnswer', () => {
    it(
      'returns the answer of a delivery by any of its ids, and of no other',
      withStore(open, async (store) => {
        await commitAll(store, { seen: { keys: ['k1', 'k2'], untilMs: 5_000, answer: { executionId: 'e1' } } });
        await commitAll(store, { seen: { keys: ['k3'], untilMs: 5_000, answer: null } });
        expect(await store.seenAnswer(['k0', 'k2'])).toEqual({ answer: { executionId: 'e1' } });
        expect(await store.seenAnswer(['k3', 'k1'])).toEqual({ answer: null });
        expect(await store.seenAnswer(['k0'])).toBeUndefined();
        expect(await store.seenAnswer([])).toBeUndefined();
      }),
    );
  });
}

/** How often lanes have ended their process. */
function describeCrashCounts(open: Open<ExecutionStore>): void {
  describe('crashCounts', () => {
    it(
      'counts, for each lane, until it is forgotten (P17)',
      withStore(open, async (store) => {
        expect(await store.crashCounts(['a', 'b'])).toEqual(new Map());
        await store.countCrashes(['b', 'a']);
        await store.countCrashes(['a']);
        expect(await store.crashCounts(['a', 'b', 'c'])).toEqual(
          new Map([
            ['a', 2],
            ['b', 1],
          ]),
        );
        await store.clearCrashCounts(['a', 'c']);
        expect(await store.crashCounts(['a', 'b', 'c'])).toEqual(new Map([['b', 1]]));
        await store.countCrashes(['a']);
        expect(await store.crashCounts(['a'])).toEqual(new Map([['a', 1]]));
        expect(await store.crashCounts([])).toEqual(new Map());
      }),
    );

    it(
      'counts each of several at once',
      withStore(open, async (store) => {
        await Promise.all(Array.from({ length: 8 }, (_, index) => store.countCrashes(index % 2 === 0 ? ['a', 'b'] : ['b', 'a'])));
        expect([...(await store.crashCounts(['a', 'b'])).values()]).toEqual([8, 8]);
      }),
    );
  });
}

/** Whatever kind of thing is accepted comes back as it was. */
function describeKindsOfItems(open: Open<ExecutionStore>): void {
  const trigger = { kind: 'webhook', writes: [] } as const;
  const request = { method: 'POST', headers: { a: 'b' }, query: {}, body: { total: 3 } } as const;
  const items: { readonly [kind in InboxEvent['kind']]: InboxEvent & { readonly kind: kind } } = {
    start: { kind: 'start', executionId: 'e1', entry: 'n1', trigger },
    'child.start': { kind: 'child.start', executionId: 'e1', entry: 'n1', trigger },
    message: { kind: 'message', botId: 'b1', userId: 'u1', message: { text: 'hi' }, writtenAtMs: 5, repliesTo: ['m1'], keptBy: 'e1' },
    'child.ended': { kind: 'child.ended', executionId: 'e1', waitId: 'w', result: { a: [null] } },
    event: { kind: 'event', executionId: 'e1', waitId: 'w', payload: null },
    webhook: { kind: 'webhook', executionId: 'e1', named: 'e0', nodeId: 'n1', request },
  };

  it.each(Object.values(items))('returns what was accepted: $kind', (item) =>
    withStore(open, async (store) => {
      const queued = { ...accepted(''), accepted: item };
      const [seq = -1] = await commitAll(store, { enqueue: [queued] });
      expect(await store.nextQueued(lane)).toEqual({ ...queued, seq });
    })(),
  );
}
