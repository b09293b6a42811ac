import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pin } from './commands.ts';
import { tidyPlaces } from './tidy.ts';

const point = fc.record({ x: fc.integer({ min: -999, max: 999 }), y: fc.integer({ min: -999, max: 999 }) });
const nodes = fc
  .uniqueArray(fc.record({ id: fc.stringMatching(/^[a-z]{1,3}$/), position: point, laidOut: point, isPinned: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
    selector: ({ id }) => id,
  })
  .map((all) => ({
    canvas: {
      id: 'any',
      name: 'Any',
      nodes: all.map(({ id, position, isPinned }) => ({ id, type: 'log', position, ...(isPinned && { draggable: false }) })),
      edges: [],
    },
    places: new Map(all.map(({ id, laidOut }) => [id, laidOut])),
    pinned: all.filter(({ isPinned }) => isPinned).map(({ id }) => id),
  }));

describe('tidying up', () => {
  it('leaves pinned nodes, and lays the others out around the first of them', () => {
    fc.assert(
      fc.property(nodes, ({ canvas, places, pinned }) => {
        const tidied = tidyPlaces(canvas, places);
        const others = canvas.nodes.filter(({ id }) => !pinned.includes(id));
        expect([...tidied.keys()]).toEqual(others.map(({ id }) => id));
        const first = canvas.nodes.find(({ id }) => id === pinned[0]);
        const [stays, laidOut] = [first?.position, places.get(first?.id ?? '')];
        for (const { id } of others) {
          const [place, wanted] = [tidied.get(id)!, places.get(id)!];
          const by = { x: place.x - wanted.x, y: place.y - wanted.y };
          expect(by).toEqual({ x: (stays?.x ?? 0) - (laidOut?.x ?? 0), y: (stays?.y ?? 0) - (laidOut?.y ?? 0) });
        }
      }),
    );
  });

  it('moves the chosen nodes alone', () => {
    fc.assert(
      fc.property(nodes, fc.infiniteStream(fc.boolean()), ({ canvas, places, pinned }, picks) => {
        const chosen = new Set(canvas.nodes.filter(() => picks.next().value).map(({ id }) => id));
        const moved = [...tidyPlaces(canvas, places, chosen).keys()];
        expect(moved).toEqual(
          canvas.nodes.map(({ id }) => id).filter((id) => !pinned.includes(id) && (chosen.size === 0 || chosen.has(id))),
        );
      }),
    );
  });

  it('a node that is pinned and freed again is what it was', () => {
    fc.assert(
      fc.property(nodes, ({ canvas }) => {
        const ids = new Set(canvas.nodes.map(({ id }) => id));
        const freed = pin(ids, false)(canvas);
        expect(freed.nodes.some((node) => 'draggable' in node)).toBe(false);
        expect(pin(ids, false)(pin(ids, true)(freed))).toEqual(freed);
      }),
    );
  });
});
