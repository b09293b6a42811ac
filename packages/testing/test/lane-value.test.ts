// A lane as a value, against the store in memory: what one commits, refuses and answers, the other does.
import { createMemoryStore } from '@hilo/engine';
import type { Commit, Committed, ExecutionStatus } from '@hilo/engine/contract';
import { commitToLane, emptyLane, keepLane, type Lane, listQuestions, nextItem, openLane } from '@hilo/engine/runtime-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accepted, acceptedMessage, executionRecord } from '../src/contracts/execution-records.ts';

const name = 'c1/user/b1/u1';

const save = fc.record({
  id: fc.constantFrom('e1', 'e2', 'e3'),
  shift: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-1, 1) }),
  openedAtMs: fc.integer({ min: 0, max: 3 }),
  status: fc.constantFrom<ExecutionStatus>('running', 'waiting', 'waiting', 'completed'),
  hasEffect: fc.boolean(),
});

const item = fc.record({ isInternal: fc.boolean(), isElsewhere: fc.boolean() }).map(({ isInternal, isElsewhere }) => ({
  ...(isInternal ? accepted('e1') : acceptedMessage('Hi')),
  ...(isElsewhere && { lane: 'c1/user/b1/u2' }),
}));

const plan = fc.record({
  saves: fc.uniqueArray(save, { maxLength: 2, selector: ({ id }) => id }),
  enqueue: fc.array(item, { maxLength: 2 }),
  dequeue: fc.constantFrom('none', 'next', 'next', 'unknown'),
  keys: fc.option(fc.subarray(['k1', 'k2', 'k3'], { minLength: 1, maxLength: 2 }), { freq: 3 }),
});

type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never;

/** What a plan commits to the lane as it is. */
function createCommit(lane: Lane, { saves, enqueue, dequeue, keys }: Plan, index: number): Commit {
  const next = nextItem(lane);
  return {
    saves: saves.map(({ id, shift, openedAtMs, status, hasEffect }) => {
      const known = lane.executions.find(({ executionId }) => executionId === id);
      // A lane takes an ended execution that it has not as it was read from the store, whose revision it cannot know.
      const off = known === undefined && status === 'completed' ? 0 : shift;
      return executionRecord({
        id,
        revision: (known?.revision ?? 0) + 1 + off,
        status,
        ...(status === 'waiting' && { wait: { openedAtMs } }),
        ...(status === 'running' && hasEffect && { pending: {} }),
      });
    }),
    history: [],
    contacts: [],
    enqueue,
    dequeue: dequeue === 'unknown' ? [{ lane: name, seq: 1_000 }] : dequeue === 'next' && next !== undefined ? [next] : [],
    ...(keys !== null && { seen: { keys, untilMs: 1_000_000, answer: index } }),
  };
}

const idsOf = (records: readonly { readonly executionId: string }[]): readonly string[] => records.map(({ executionId }) => executionId);

describe('a lane as a value', () => {
  it('commits and answers as a store does, after any commits', () =>
    fc.assert(
      fc.asyncProperty(fc.array(plan, { maxLength: 12 }), async (plans) => {
        const store = createMemoryStore();
        let lane = openLane(name, emptyLane);
        const here = new Map<number, number>(); // the numbers of the store, by those of the lane
        for (const [index, one] of plans.entries()) {
          const commit = createCommit(lane, one, index);
          const before = lane;
          const { committed, lane: after, elsewhere } = commitToLane(lane, commit);
          const dequeue = commit.dequeue.map(({ seq }) => ({ lane: name, seq: here.get(seq) ?? 1_000_000 }));
          const stored = await store.commit({ ...commit, dequeue });
          const answerOf = (one: Committed): unknown => (one.kind === 'duplicate' ? one.answer : one.kind);
          expect(answerOf(committed)).toBe(answerOf(stored));
          expect(after === before).toBe(committed.kind !== 'committed'); // all of it or nothing
          if (committed.kind !== 'committed' || stored.kind !== 'committed') continue;
          committed.seqs.forEach((seq, place) => here.set(seq, stored.seqs[place] ?? 0));
          expect(elsewhere).toEqual(commit.enqueue.filter((queued) => queued.lane !== name));
          lane = after;
          const next = nextItem(lane);
          expect(next === undefined ? undefined : here.get(next.seq)).toBe((await store.nextQueued(name))?.seq);
          const { unsettled, queued } = await store.unfinishedIn(name);
          expect([lane.blocks.map((block) => block.name).sort(), lane.inbox.length]).toEqual([[...idsOf(unsettled)].sort(), queued]);
          expect(idsOf(listQuestions(lane, 'b1', 'u1'))).toEqual(idsOf(await store.awaitingReplies('c1', 'b1', 'u1')));
        }
      }),
    ));

  it('is the same when it was kept and opened again, less what has ended', () =>
    fc.assert(
      fc.property(fc.array(plan, { maxLength: 8 }), (plans) => {
        const lane = plans.reduce((now, one, index) => commitToLane(now, createCommit(now, one, index)).lane, openLane(name, emptyLane));
        const again = openLane(name, JSON.parse(JSON.stringify(keepLane(lane))) as typeof emptyLane);
        const isOpen = ({ state }: (typeof lane.executions)[number]): boolean => state.status !== 'completed';
        expect(again.executions).toEqual(lane.executions.filter(isOpen));
        expect([again.inbox, again.lastSeq, again.blocks]).toEqual([lane.inbox, lane.lastSeq, lane.blocks]);
        expect(nextItem(again)).toEqual(nextItem(lane));
      }),
    ));
});
