import { describe, expect, it } from 'vitest';
import { commit, commitAll, executionRecord, saveAll } from './execution-records.ts';
import { inLane, type Member, type WithMembers } from './lease-members.ts';

/** How work is told of, and divided, among processes that share a store. */
export function describeSharedWork(members: WithMembers): void {
  describe('what is to be done', () => {
    it(
      'is told to the process that has the lane, and to no other',
      members.three(async (a, b, c) => {
        await a.leases.claim('l');
        await commitAll(a.store, { enqueue: [inLane('l')] });
        await commitAll(b.store, { enqueue: [inLane('nobody’s'), inLane('l')] });
        await a.listener.until('queued l');
        expect(a.listener.told).toEqual(['queued l']);
        expect([...b.listener.told, ...c.listener.told]).toEqual([]);
      }),
    );

    it(
      'is not told when nothing came of it',
      members.two(async (a, b) => {
        await a.leases.claim('l');
        expect(await commit(b.store, { enqueue: [inLane('l')], dequeue: [987_654] })).toEqual({ kind: 'conflict' });
        await commitAll(b.store, { enqueue: [inLane('l')] });
        await a.listener.until('queued l');
        expect(a.listener.told).toEqual(['queued l']);
      }),
    );

    it(
      'is another’s while that one lives, and unfinished when it is dead',
      members.two(async (a, b) => {
        await commitAll(a.store, { enqueue: [inLane('l'), inLane('m')] });
        await a.leases.claim('l');
        const lanesOf = async (member: Member) => (await member.store.unfinished('', 10)).map(({ lane }) => lane);
        expect(await lanesOf(a)).toEqual(['l', 'm']);
        expect(await lanesOf(b)).toEqual(['m']);
        expect(await b.store.unfinishedIn('l')).toMatchObject({ queued: 1 });
        a.hang();
        await b.listener.until('orphans');
        expect(await lanesOf(b)).toEqual(['l', 'm']);
      }),
    );

    it(
      'is told to the others when a process leaves',
      members.two(async (a, b) => {
        await commitAll(a.store, { enqueue: [inLane('l')] });
        await a.leases.claim('l');
        await a.leave();
        await b.listener.until('orphans');
        expect((await b.store.unfinished('', 10)).map(({ lane }) => lane)).toEqual(['l']);
      }),
    );
  });

  describe('waits that are due', () => {
    const dated = (lane: string, dueAtMs: number) => executionRecord({ id: `in ${lane}`, lane, wait: { kind: 'timer', dueAtMs } });
    const dueFor = async ({ store }: Member, limit = 10) => (await store.due(9_000, limit)).map(({ lane }) => lane);

    it(
      'are given to one process, whose lanes they make its own',
      members.two(async (a, b) => {
        await saveAll(a.store, dated('l', 1_000), dated('m', 2_000), dated('n', 3_000));
        await a.leases.claim('m');
        expect(await b.store.nextDueMs()).toBe(1_000);
        expect(await dueFor(b)).toEqual(['l', 'n']);
        expect(await dueFor(b)).toEqual(['l', 'n']);
        expect(await a.store.nextDueMs()).toBe(2_000);
        expect(await dueFor(a)).toEqual(['m']);
        expect(await a.leases.claim('l')).toBe('refused');
        expect(await b.leases.claim('n')).toBe('claimed');
        expect(b.store).not.toBe(a.store);
      }),
    );

    it(
      'are divided among those who ask at once, and none is left',
      members.three(async (...all) => {
        const lanes = Array.from({ length: 60 }, (_, index) => `l${index}`);
        await saveAll(all[0].store, ...lanes.map((lane, index) => dated(lane, index)));
        const found = (await Promise.all(all.map((member) => dueFor(member, 20)))).flat();
        expect(new Set(found).size).toBe(found.length);
        const rest = await Promise.all(all.map((member) => dueFor(member, 100)));
        expect(rest.flat().toSorted()).toEqual(lanes.toSorted());
      }),
    );

    it(
      'do not hide that a lane was left by a dead process',
      members.two(async (a, b) => {
        await saveAll(a.store, dated('l', 1_000));
        await commitAll(a.store, { enqueue: [inLane('l')] });
        await a.leases.claim('l');
        a.hang();
        await b.listener.until('orphans');
        expect(await dueFor(b)).toEqual(['l']);
        expect(await b.leases.claim('l')).toBe('inherited');
        expect(await b.leases.claim('l')).toBe('claimed');
      }),
    );
  });
}
