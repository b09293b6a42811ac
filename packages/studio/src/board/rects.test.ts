import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areaFor, boundsOf, cardAt, cardsIn, coveredBy, fitInto, isFar, isWithin, type Rect, seenBy, type View } from './rects.ts';

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
    expect(isFar(grid(150), view(0.1))).toBe(false);
    expect(isFar(grid(151), view(0.1))).toBe(true);
    expect(isFar(grid(1_000), view(0.49))).toBe(true);
    expect(isFar(grid(1_000), view(0.5))).toBe(false); // 7 columns of 10 rows
    expect(isFar(grid(1_000), view(0.5, 1_600))).toBe(true); // 11 of 16
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

describe('the area whose cards are kept drawn', () => {
  const views = fc.record({
    transform: fc.tuple(
      fc.integer({ min: -5_000, max: 5_000 }),
      fc.integer({ min: -5_000, max: 5_000 }),
      fc.double({ min: 0.05, max: 2, noNaN: true }),
    ),
    width: fc.integer({ min: 100, max: 2_000 }),
    height: fc.integer({ min: 100, max: 2_000 }),
  });

  it('has all that is seen in it, wherever the view was before, and is at most three times as wide', () =>
    fc.assert(
      fc.property(fc.array(views, { minLength: 1, maxLength: 8 }), (moves: readonly View[]) => {
        let area: Rect | undefined;
        for (const now of moves) {
          area = areaFor(area, now);
          const seen = seenBy(now);
          expect([area.x <= seen.x, area.y <= seen.y]).toEqual([true, true]);
          expect(area.x + area.width - seen.x - seen.width).toBeGreaterThan(-1e-6 * area.width);
          expect(area.width).toBeLessThanOrEqual(3 * seen.width);
          expect([...cardsIn(grid(300), seen)].every((id) => cardsIn(grid(300), area ?? seen).has(id))).toBe(true);
        }
      }),
    ));

  it('stays while a view moves inside of it', () => {
    const area = areaFor(undefined, view(1));
    expect(areaFor(area, { ...view(1), transform: [-100, -100, 1] })).toBe(area);
    expect(areaFor(area, { ...view(1), transform: [-130, 0, 1] })).not.toBe(area);
  });
});

describe('a card beside which a panel opens', () => {
  const card = { x: 100, y: 0, width: 240, height: 100 };

  it.each([
    ['in view with its margin', 0, 364, 0],
    ['a pixel too far', 0, 363, 1],
    ['half covered', 0, 240, 76],
    ['covered, but for its margin at the beginning', 0, 100, 76],
    ['begun before the margin already', -90, 240, 0],
    ['just seen before', 560, 101, 636],
    ['not seen before', 561, 101, 0],
    ['in a view that has no size yet', 0, 0, 0],
  ])('%s', (_name, x, width, covered) => {
    expect(coveredBy(card, { transform: [x, 0, 1], width })).toBe(covered);
  });
});
