import { systemClock } from '@hilo/engine/node';
import { seededRandom } from '@hilo/simulator';
import { describe, expect, it, vi } from 'vitest';
import { commit, commitAll, executionRecord, saveAll } from './execution-records.ts';
import { inLane, laneOf, lanes, ownedBy, shared, type SharedPlace, type WithMembers, withMembers } from './lease-members.ts';
import { describeSharedWork } from './lease-work.ts';

/**
 * The promises of `Leases`, as tests: every store that processes share runs them.
 *
 * @param share - makes a new, empty place
 */
export function describeLeases(name: string, share: () => Promise<SharedPlace>): void {
  const members = withMembers(share);

  describe(`${name} as Leases`, { timeout: 120_000 }, () => {
    describeOwnership(members);

    describeSilence(members);

    describeSharedWork(members);
  });
}

/** Each lane has one owner. */
function describeOwnership(members: WithMembers): void {
  describe('the lanes', () => {
    it(
      'are shared out: each is one process’s, and every process has its share (P8)',
      members.three(async (...all) => {
        await shared(...all);
        await all[0].leave();
        await shared(all[1], all[2]);
        expect(ownedBy(all[0])).toEqual([]);
      }),
    );

    it(
      'are handed over once nothing is under way in them, and not before',
      members.one(async (a, join) => {
        await shared(a);
        const letGo = a.listener.keep();
        const b = await join();
        await a.listener.until('wanted');
        expect(ownedBy(a)).toEqual(lanes);
        expect(ownedBy(b)).toEqual([]);
        const lane = laneOf(a);
        await saveAll(a.store, executionRecord({ lane }));
        await commitAll(a.store, { saves: [executionRecord({ lane, revision: 2 })] });
        letGo();
        await shared(a, b);
      }),
    );

    it(
      'are never two processes’, in any order of joining and leaving (P8)',
      members.one(async (first, join) => {
        const random = seededRandom(11);
        const draw = (below: number): number => (random.bytes(1)[0] ?? 0) % below;
        const taking = [first];
        for (let turn = 0; turn < 12; turn += 1) {
          if (taking.length < 2 || (taking.length < 4 && draw(2) === 0)) taking.push(await join());
          else await taking.splice(draw(taking.length), 1)[0]?.leave();
          for (let look = 0; look < 5; look += 1) {
            const owned = taking.flatMap(ownedBy);
            expect(new Set(owned).size).toBe(owned.length);
            await new Promise<void>((resolve) => void systemClock.setTimeout(resolve, 0));
          }
        }
        await shared(...taking);
      }),
    );
  });
}

/** A process that says nothing for too long has lost its lanes. */
function describeSilence(members: WithMembers): void {
  describe('a silent process', () => {
    it(
      'is dead to the others, who have its lanes then',
      members.three(async (a, b, c) => {
        await shared(a, b, c);
        a.hang();
        await vi.waitFor(() => expect([...ownedBy(b), ...ownedBy(c)].toSorted()).toEqual(lanes.toSorted()), 60_000);
      }),
    );

    it(
      'is refused every later write, and learns so (P8)',
      members.two(async (a, b) => {
        await shared(a, b);
        const lane = laneOf(a);
        const record = executionRecord({ lane, pending: {} });
        await saveAll(a.store, record);
        a.hang();
        await vi.waitFor(() => expect(b.leases.isOurs(lane)).toBe(true), 60_000);
        const late = [
          { saves: [executionRecord({ lane, revision: 2, status: 'completed' })] },
          { saves: [executionRecord({ id: 'e2' })] },
          { enqueue: [inLane(lane)] },
          { seen: { keys: ['k'], untilMs: 9_000, answer: null } },
        ];
        const answers = await Promise.allSettled(late.map((parts) => commit(a.store, parts)));
        for (const answer of answers) expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'STORE_UNAVAILABLE' } });
        await a.listener.until('lost');
        expect(await b.store.load('c1', 'e1')).toEqual(record);
        expect(await b.store.load('c1', 'e2')).toBeUndefined();
        expect(await b.store.unfinished('', 10)).toEqual([{ lane, unsettled: [record], queued: 0 }]);
        expect(await b.store.seenAnswer(['k'])).toBeUndefined();
      }),
    );

    it(
      'joins again without its earlier lanes: it advances no execution in a lane that has another owner (P8)',
      members.two(async (a, b) => {
        await shared(a, b);
        const lane = laneOf(a);
        await saveAll(a.store, executionRecord({ lane, pending: {} }));
        a.hang();
        await vi.waitFor(() => expect(b.leases.isOurs(lane)).toBe(true), 60_000);
        const stay = b.listener.keep();
        const next = { saves: [executionRecord({ lane, revision: 2, status: 'completed' })] };
        await expect(commit(a.store, next)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
        await a.listener.until('lost');
        await vi.waitFor(() => commitAll(a.store, { saves: [executionRecord({ id: 'new', lane })] }), 60_000);
        await expect(commit(a.store, next)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
        expect(await commit(b.store, next)).toMatchObject({ kind: 'committed' });
        stay();
      }),
    );
  });
}
