import { arbitraries } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanvasJson } from './canvas-json.ts';
import { type Conflict, isSame, mergeCanvases, takeTheirs } from './merge.ts';

const node = (id: string, data: object, more: object = {}) => ({ id, type: 'message', data, ...more }) as CanvasJson['nodes'][number];
const canvas = (nodes: CanvasJson['nodes'], edges: CanvasJson['edges'] = [], more: object = {}): CanvasJson => ({
  id: 'a',
  name: 'A',
  nodes,
  edges,
  ...more,
});

/** A side that changed fields of nodes, deleted, added and led edges elsewhere. */
const changed = (base: CanvasJson) =>
  fc
    .array(
      fc.record({
        what: fc.nat(4),
        at: fc.nat(),
        field: fc.constantFrom('a', 'b', 'text'),
        value: fc.constantFrom<string | number>('x', 'y', 1),
      }),
      { maxLength: 6 },
    )
    .map((changes) =>
      changes.reduce((side, { what, at, field, value }): CanvasJson => {
        const index = at % Math.max(1, side.nodes.length);
        const found = side.nodes[index];
        if (found === undefined) return side;
        if (what === 0) return { ...side, nodes: side.nodes.with(index, { ...found, data: { ...found.data, [field]: value } }) };
        if (what === 1) return { ...side, nodes: side.nodes.toSpliced(index, 1) };
        if (what === 2)
          return { ...side, nodes: [...side.nodes.filter(({ id }) => id !== `new-${field}`), node(`new-${field}`, { [field]: value })] };
        if (what === 3) return { ...side, name: `${value}` };
        return {
          ...side,
          edges: side.edges.map((edge, number) => (number === at % side.edges.length ? { ...edge, target: found.id } : edge)),
        };
      }, base),
    );

const sides = arbitraries.canvas().chain((base) => fc.tuple(fc.constant(base as CanvasJson), changed(base), changed(base)));

/** Every value of a canvas by its place, lists by name. */
function leaves(value: CanvasJson): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const walk = (part: unknown, at: string): void => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) found.set(at, part);
    else for (const [field, item] of Object.entries(part)) walk(item, `${at}/${field}`);
  };
  for (const one of value.nodes) walk(one, `/nodes/${one.id}`);
  for (const edge of value.edges) walk(edge, `/edges/${edge.source}\0${edge.sourceHandle ?? ''}`);
  walk({ ...value, nodes: undefined, edges: undefined }, '');
  return found;
}

describe('merging two drafts', () => {
  it('takes changes of one side, either one', () => {
    fc.assert(
      fc.property(sides, ([base, mine]) => {
        expect(mergeCanvases(base, mine, base)).toEqual({ canvas: mine, conflicts: [], taken: [] });
        const { canvas: theirs, conflicts } = mergeCanvases(base, base, mine);
        expect(leaves(theirs)).toEqual(leaves(mine));
        expect(conflicts).toEqual([]);
        expect(mergeCanvases(base, mine, mine).conflicts).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('never loses a field: what a side changed is in the canvas, or in a conflict', () => {
    fc.assert(
      fc.property(sides, ([base, mine, theirs]) => {
        const { canvas: merged, conflicts } = mergeCanvases(base, mine, theirs);
        const [before, after] = [leaves(base), leaves(merged)];
        const covers = ({ at }: Conflict, place: string) => place === `/${at.join('/')}` || place.startsWith(`/${at.join('/')}/`);
        for (const side of [mine, theirs])
          for (const [place, value] of leaves(side)) {
            if (isSame(before.get(place), value) || isSame(after.get(place), value)) continue;
            expect({ place, conflicts: conflicts.filter((conflict) => covers(conflict, place)).length }).toEqual({ place, conflicts: 1 });
          }
      }),
      { numRuns: 100 },
    );
  });

  it('taking theirs at every conflict equals merging from their side', () => {
    fc.assert(
      fc.property(sides, ([base, mine, theirs]) => {
        const { canvas: merged, conflicts } = mergeCanvases(base, mine, theirs);
        expect(leaves(conflicts.reduce(takeTheirs, merged))).toEqual(leaves(mergeCanvases(base, theirs, mine).canvas));
      }),
      { numRuns: 100 },
    );
  });

  it('changes of different fields of a node are both kept; of the same field they conflict', () => {
    const base = canvas([node('n', { text: 'Hi', saveAs: 'a' }, { position: { x: 0, y: 0 } })]);
    const mine = canvas([node('n', { text: 'Hello', saveAs: 'a' }, { position: { x: 8, y: 0 } })]);
    const theirs = canvas([node('n', { text: 'Hola', saveAs: 'b' }, { position: { x: 16, y: 0 } })]);
    const { canvas: merged, conflicts, taken } = mergeCanvases(base, mine, theirs);
    expect(merged.nodes[0]).toEqual(node('n', { text: 'Hello', saveAs: 'b' }, { position: { x: 8, y: 0 } }));
    expect(conflicts).toEqual([{ at: ['nodes', 'n', 'data', 'text'], base: 'Hi', mine: 'Hello', theirs: 'Hola' }]);
    expect(taken).toEqual([['nodes', 'n', 'data', 'saveAs']]);
    expect(takeTheirs(merged, conflicts[0]!).nodes[0]?.data).toEqual({ text: 'Hola', saveAs: 'b' });
  });

  it('ids that are names of Object.prototype are ids', () => {
    const base = canvas([node('constructor', { text: 'a' }), node('toString', { text: 'a' })]);
    const theirs = canvas([node('constructor', { text: 'b' }), node('toString', { text: 'a' }), node('valueOf', {})]);
    expect(mergeCanvases(base, base, theirs).canvas).toEqual(theirs);
  });
});
