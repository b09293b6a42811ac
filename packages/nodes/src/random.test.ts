import type { JsonObject } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { random } from './random.ts';

const accepts = (config: JsonObject) => random.config.safeParse(config).success;
const named = (percents: readonly number[]) => ({ routes: percents.map((percent, index) => ({ name: `r${index}`, percent })) });

/** 2 to 20 percentages of two decimals that total 100: the widths between cuts of the range. */
const percents = fc
  .array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 19 })
  .map((cuts) => cuts.toSorted((a, b) => a - b))
  .map((cuts) => [...cuts, 10_000].map((cut, index) => (cut - (cuts[index - 1] ?? 0)) / 100));

describe('random', () => {
  it('chooses the route in whose share of the range the number falls', () =>
    fc.assert(
      fc.property(percents, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (percents, number) => {
        const reached = percents.map((_, index) =>
          percents.slice(0, index + 1).reduce((sum, percent) => sum + Math.round(percent * 100), 0),
        );
        const expected = reached.filter((end) => end <= number * 10_000).length;
        expect(visit(random, { config: named(percents), random: [number] }).by).toBe(`r${expected}`);
      }),
    ));

  it('never draws a route of 0 percent', () => {
    expect(visit(random, { config: named([0, 100]), random: [0] }).by).toBe('r1');
    expect(visit(random, { config: named([100, 0]), random: [1 - Number.EPSILON / 2] }).by).toBe('r0');
  });

  it('draws once a visit', () => {
    let draws = 0;
    const { run, config } = random;
    run({
      config: config.parse(named([50, 50])),
      random: () => {
        draws += 1;
        return 0.7;
      },
    } as Parameters<typeof run>[0]);
    expect(draws).toBe(1);
  });

  it('has a port for each route', () => {
    expect(random.ports(random.config.parse(named([10, 90])))).toEqual(['r0', 'r1']);
  });

  it('accepts percentages that total exactly 100, in spite of floating point', () => {
    fc.assert(
      fc.property(percents, (percents) => {
        expect(accepts(named(percents))).toBe(true);
      }),
    );
    expect(accepts(named([33.33, 33.33, 33.34]))).toBe(true);
  });

  it.each([
    ['99.99', [50, 49.99]],
    ['100.01', [50, 50.01]],
    ['a negative share', [-1, 101]],
    ['three decimals', [33.333, 66.667]],
    ['a share that only rounds to two decimals', [50.000_001, 49.999_999]],
  ])('refuses %s', (_, percents) => {
    expect(accepts(named(percents))).toBe(false);
  });

  it('accepts 2 to 20 routes', () => {
    const many = (count: number) => named(Array.from({ length: count }, (_, index) => (index === 0 ? 100 : 0)));
    expect([1, 2, 20, 21].map((count) => accepts(many(count)))).toEqual([false, true, true, false]);
  });

  it('refuses two routes of one name', () => {
    const route = { name: 'a', percent: 50 };
    expect(accepts({ routes: [route, route] })).toBe(false);
  });
});
