// Commands that move cards: what a card that is put on a way does to those around it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanvasJson } from './canvas-json.ts';
import { column, makeRoom, snap } from './commands.ts';

const near = fc.record({ x: fc.integer({ min: -900, max: 900 }), y: fc.integer({ min: -400, max: 400 }) });
const scenes = fc.record({
  at: near.map(snap),
  nodes: fc.uniqueArray(fc.record({ id: fc.stringMatching(/^[a-z]{1,2}$/), position: near, isPinned: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
    selector: ({ id }) => id,
  }),
});

describe('making room', () => {
  it('leaves nothing but what stays beside the new card, and moves cards to the right alone, by one distance', () => {
    fc.assert(
      fc.property(scenes, ({ at, nodes }) => {
        const canvas: CanvasJson = {
          id: 'any',
          name: 'Any',
          nodes: nodes.map(({ id, position, isPinned }) => ({ id, type: 'log', position, ...(isPinned && { draggable: false }) })),
          edges: [],
        };
        const from = nodes[0]?.id ?? '';
        const after = makeRoom(at, from)(canvas).nodes;
        const distances = new Set<number>();
        for (const [index, { id, position, isPinned }] of nodes.entries()) {
          const moved = after[index]?.position ?? position;
          const by = moved.x - position.x;
          const stays = isPinned || id === from;
          const isBeside = Math.abs(moved.x - at.x) >= column || Math.abs(moved.y - at.y) >= 160;
          expect(stays ? by === 0 : isBeside).toBe(true);
          expect(by).toBeGreaterThanOrEqual(0);
          if (by > 0) distances.add(Math.round(by / 8));
        }
        expect(distances.size).toBeLessThanOrEqual(2); // one, but for what the grid rounds
      }),
    );
  });

  it('a canvas with room enough is the same one', () => {
    const canvas: CanvasJson = {
      id: 'any',
      name: 'Any',
      nodes: [
        { id: 'before', type: 'log', position: { x: 0, y: 0 } },
        { id: 'after', type: 'log', position: { x: 2 * column, y: 0 } },
      ],
      edges: [],
    };
    expect(makeRoom({ x: column, y: 0 }, 'before')(canvas)).toBe(canvas);
    const moved = makeRoom({ x: column + 8, y: 0 }, 'before')(canvas).nodes;
    expect(moved.map(({ position }) => position?.x)).toEqual([0, 2 * column + 8]);
  });
});
