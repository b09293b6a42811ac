import { seededRandom } from '@hilo/simulator';
import { describe, expect, it } from 'vitest';
import { commit, commitAll, executionRecord, saveAll } from './execution-records.ts';
import { inLane, type Member, type SharedPlace, withMembers } from './lease-members.ts';
import { describeSharedWork } from './lease-work.ts';

/**
 * The promises of `Leases`, as tests: every store that processes share runs them.
 *
 * @param share - makes a new, empty place
 */
export function describeLeases(name: string, share: () => Promise<SharedPlace>): void {
  const members = withMembers(share);

  describe(`${name} as Leases`, { timeout: 30_000 }, () => {
    describe('a lane', () => {
      it(
        'is one process’s at a time, which may ask for it again',
        members.two(async (a, b) => {
          expect(await a.leases.claim('l')).toBe('claimed');
          expect(await a.leases.claim('l')).toBe('claimed');
          expect(await b.leases.claim('l')).toBe('refused');
          expect(await b.leases.claim('other')).toBe('claimed');
          await a.leases.release('l');
          expect(await b.leases.claim('l')).toBe('claimed');
          expect(await a.leases.claim('l')).toBe('refused');
        }),
      );

      it(
        'is told to be free to whoever asked for it in vain, and to nobody else',
        members.three(async (a, b, c) => {
          await a.leases.claim('l');
          await a.leases.claim('quiet');
          await b.leases.claim('l');
          await a.leases.release('quiet');
          await a.leases.release('l');
          await b.listener.until('free l');
          expect(await b.leases.claim('l')).toBe('claimed');
          expect(c.listener.told).toEqual([]);
          expect(b.listener.told).toEqual(['free l']);
        }),
      );

      it(
        'is got by one of several at once, each time it is free',
        members.three(async (...all) => {
          for (let round = 0; round < 20; round += 1) {
            const answers = await Promise.all(all.map(({ leases }) => leases.claim('l')));
            expect(answers.filter((answer) => answer !== 'refused')).toEqual(['claimed']);
            await all[answers.indexOf('claimed')]?.leases.release('l');
          }
        }),
      );

      it(
        'has one owner at a time in any order of claims and releases (P8)',
        members.three(async (...all) => {
          const lanes = ['l1', 'l2', 'l3', 'l4', 'l5'];
          const owners = new Map<string, Member>();
          let claims = 0;
          let conflicts = 0;
          const play = async (member: Member, seed: number): Promise<void> => {
            const random = seededRandom(seed);
            const draw = (below: number): number => (random.bytes(1)[0] ?? 0) % below;
            for (let turn = 0; turn < 350; turn += 1) {
              const lane = lanes[draw(lanes.length)] ?? '';
              if (owners.get(lane) === member) {
                owners.delete(lane);
                await member.leases.release(lane);
              } else if ((await member.leases.claim(lane)) !== 'refused') {
                if (owners.has(lane)) conflicts += 1;
                owners.set(lane, member);
                claims += 1;
              }
            }
          };
          await Promise.all(all.map((member, index) => play(member, index + 1)));
          expect(conflicts).toBe(0);
          expect(claims).toBeGreaterThan(100);
          for (const [lane, { leases }] of owners) await leases.release(lane);
          for (const lane of lanes) expect(await all[0].leases.claim(lane)).toBe('claimed');
        }),
      );

      it(
        'is let go of by a process that leaves',
        members.two(async (a, b) => {
          await a.leases.claim('l');
          await b.leases.claim('l');
          await a.leave();
          await b.listener.until('free l');
          expect(await b.leases.claim('l')).toBe('claimed');
        }),
      );
    });

    describe('a process that is not heard of', () => {
      it(
        'is dead to the others, and what it had is inherited, once',
        members.three(async (a, b, c) => {
          await commitAll(a.store, { enqueue: [inLane('l')] });
          await a.leases.claim('l');
          expect(await b.leases.claim('l')).toBe('refused');
          a.hang();
          await Promise.all([b, c].map(({ listener }) => listener.until('orphans')));
          expect(await b.leases.claim('l')).toBe('inherited');
          expect(await c.leases.claim('l')).toBe('refused');
          await b.leases.release('l');
          expect(await c.leases.claim('l')).toBe('claimed');
        }),
      );

      it(
        'has nothing it still writes taken, however late, and is told so (P8)',
        members.two(async (a, b) => {
          const record = executionRecord({ lane: 'l', pending: {} });
          await a.leases.claim('l');
          await saveAll(a.store, record);
          a.hang();
          await b.listener.until('orphans');
          const late = [
            { saves: [executionRecord({ lane: 'l', revision: 2, status: 'completed' })] },
            { saves: [executionRecord({ id: 'e2' })] },
            { enqueue: [inLane('l')] },
            { seen: { keys: ['k'], untilMs: 9_000, answer: null } },
          ];
          const answers = await Promise.allSettled(late.map((parts) => commit(a.store, parts)));
          for (const answer of answers) expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'STORE_UNAVAILABLE' } });
          await a.listener.until('lost');
          expect(await b.store.load('c1', 'e1')).toEqual(record);
          expect(await b.store.load('c1', 'e2')).toBeUndefined();
          expect(await b.store.unfinished('', 10)).toEqual([{ lane: 'l', unsettled: [record], queued: 0 }]);
          expect(await b.store.seenAnswer(['k'])).toBeUndefined();
        }),
      );

      it(
        'joins again with nothing of what it had: it advances no execution in a lane that is another’s now (P8)',
        members.two(async (a, b) => {
          await a.leases.claim('l');
          await saveAll(a.store, executionRecord({ lane: 'l', pending: {} }));
          a.hang();
          await b.listener.until('orphans');
          expect(await b.leases.claim('l')).toBe('inherited');
          expect(await a.leases.claim('mine').catch(() => a.leases.claim('mine'))).toBe('claimed');
          expect(a.listener.told).toContain('lost');
          const next = { saves: [executionRecord({ lane: 'l', revision: 2, status: 'completed' })] };
          await expect(commit(a.store, next)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
          expect(await commit(b.store, next)).toMatchObject({ kind: 'committed' });
          expect(await a.leases.claim('l')).toBe('refused');
          await commitAll(a.store, { saves: [executionRecord({ id: 'new', lane: 'mine' })] });
        }),
      );
    });

    describeSharedWork(members);
  });
}
