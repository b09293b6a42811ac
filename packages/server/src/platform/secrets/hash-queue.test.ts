import type { LimitReached } from '@hilo/drivers';
import { createVirtualClock } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHashQueue, type Guesser } from './hash-queue.ts';

const bounds = { atOnce: 2, waiting: 128, share: 0.25, freeFailures: 10, pauseStepMs: 50, longestPauseMs: 500 };

/** A queue whose verdicts the test gives one by one. */
function stage(given: Partial<typeof bounds> = {}) {
  const clock = createVirtualClock();
  const reached: LimitReached[] = [];
  let setBackMs = 0;
  const turns = createHashQueue(
    { ...bounds, ...given },
    { ...clock, now: () => clock.now() - setBackMs },
    (limit) => void reached.push(limit),
  );
  const atWork: { readonly name: string; readonly end: (isRight: boolean) => void }[] = [];
  const ended: (readonly [name: string, verdict: boolean | undefined])[] = [];
  const guess = (name: string, { network = 'a', clientId = 'acme' }: Partial<Guesser> = {}): void => {
    const judge = () => new Promise<boolean>((end) => void atWork.push({ name, end }));
    void turns.judge({ network, clientId }, judge).then((verdict) => ended.push([name, verdict]));
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    clock,
    reached,
    atWork,
    ended,
    guess,
    /** A wall of wrong secrets. */
    wall: (count: number, who?: Partial<Guesser>) => {
      for (let number = 0; number < count; number += 1) guess(`wrong ${number}`, who);
    },
    /** Ends the judgement that has been at work the longest. */
    async judgeNext(isRight = false) {
      const next = atWork.shift();
      next?.end(isRight);
      await settled();
      return next?.name;
    },
    settled,
    /** Sets the clock back; timers continue. */
    setBack(ms: number) {
      setBackMs += ms;
    },
    names: () => atWork.map(({ name }) => name),
  };
}

describe('turns of judging', () => {
  it.each<[string, Partial<Guesser>]>([
    ['of another client and network', { network: 'b', clientId: 'other' }],
    ['of another client, behind the same proxy', { clientId: 'other' }],
    ['of the same client elsewhere', { network: 'b' }],
  ])('do not let a right secret %s wait behind a wall of wrong ones', async (_where, who) => {
    const { wall, guess, names, ended, settled } = stage();
    wall(100);
    guess('right', who);
    expect(names()).toEqual(['wrong 0', 'right']);
    await settled();
    expect(ended.every(([, verdict]) => verdict === undefined)).toBe(true);
  });

  it('take the latest of a lane first: a right secret among guesses for its own client waits for one of them', async () => {
    const { wall, guess, judgeNext, names } = stage();
    wall(60);
    guess('right');
    expect(await judgeNext()).toBe('wrong 0');
    expect(names()).toEqual(['right']);
  });

  it('let a network and a client have their share, and send the oldest of them away, which is reported', async () => {
    const { wall, guess, ended, reached, settled } = stage();
    wall(100); // one in progress, and half of the places, since no other lane wants one
    await settled();
    expect(ended).toHaveLength(35);
    expect(ended.slice(0, 2)).toEqual([
      ['wrong 1', undefined],
      ['wrong 2', undefined],
    ]);
    expect(reached).toHaveLength(35);
    expect(reached[0]).toMatchObject({ limit: 'client-secrets', holder: 'a' });
    for (let number = 0; number < 32; number += 1) guess(`right ${number}`, { network: 'b', clientId: `client ${number}` });
    await settled();
    expect(ended).toHaveLength(35);
  });

  it('pause after more wrong secrets than a person types, half a second at most, until a right one', async () => {
    const { wall, guess, judgeNext, clock, atWork } = stage();
    wall(40);
    const pausesMs: number[] = [];
    for (let judged = 0; judged < 30; judged += 1) {
      if (atWork.length === 0) {
        pausesMs.push((clock.nextMs() ?? 0) - clock.now());
        clock.advanceBy(pausesMs.at(-1) ?? 0);
      }
      await judgeNext();
    }
    expect(pausesMs.slice(0, 11)).toEqual([50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 500]);
    expect(new Set(pausesMs.slice(9))).toEqual(new Set([500]));
    guess('right');
    clock.advanceBy(500);
    expect(await judgeNext(true)).toBe('right');
    expect(atWork).toHaveLength(1);
  });

  it('delay the next secret from a guessing network, of any client, and of no other network', async () => {
    const { wall, guess, judgeNext, clock, names } = stage();
    wall(12);
    for (let judged = 0; judged < 12; judged += 1) {
      clock.advanceBy(names().length === 0 ? 500 : 0);
      await judgeNext();
    }
    guess('beside it', { clientId: 'other' });
    guess('elsewhere', { network: 'b', clientId: 'other' });
    expect(names()).toEqual(['elsewhere']);
    clock.advanceBy(100);
    expect(names()).toEqual(['elsewhere', 'beside it']);
  });

  it('do not wait longer when the clock is set back', async () => {
    const { wall, judgeNext, clock, names, setBack } = stage();
    wall(40);
    for (let judged = 0; judged < 11; judged += 1) await judgeNext();
    setBack(3_600_000);
    clock.advanceBy(500);
    expect(names()).toHaveLength(1);
  });

  it('check or evict each secret once, within the concurrency bound, and one of a lane at a time', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y', 'z'), fc.boolean(), fc.nat(600)), { maxLength: 60 }),
        async (steps) => {
          const { guess, judgeNext, names, ended, clock } = stage({ waiting: 8 });
          for (const [index, [network, clientId, isRight, afterMs]] of steps.entries()) {
            guess(`${network}${clientId} ${index}`, { network, clientId });
            const lanes = names().map((name) => name.split(' ')[0]);
            expect(lanes.length).toBeLessThanOrEqual(2);
            expect(new Set(lanes).size).toBe(lanes.length);
            clock.advanceBy(afterMs);
            if (afterMs % 3 === 0) await judgeNext(isRight);
          }
          for (let round = 0; round < steps.length; round += 1) {
            clock.advanceBy(500);
            await judgeNext();
          }
          expect(ended.map(([name]) => name).toSorted()).toEqual(
            steps.map(([network, clientId], index) => `${network}${clientId} ${index}`).toSorted(),
          );
        },
      ),
    ));
});
