import { systemClock } from '@hilo/engine/node';
import { describe, expect, it, vi } from 'vitest';
import { commit, commitAll, executionRecord, queuedItems, saveAll } from './execution-records.ts';
import { inLane, laneOf, type Member, shared, type WithMembers } from './lease-members.ts';

/** How work is announced, handed over and divided among processes that share a store. */
export function describeSharedWork(members: WithMembers): void {
  describeSharedQueue(members);

  describeForwardedCalls(members);

  describeSharedTimers(members);
}

/** How accepted work reaches the process that has the lane. */
function describeSharedQueue(members: WithMembers): void {
  describe('accepted work', () => {
    it(
      'is announced to the owner of the lane, and to no other process',
      members.three(async (a, b, c) => {
        await shared(a, b, c);
        const lane = laneOf(a);
        await commitAll(a.store, { enqueue: [inLane(lane)] });
        await commitAll(b.store, { enqueue: [inLane(laneOf(b)), inLane(lane)] });
        await a.listener.until(`queued ${lane}`);
        expect([b, c].flatMap(({ listener }) => listener.notices).filter((notice) => notice.startsWith('queued'))).toEqual([]);
      }),
    );

    it(
      'is not announced when its commit failed',
      members.two(async (a, b) => {
        await shared(a, b);
        const [lane, other] = [laneOf(a), laneOf(a, 1)];
        expect(await commit(b.store, { enqueue: [inLane(other)], dequeue: queuedItems([987_654], other) })).toEqual({ kind: 'conflict' });
        await commitAll(b.store, { enqueue: [inLane(lane)] });
        await a.listener.until(`queued ${lane}`);
        expect(a.listener.notices).not.toContain(`queued ${other}`);
      }),
    );

    it(
      'is unfinished for the owner of the lane, and for the next owner',
      members.two(async (a, b) => {
        await shared(a, b);
        const [lane, other] = [laneOf(a), laneOf(b)];
        await commitAll(a.store, { enqueue: [inLane(lane), inLane(other)] });
        const lanesOf = async (member: Member) => (await member.store.unfinished('', 10)).map((one) => one.lane);
        expect(await lanesOf(a)).toEqual([lane]);
        expect(await lanesOf(b)).toEqual([other]);
        expect(await b.store.unfinishedIn(lane)).toMatchObject({ queued: 1 });
        a.hang();
        await vi.waitFor(async () => expect(await lanesOf(b)).toEqual([lane, other].toSorted()), 60_000);
      }),
    );
  });
}

/** How a call reaches the process that has the lane. */
function describeForwardedCalls(members: WithMembers): void {
  describe('a call', () => {
    it(
      'may be sent to the address of the owner of its lane',
      members.two(async (a, b) => {
        await shared(a, b);
        const [lane, other] = [laneOf(a), laneOf(b)];
        await a.leases.advertise('http://a');
        await vi.waitFor(() => expect(b.leases.addressOf(lane)).toBe('http://a'), 60_000);
        expect([a.leases.addressOf(lane), a.leases.addressOf(other), b.leases.addressOf(other)]).toEqual([undefined, undefined, undefined]);
      }),
    );

    it(
      'is answered by the process that has its lane',
      members.two(async (a, b) => {
        await shared(a, b);
        a.listener.answerBy(async (call) => ({ a: call }));
        b.listener.answerBy(async (call) => ({ b: call }));
        const [lane, other] = [laneOf(a), laneOf(b)];
        const answers = await Promise.all([b.leases.post(lane, 1), a.leases.post(lane, 2), a.leases.post(other, 3)]);
        expect(answers).toEqual([{ a: 1 }, { a: 2 }, { b: 3 }]);
      }),
    );

    it(
      'goes to the next owner when a process does not take it, or dies',
      members.two(async (a, b) => {
        await shared(a, b);
        const lane = laneOf(a);
        a.listener.answerBy(() => new Promise(() => undefined));
        b.listener.answerBy(async () => 'b');
        const answer = b.leases.post(lane, 1);
        await a.listener.until(`call ${lane}`);
        a.hang();
        expect(await answer).toBe('b');
      }),
    );

    it(
      'is not answered by a late answer of a dead process',
      members.two(async (a, b) => {
        await shared(a, b);
        const lane = laneOf(a);
        const { promise: late, resolve } = Promise.withResolvers<string>();
        const { promise: answered, resolve: answerIt } = Promise.withResolvers<string>();
        a.listener.answerBy(() => late);
        b.listener.answerBy(() => answered);
        const answer = b.leases.post(lane, 1);
        await a.listener.until(`call ${lane}`);
        a.hang();
        await b.listener.until(`call ${lane}`);
        resolve('late');
        await new Promise<void>((resolve) => void systemClock.setTimeout(resolve, 0));
        answerIt('b');
        expect(await answer).toBe('b');
      }),
    );
  });
}

/** Each process finds the timers of its own lanes. */
function describeSharedTimers(members: WithMembers): void {
  describe('waits that are due', () => {
    it(
      'are those of a process’s own lanes, and of lanes that it gains',
      members.two(async (a, b) => {
        await shared(a, b);
        const [first, second, third] = [laneOf(a), laneOf(b), laneOf(b, 1)];
        const dated = (lane: string, dueAtMs: number) => executionRecord({ id: `in ${lane}`, lane, wait: { kind: 'timer', dueAtMs } });
        await saveAll(a.store, dated(first, 1_000), dated(second, 2_000), dated(third, 3_000));
        const dueFor = async ({ store }: Member) => (await store.due(9_000, 10)).map(({ lane }) => lane);
        expect([await a.store.nextDueMs(), await b.store.nextDueMs()]).toEqual([1_000, 2_000]);
        expect([await dueFor(a), await dueFor(b)]).toEqual([[first], [second, third]]);
        b.hang();
        await vi.waitFor(async () => expect(await dueFor(a)).toEqual([first, second, third]), 60_000);
      }),
    );
  });
}
