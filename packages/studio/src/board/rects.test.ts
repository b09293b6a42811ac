import { describe, expect, it } from 'vitest';
import { boundsOf, cardAt, isFar, type Rect } from './rects.ts';

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
