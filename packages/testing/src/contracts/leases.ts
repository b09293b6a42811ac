import type { ExecutionStore, Leases } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { accepted, commit, commitAll, executionRecord, saveAll } from './execution-records.ts';
import { recordedListener, type RecordedListener } from './lease-listener.ts';

/** One process's way to a store that several share. */
export interface SharedStore {
  readonly store: ExecutionStore;
  /** From now on nothing is heard of this process, though it lives: as when it hangs, or is cut off. */
  hang(): void;
  close(): Promise<void>;
}

/** A new, empty store for several processes. Those that are not heard of should be dead soon: after some 100 ms. */
export interface SharedPlace {
  open(): Promise<SharedStore>;
  close(): Promise<void>;
}

/** A process that takes part. */
interface Member extends SharedStore {
  readonly leases: Leases;
  readonly listener: RecordedListener;
  readonly leave: () => Promise<void>;
}

/**
 * The promises of `Leases`, as tests: every store that processes share runs them.
 *
 * @param share - makes a new, empty place
 */
export function describeLeases(name: string, share: () => Promise<SharedPlace>): void {
  const withMembers = (count: number, test: (...members: Member[]) => Promise<void>) => async (): Promise<void> => {
    const place = await share();
    const stores = await Promise.all(Array.from({ length: count }, () => place.open()));
    try {
      await test(...(await Promise.all(stores.map(takePart))));
    } finally {
      await Promise.all(stores.map(({ close }) => close()));
      await place.close();
    }
  };
  /** A test with two members. */
  const withTwo = (test: (a: Member, b: Member) => Promise<void>) =>
    withMembers(2, async (a, b) => {
      if (a !== undefined && b !== undefined) await test(a, b);
    });

  const inLane = (lane: string) => ({ ...accepted('e1'), lane });

  describe(`${name} as Leases`, { timeout: 30_000 }, () => {
    describe('a lane', () => {
      it(
        'is one process’s at a time, which may ask for it again',
        withTwo(async (a, b) => {
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
        withMembers(3, async (...[a, b, c]) => {
          if (a === undefined || b === undefined || c === undefined) return;
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
        withMembers(3, async (...members) => {
          for (let round = 0; round < 20; round += 1) {
            const answers = await Promise.all(members.map(({ leases }) => leases.claim('l')));
            expect(answers.filter((answer) => answer !== 'refused')).toEqual(['claimed']);
            await members[answers.indexOf('claimed')]?.leases.release('l');
          }
        }),
      );

      it(
        'has one owner at a time in any order of claims and releases (P8)',
        withMembers(3, async (...members) => {
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
          await Promise.all(members.map((member, index) => play(member, index + 1)));
          expect(conflicts).toBe(0);
          expect(claims).toBeGreaterThan(100);
          for (const [lane, { leases }] of owners) await leases.release(lane);
          for (const lane of lanes) expect(await members[0]?.leases.claim(lane)).toBe('claimed');
        }),
      );

      it(
        'is let go of by a process that leaves',
        withTwo(async (a, b) => {
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
        withMembers(3, async (...[a, b, c]) => {
          if (a === undefined || b === undefined || c === undefined) return;
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
        withTwo(async (a, b) => {
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
        withTwo(async (a, b) => {
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

    describe('what is to be done', () => {
      it(
        'is told to the process that has the lane, and to no other',
        withMembers(3, async (...[a, b, c]) => {
          if (a === undefined || b === undefined || c === undefined) return;
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
        withTwo(async (a, b) => {
          await a.leases.claim('l');
          expect(await commit(b.store, { enqueue: [inLane('l')], dequeue: [987_654] })).toEqual({ kind: 'conflict' });
          await commitAll(b.store, { enqueue: [inLane('l')] });
          await a.listener.until('queued l');
          expect(a.listener.told).toEqual(['queued l']);
        }),
      );

      it(
        'is another’s while that one lives, and unfinished when it is dead',
        withTwo(async (a, b) => {
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
        withTwo(async (a, b) => {
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
        withTwo(async (a, b) => {
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
        withMembers(3, async (...members) => {
          const [first] = members;
          if (first === undefined) return;
          const lanes = Array.from({ length: 60 }, (_, index) => `l${index}`);
          await saveAll(first.store, ...lanes.map((lane, index) => dated(lane, index)));
          const found = (await Promise.all(members.map((member) => dueFor(member, 20)))).flat();
          expect(new Set(found).size).toBe(found.length);
          const rest = await Promise.all(members.map((member) => dueFor(member, 100)));
          expect(rest.flat().toSorted()).toEqual(lanes.toSorted());
        }),
      );

      it(
        'do not hide that a lane was left by a dead process',
        withTwo(async (a, b) => {
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
  });
}

/** @throws {Error} when the store is none that processes share */
async function takePart(shared: SharedStore): Promise<Member> {
  const { leases } = shared.store;
  if (leases === undefined) throw new Error('This store has no leases');
  const listener = recordedListener();
  return { ...shared, leases, listener, leave: await leases.join(listener) };
}
