import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Placed } from './align.ts';
import { countOverlapping } from './overlaps.ts';

const cards = fc.uniqueArray(
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
    fc.property(cards, (placed) => {
      const expected = placed.filter((card) => placed.some((other) => other !== card && doOverlap(card, other)));
      expect(countOverlapping(placed)).toBe(expected.length);
    }),
  );
});
