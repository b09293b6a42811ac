import { arbitraries } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, layOut, type LayoutInput, maxForDagre } from './layout.ts';

const boxes = (count: number): fc.Arbitrary<Box[]> =>
  fc
    .array(fc.integer({ min: 40, max: 400 }), { minLength: count, maxLength: count })
    .map((heights) => heights.map((height, index) => ({ id: `n${index}`, width: 240, height })));

/** Any graph: loops, parallel edges, parts that hang together with nothing. */
const graph = (count: number): fc.Arbitrary<LayoutInput> =>
  fc.record({
    boxes: boxes(count),
    ways: fc.array(
      fc.record({
        source: fc.nat(count - 1).map((n) => `n${n}`),
        target: fc.nat(count + 1).map((n) => `n${n}`),
        order: fc.nat(5),
        isPlain: fc.boolean(),
      }),
      { maxLength: count * 2 },
    ),
  });

function overlaps({ boxes: all }: LayoutInput, places: ReturnType<typeof layOut>): readonly string[] {
  const found: string[] = [];
  for (const [index, a] of all.entries())
    for (const b of all.slice(index + 1)) {
      const [p, q] = [places.get(a.id)!, places.get(b.id)!];
      if (p.x < q.x + b.width && q.x < p.x + a.width && p.y < q.y + b.height && q.y < p.y + a.height) found.push(`${a.id} ${b.id}`);
    }
  return found;
}

describe('the layout', () => {
  it.each([1, 2, 12, maxForDagre, maxForDagre + 1])('of %i cards has no overlap, and is the same each time', (count) => {
    fc.assert(
      fc.property(graph(count), (input) => {
        const places = layOut(input);
        expect(places.size).toBe(count);
        expect(overlaps(input, places)).toEqual([]);
        for (const { x, y } of places.values()) expect([x % 8, y % 8, Number.isFinite(x + y)]).toEqual([0, 0, true]);
        expect(layOut(input)).toEqual(places);
      }),
      { numRuns: count > 100 ? 4 : 60 },
    );
  });

  it('every step forward of a canvas without loops leads to the right', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 200 }), fc.array(fc.tuple(fc.nat(199), fc.nat(199)), { maxLength: 300 }), (count, pairs) => {
        const ways = pairs
          .filter(([a, b]) => a < b && b < count)
          .map(([a, b]) => ({ source: `n${a}`, target: `n${b}`, order: 0, isPlain: true }));
        const places = layOut({ boxes: Array.from({ length: count }, (_, index) => ({ id: `n${index}`, width: 240, height: 80 })), ways });
        for (const { source, target } of ways) expect(places.get(source)!.x).toBeLessThan(places.get(target)!.x);
      }),
      { numRuns: 20 },
    );
  });

  it('a chain of 20,000 nodes is laid out in linear work', () => {
    const count = 20_000;
    const chain = {
      boxes: Array.from({ length: count }, (_, index) => ({ id: `n${index}`, width: 240, height: 80 })),
      ways: Array.from({ length: count - 1 }, (_, index) => ({ source: `n${index}`, target: `n${index + 1}`, order: 0, isPlain: true })),
    };
    expect(layOut(chain).get(`n${count - 1}`)).toEqual({ x: (count - 1) * 328, y: 0 });
  });

  it('lays out generated canvases', () => {
    fc.assert(
      fc.property(arbitraries.canvas(), ({ nodes, edges }) => {
        const input = {
          boxes: nodes.map(({ id }) => ({ id, width: 240, height: 100 })),
          ways: edges.map(({ source, target }) => ({ source, target, order: 0, isPlain: true })),
        };
        expect(overlaps(input, layOut(input))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});
