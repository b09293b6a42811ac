// Where copies of cards stand.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { groundBelow } from './ground.ts';

const box = fc.record({
  x: fc.integer({ min: -500, max: 500 }),
  y: fc.integer({ min: -500, max: 500 }),
  width: fc.integer({ min: 1, max: 300 }),
  height: fc.integer({ min: 1, max: 300 }),
});
const boxes = fc.array(box, { minLength: 1, maxLength: 8 });
type Box = typeof box extends fc.Arbitrary<infer Value> ? Value : never;

const areApart = (one: Box, other: Box): boolean =>
  one.x >= other.x + other.width || other.x >= one.x + one.width || one.y >= other.y + other.height || other.y >= one.y + one.height;

it('copies cover nothing, however cards stand', () =>
  fc.assert(
    fc.property(boxes, boxes, (moved, others) => {
      const down = groundBelow(moved, others);
      const there = moved.map((one) => ({ ...one, y: one.y + down }));
      expect(there.every((one) => others.every((other) => areApart(one, other)))).toBe(true);
    }),
  ));

it('a copy of one card stands right below it, and of the second below the first', () => {
  const card = { x: 0, y: 0, width: 240, height: 96 };
  expect(groundBelow([card], [card])).toBe(120);
  expect(groundBelow([card], [card, { ...card, y: 120 }])).toBe(240);
  expect(groundBelow([card], [card, { ...card, y: 144 + 96 }])).toBe(120);
  expect(groundBelow([card], [card, { ...card, y: 143 + 96 }])).toBe(143 + 96 + 96 + 24);
  expect(groundBelow([card], [])).toBe(24);
});
