import { parseCanvas } from '@hilo/engine';
import { diffCanvases } from '@hilo/engine/authoring';
import { arbitraries } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanvasJson } from './canvas-json.ts';
import { countChanges, marksOf, unionOf } from './diff.ts';

const canvas: CanvasJson = {
  schemaVersion: 1,
  id: 'a',
  name: 'A',
  nodes: [
    { id: 'one', type: 'message', position: { x: 0, y: 0 }, data: { message: { type: 'text', text: 'Hi' } } },
    { id: 'two', type: 'end' },
  ],
  edges: [{ source: 'one', sourceHandle: 'sent', target: 'two' }],
};
const read = (json: unknown) => parseCanvas(json).canvas!;

describe('the picture of a difference', () => {
  it('marks what was added, taken away and changed, and shows what was taken away', () => {
    const after: CanvasJson = {
      ...canvas,
      nodes: [
        { ...canvas.nodes[0]!, position: { x: 99, y: 0 }, data: { message: { type: 'text', text: 'Hello' } } },
        { id: 'three', type: 'end' },
      ],
      edges: [{ source: 'one', sourceHandle: 'sent', target: 'three' }],
    };
    const changes = diffCanvases(read(canvas), read(after));
    expect(countChanges(changes)).toBe(4);
    expect(unionOf(canvas, after).nodes.map(({ id }) => id)).toEqual(['one', 'three', 'two']);
    expect([...marksOf(changes).nodes]).toEqual([
      ['one', 'changed'],
      ['two', 'removed'],
      ['three', 'added'],
    ]);
    expect([...marksOf(changes).ports]).toEqual([['one\0sent', 'changed']]);
  });

  it('has a card and a wire for everything that is marked', () => {
    fc.assert(
      fc.property(arbitraries.canvas(), arbitraries.canvas(), (one, other) => {
        const both = unionOf(one, other);
        const { nodes, ports } = marksOf(diffCanvases(read(one), read({ ...other, id: one.id })));
        for (const id of nodes.keys()) expect(both.nodes.filter((node) => node.id === id)).toHaveLength(1);
        for (const key of ports.keys())
          expect(both.edges.filter((edge) => `${edge.source}\0${edge.sourceHandle ?? ''}` === key)).toHaveLength(1);
      }),
      { numRuns: 40 },
    );
  });
});
