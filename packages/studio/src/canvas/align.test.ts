import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignCards, type Placed } from './align.ts';
import { countOverlapping } from './overlapping.ts';

const cards = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1, maxLength: 4 }),
    x: fc.integer({ min: -2_000, max: 2_000 }),
    y: fc.integer({ min: -2_000, max: 2_000 }),
    width: fc.constant(240),
    height: fc.integer({ min: 56, max: 400 }),
  }),
  { selector: ({ id }) => id, minLength: 2, maxLength: 8 },
);

/** The cards where they are then, from left to right or from top to bottom. */
const after = (placed: readonly Placed[], how: Parameters<typeof alignCards>[1]) =>
  placed.map((card) => ({ ...card, ...alignCards(placed, how).get(card.id) }));

describe('aligning cards', () => {
  it('puts them in one line, where the first of them stands, and moves them on no other axis', () => {
    fc.assert(
      fc.property(cards, (placed) => {
        const [left, top] = [after(placed, 'left'), after(placed, 'top')];
        expect(new Set(left.map(({ x }) => x))).toEqual(new Set([Math.min(...placed.map(({ x }) => x))]));
        expect(new Set(top.map(({ y }) => y))).toEqual(new Set([Math.min(...placed.map(({ y }) => y))]));
        expect(left.map(({ y }) => y)).toEqual(placed.map(({ y }) => y));
        expect(top.map(({ x }) => x)).toEqual(placed.map(({ x }) => x));
      }),
    );
  });

  it('makes the gaps equal, and leaves the order and the outermost where they are', () => {
    fc.assert(
      fc.property(cards, fc.constantFrom('across' as const, 'down' as const), (placed, how) => {
        const [axis, size] = how === 'across' ? (['x', 'width'] as const) : (['y', 'height'] as const);
        const before = placed.toSorted((a, b) => a[axis] - b[axis]);
        const now = before.map(({ id }) => after(placed, how).find((card) => card.id === id)!);
        expect(now[0]![axis]).toBe(before[0]![axis]);
        expect(now.at(-1)![axis]).toBeCloseTo(before.at(-1)![axis]);
        const gaps = now.slice(1).map((card, index) => card[axis] - now[index]![axis] - now[index]![size]);
        for (const gap of gaps) expect(gap).toBeCloseTo(gaps[0]!);
      }),
    );
  });
});

/** Cards that are close together. */
const crowds = fc.uniqueArray(
  fc.record({
    id: fc.nat().map(String),
    x: fc.integer({ min: 0, max: 60 }),
    y: fc.integer({ min: 0, max: 60 }),
    width: fc.constant(24),
    height: fc.integer({ min: 1, max: 20 }),
  }),
  { selector: ({ id }) => id, maxLength: 12 },
);

const doOverlap = (a: Placed, b: Placed): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

it('counts the cards that stand over another one, as looking at every pair does', () => {
  fc.assert(
    fc.property(crowds, (placed) => {
      const expected = placed.filter((card) => placed.some((other) => other !== card && doOverlap(card, other)));
      expect(countOverlapping(placed)).toBe(expected.length);
    }),
  );
});
