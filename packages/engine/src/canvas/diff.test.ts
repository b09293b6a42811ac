import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canvasOf } from '../../test/small-nodes.ts';
import { Canvas } from '../contract/canvas.ts';
import type { JsonObject } from '../contract/json.ts';
import { diffCanvases } from './diff.ts';
import { canvasHash } from './hash.ts';

/** Few names and values, so that two of these have much in common. */
const small = fc.constantFrom<JsonObject>({}, { a: 1 }, { a: [1, 2] }, { a: [1], b: 'x' }, { b: { c: null } }, { b: { c: {} } });
const id = fc.constantFrom('n1', 'n2', 'n3');
const canvas = fc
  .record({
    nodes: fc.uniqueArray(fc.record({ id, type: fc.constantFrom('step', 'end'), data: small }), {
      minLength: 1,
      selector: (node) => node.id,
    }),
    edges: fc.array(fc.record({ source: id, target: id, sourceHandle: fc.constantFrom('a', 'b', null) }), { maxLength: 4 }),
    name: fc.constantFrom('A', 'B'),
    variables: fc.constantFrom({}, { x: { default: 1 } }, { x: { default: 1, type: 'number' } }),
    settings: fc.constantFrom({}, { sessionExpiry: 'PT1H' }),
    position: fc.nat(9),
  })
  .map(({ nodes, position, ...rest }) =>
    Canvas.parse({ schemaVersion: 1, id: 'a', ...rest, nodes: nodes.map((node) => ({ ...node, position: { x: position, y: 0 } })) }),
  );

describe('diffCanvases', () => {
  it('finds a difference exactly where the hashes differ', () =>
    fc.assert(
      fc.property(canvas, canvas, (before, after) => {
        const { nodes, edges, settings } = diffCanvases(before, after);
        expect(nodes.length + edges.length + settings.length === 0).toBe(canvasHash(before) === canvasHash(after));
      }),
    ));

  it('reports the same in reverse, with before and after exchanged', () =>
    fc.assert(
      fc.property(canvas, canvas, (before, after) => {
        const told = (first: Canvas, second: Canvas, isTurned: boolean) => {
          const { nodes, edges, settings } = diffCanvases(first, second);
          const sides = ({ before: old, after: now }: { readonly before?: unknown; readonly after?: unknown }) =>
            JSON.stringify(isTurned ? [now, old] : [old, now]);
          return [
            ...nodes.flatMap(({ nodeId, fields }) => fields.map((field) => `${nodeId} ${field.pointer} ${sides(field)}`)),
            ...settings.map((field) => `${field.pointer} ${sides(field)}`),
            ...edges.flatMap(({ source, port, before: old, after: now }) => [`from ${source} ${port} ${isTurned ? now : old}`]),
          ].toSorted();
        };
        expect(told(before, after, false)).toEqual(told(after, before, true));
      }),
    ));

  it('names the smallest parts that differ, and where a port leads', () => {
    const nodes = [
      { id: 'begin', type: 'start' },
      { id: 'say', type: 'step', data: { text: 'Hi', list: [1, 2] } },
      { id: 'gone', type: 'end' },
    ];
    const before = Canvas.parse(canvasOf(nodes, ['begin → say', 'say.next → gone']));
    const changed = [
      nodes[0],
      { id: 'say', type: 'step', data: { text: 'Hello', list: [1] } },
      { id: 'new/1'.replace('/', ':'), type: 'end' },
    ];
    const after = Canvas.parse(
      canvasOf(changed as typeof nodes, ['begin → say', 'say.next → new:1', 'say.other → say'], { name: 'Other' }),
    );
    expect(diffCanvases(before, after)).toEqual({
      nodes: [
        {
          nodeId: 'say',
          kind: 'changed',
          fields: [
            { pointer: '/data/text', before: 'Hi', after: 'Hello' },
            { pointer: '/data/list/1', before: 2 },
          ],
        },
        { nodeId: 'gone', kind: 'removed', fields: [{ pointer: '', before: { type: 'end', data: {} } }] },
        { nodeId: 'new:1', kind: 'added', fields: [{ pointer: '', after: { type: 'end', data: {} } }] },
      ],
      edges: [
        { source: 'say', port: 'next', before: 'gone', after: 'new:1' },
        { source: 'say', port: 'other', after: 'say' },
      ],
      settings: [{ pointer: '/name', before: before.name, after: 'Other' }],
    });
  });
});
