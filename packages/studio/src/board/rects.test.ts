import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundsOf, cardAt, fitInto, isFar, isWithin, type Rect } from './rects.ts';

const grid = (count: number): ReadonlyMap<string, Rect> =>
  new Map(
    Array.from({ length: count }, (_, index) => [
      `${index}`,
      { x: (index % 20) * 300, y: Math.floor(index / 20) * 200, width: 240, height: 100 },
    ]),
  );
const view = (zoom: number, size = 1_000) => ({ transform: [0, 0, zoom], width: size, height: size }) as const;

describe('a canvas from afar', () => {
  it('begins below a zoom, or where more cards are in view than a browser draws with ease', () => {
    expect(isFar(grid(250), view(0.1))).toBe(false);
    expect(isFar(grid(251), view(0.1))).toBe(true);
    expect(isFar(grid(1_000), view(0.25))).toBe(true); // 14 columns of 20 rows
    expect(isFar(grid(1_000), view(0.3))).toBe(false);
    expect(isFar(grid(1_000), view(1, 100_000))).toBe(true);
  });

  it('finds the card at a point, and the bounds of all', () => {
    expect(cardAt(grid(100), { x: 310, y: 250 })).toBe('21');
    expect(cardAt(grid(100), { x: 290, y: 250 })).toBeUndefined();
    expect(boundsOf([...grid(40).values()])).toEqual({ x: 0, y: 0, width: 19 * 300 + 240, height: 300 });
    expect(boundsOf([])).toBeUndefined();
  });
});

describe('a part of a canvas that is fitted into a view', () => {
  const place = fc.integer({ min: -100_000, max: 100_000 });
  const card = fc.record({ x: place, y: place, width: fc.integer({ min: 1, max: 400 }), height: fc.integer({ min: 1, max: 2_000 }) });
  const part = fc.array(card, { minLength: 1, maxLength: 9 }).map((cards) => boundsOf(cards)!);
  const side = fc.integer({ min: 90, max: 4_000 });

  it('is whole, in the middle, as large as it can be and never larger than it is, whatever its size and place', () =>
    fc.assert(
      fc.property(part, side, side, (rect, width, height) => {
        const { x, y, zoom } = fitInto(rect, width, height);
        const [left, right] = [rect.x * zoom + x, width - (rect.x + rect.width) * zoom - x];
        const [top, bottom] = [rect.y * zoom + y, height - (rect.y + rect.height) * zoom - y];
        expect(isWithin(rect, { transform: [x, y, zoom], width, height })).toBe(true);
        expect(left - right).toBeCloseTo(0, 3);
        expect(bottom - top).toBeCloseTo(32, 3); // the buttons are below
        expect(zoom).toBeLessThanOrEqual(1);
        expect(Math.min(left - 36, top - 24, 1 - zoom)).toBeCloseTo(0, 3);
      }),
    ));

  it.each([
    ['all of it', { x: 0, y: 0, width: 100, height: 50 }, true],
    ['one pixel more to the right', { x: 0, y: 0, width: 101, height: 50 }, false],
    ['one pixel more at the bottom', { x: 0, y: 0, width: 100, height: 51 }, false],
    ['one pixel more to the left', { x: -1, y: 0, width: 100, height: 50 }, false],
    ['one pixel more at the top', { x: 0, y: -1, width: 100, height: 50 }, false],
  ])('is in view: %s', (_, rect, isWhole) => {
    expect(isWithin(rect, { transform: [0, 0, 2], width: 200, height: 100 })).toBe(isWhole);
  });

  it('has a place in a view that has none', () => {
    expect(fitInto({ x: 0, y: 0, width: 100, height: 100 }, 0, 0).zoom).toBeCloseTo(0.01);
  });
});
