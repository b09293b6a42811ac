import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPool } from './pool.ts';

const size = { places: 32, bytes: 1_000 };
const takes = fc.array(
  fc.record({
    holder: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    places: fc.nat({ max: 9 }),
    bytes: fc.nat({ max: 300 }),
    gives: fc.boolean(),
  }),
  { maxLength: 200 },
);

describe('a pool (P23)', () => {
  it('gives one holder alone half of it, and then a share of what is left to each that comes', () => {
    const { take } = createPool({ places: 32 }, 0.25);
    const takeAll = (holder: string): number => {
      let taken = 0;
      while (take(holder, { places: 1 })) taken += 1;
      return taken;
    };
    expect(['alpha', 'beta', 'gamma'].map(takeAll)).toEqual([16, 8, 8]);
  });

  it('never lends more than there is, keeps nothing of what it refused, and lends all of it again when all is given back', () =>
    fc.assert(
      fc.property(takes, (steps) => {
        const pool = createPool(size, 0.25);
        const held: { readonly holder: string; readonly places: number; readonly bytes: number }[] = [];
        for (const { holder, places, bytes, gives } of steps) {
          const before = pool.used();
          const isTaken = pool.take(holder, { places, bytes });
          if (isTaken) held.push({ holder, places, bytes });
          const added = isTaken ? { places, bytes } : { places: 0, bytes: 0 };
          expect(pool.used()).toEqual({ places: before.places + added.places, bytes: before.bytes + added.bytes });
          expect(pool.used().places).toBeLessThanOrEqual(size.places);
          expect(pool.used().bytes).toBeLessThanOrEqual(size.bytes);
          const given = gives ? held.shift() : undefined;
          if (given !== undefined) pool.give(given.holder, given);
        }
        for (const given of held) pool.give(given.holder, given);
        expect(pool.used()).toEqual({ places: 0, bytes: 0 });
        expect(pool.take('f', { places: 16, bytes: 500 })).toBe(true);
      }),
    ));

  it('has a place for a newcomer, whatever one holder has taken before', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 })), (amounts) => {
        const { take } = createPool({ places: 32 }, 0.25);
        for (const places of amounts) take('alpha', { places });
        expect(take('beta', { places: 8 })).toBe(true);
      }),
    ));
});
