import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../src/seeded-random.ts';
import { createVirtualClock } from '../src/virtual-clock.ts';

describe('createVirtualClock', () => {
  it('fires timers in the order of their due times, equal ones in the order they were set, each at its time', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 20 }), fc.integer({ min: 0, max: 25 }), (delays, until) => {
        const clock = createVirtualClock(1_000);
        const fired: (readonly [number, number])[] = [];
        for (const [index, delay] of delays.entries()) clock.setTimeout(() => fired.push([clock.now() - 1_000, index]), delay);
        clock.advanceBy(until);
        const expected = delays.map((delay, index) => [delay, index] as const).filter(([delay]) => delay <= until);
        expect(fired).toEqual(expected.toSorted(([a], [b]) => a - b));
        expect(clock.now()).toBe(1_000 + until);
        expect(clock.nextMs()).toBe(
          delays.some((delay) => delay > until) ? 1_000 + Math.min(...delays.filter((delay) => delay > until)) : undefined,
        );
      }),
    ));

  it('fires timers that a callback sets, and none that is cleared', () => {
    const clock = createVirtualClock(0);
    const fired: string[] = [];
    const cleared = clock.setTimeout(() => fired.push('cleared'), 5);
    clock.setTimeout(() => {
      fired.push(`first at ${clock.now()}`);
      clock.clearTimeout(cleared);
      clock.setTimeout(() => fired.push(`inner at ${clock.now()}`), 4);
    }, 3);
    clock.advanceTo(10);
    expect(fired).toEqual(['first at 3', 'inner at 7']);
  });

  it('does not go back', () => {
    const clock = createVirtualClock(5);
    expect(() => clock.advanceTo(4)).toThrow(RangeError);
    expect(clock.now()).toBe(5);
  });
});

describe('seededRandom', () => {
  it('returns the same bytes for the same seed, and others for another', () =>
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (seed, other) => {
        fc.pre((seed | 0) !== (other | 0));
        expect(seededRandom(seed).bytes(16)).toEqual(seededRandom(seed).bytes(16));
        expect(seededRandom(seed).bytes(16)).not.toEqual(seededRandom(other).bytes(16));
      }),
    ));

  it('returns every byte about equally often', () => {
    const counts = new Uint32Array(256);
    for (const byte of seededRandom(1).bytes(256 * 1_000)) counts[byte]! += 1;
    expect(Math.min(...counts)).toBeGreaterThan(800);
    expect(Math.max(...counts)).toBeLessThan(1_200);
  });
});
