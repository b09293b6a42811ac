import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentsOf, frameSize, putFrame, refitFrames, resizeFrame, withFramed } from './frames.ts';

const canvas = (nodes: readonly object[]) => ({ id: 'c', name: 'C', nodes, edges: [] }) as never;
const box = (id: string, x: number, y: number, width = 240, height = 60) => ({ id, x, y, width, height });

describe('a frame', () => {
  it.for([
    [
      { type: 'note', width: 300, height: 200 },
      { width: 300, height: 200 },
    ],
    [{ type: 'note' }, undefined],
    [{ type: 'note', width: 300 }, undefined],
    [{ type: 'note', width: 0, height: 200 }, undefined],
    [{ type: 'note', width: -1, height: 200 }, undefined],
    [{ type: 'note', width: Number.NaN, height: 200 }, undefined],
    [{ type: 'note', width: 1e9, height: 200 }, undefined],
    [{ type: 'note', width: null, height: '200' }, undefined],
    [{ type: 'message', width: 300, height: 200 }, undefined], // what React Flow measured of a card
  ] as const)('%j has the size %j', ([node, size]) => {
    expect(frameSize({ id: 'n', ...node })).toEqual(size);
  });

  const place = fc.record({ x: fc.integer({ min: -900, max: 900 }), y: fc.integer({ min: -900, max: 900 }) });
  const boxes = fc.array(place, { minLength: 1, maxLength: 8 }).map((all) => all.map(({ x, y }, index) => box(`n${index}`, x, y)));

  it('stands around what it was put around, and takes it along', () => {
    fc.assert(
      fc.property(boxes, place, fc.nat(500), (inside, by, growth) => {
        const nodes = inside.map(({ id, x, y }) => ({ id, type: 'message', position: { x, y } }));
        const [frame, ...others] = putFrame(inside, new Set(), { id: 'f', type: 'note' })(canvas(nodes)).nodes;
        expect(others).toEqual(nodes); // it is drawn behind them
        const drawn = box('f', frame!.position!.x, frame!.position!.y, Number(frame!['width']), Number(frame!['height']));
        const all = [drawn, ...inside];
        expect(contentsOf(all, new Set(['f'])).get('f')).toEqual(inside.map(({ id }) => id));
        const grown = inside.map((one) => ({ ...one, height: one.height + growth })); // what they say is checked, or another text
        expect(contentsOf([drawn, ...grown], new Set(['f'])).get('f')).toEqual(inside.map(({ id }) => id));
        const to = { x: drawn.x + by.x, y: drawn.y + by.y };
        const moved = withFramed(all, { frames: new Set(['f']), pinned: new Set(['n0']) }, new Map([['f', to]]));
        for (const { id, x, y } of inside) expect(moved.get(id)).toEqual(id === 'n0' ? undefined : { x: x + by.x, y: y + by.y });
        expect(withFramed(all, { frames: new Set(['f']), pinned: new Set() }, new Map([['n0', to]])).size).toBe(1); // a card alone
      }),
    );
  });

  it('is fitted to the others that are chosen with it, and to what it stood around when that was moved', () => {
    const frame = { id: 'f', type: 'note', position: { x: 0, y: 0 }, width: 900, height: 900 };
    const chosen = [box('f', 0, 0, 900, 900), box('a', 100, 100)];
    const fitted = putFrame(chosen, new Set(['f']), { id: 'g', type: 'note' })(canvas([frame])).nodes;
    expect(fitted).toEqual([{ ...frame, position: { x: 76, y: 52 }, width: 288, height: 132 }]);
    const contents = contentsOf(chosen, new Set(['f']));
    expect(refitFrames(contents, [box('f', 0, 0, 900, 900), box('a', 500, 500)])(canvas([frame])).nodes).toEqual([
      { ...frame, position: { x: 476, y: 452 }, width: 288, height: 132 },
    ]);
    expect(refitFrames(new Map([['f', []]]), chosen)(canvas([frame])).nodes).toEqual([frame]); // it is empty
  });

  it.each([
    [-500, -500, 96, 64],
    [91, 59, 96, 64],
    [99, 67, 96, 64],
    [100, 68, 104, 72],
    [400, 300, 400, 304],
    [100_000, 300, 100_000, 304],
    [100_001, 300, 100_000, 304],
    [100_004, 300, 300, 200], // larger than a frame can be: it stays as it is
    [Number.NaN, 300, 300, 200],
  ])('is made %d by %d: it is %d by %d', (width, height, ...size) => {
    const frame = { id: 'f', type: 'note', position: { x: 8, y: 16 }, width: 300, height: 200 };
    const other = { id: 'n', type: 'note', position: { x: 0, y: 0 } };
    const { nodes } = resizeFrame('f', { width, height })(canvas([frame, other]));
    expect(nodes).toEqual([{ ...frame, width: size[0], height: size[1] }, other]);
  });
});
