import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Canvas } from '../contract/canvas.ts';
import type { JsonObject } from '../contract/json.ts';
import { canvasHash } from './hash.ts';

const a = { id: 'a', type: 'start', data: { keywords: ['hi'], nested: { x: 1, y: 2 } } };
const b = { id: 'b', type: 'end' };
const next = { source: 'a', sourceHandle: 'next', target: 'b' };
const other = { source: 'a', sourceHandle: 'other', target: 'a' };
const base = { schemaVersion: 1, id: 'order', name: 'Order', nodes: [a, b], edges: [next, other] };

const hash = (canvas: JsonObject) => canvasHash(Canvas.parse(canvas));

const layout = fc.record(
  { position: fc.record({ x: fc.integer(), y: fc.integer() }), selected: fc.boolean(), width: fc.nat(), zIndex: fc.nat() },
  { requiredKeys: [] },
);
const looks = fc.record(
  { id: fc.string({ maxLength: 9 }), animated: fc.boolean(), label: fc.string(), targetHandle: fc.constant(null) },
  { requiredKeys: [] },
);

/** The same object with its keys in another order. */
const reversed = (value: object): object => Object.fromEntries(Object.entries(value).reverse());

describe('canvasHash', () => {
  it('is 64 hexadecimal digits that never change', () => {
    expect(hash(base)).toBe('a3a7e0f7cc6bdcf6cf85ae3016ea9324909cbc5095d15e4c82865e48e97245ce');
  });

  it('sees neither layout nor looks nor the order of nodes, edges and keys', () =>
    fc.assert(
      fc.property(layout, layout, looks, looks, (layoutA, layoutB, looksNext, looksOther) => {
        const nodes = [reversed({ ...b, ...layoutB }), { ...a, ...layoutA, data: reversed(a.data) }];
        const edges = [{ ...looksOther, ...other }, reversed({ ...next, ...looksNext })];
        const canvas = { ...base, nodes, edges, viewport: { x: 1, y: 2, zoom: 3 }, $schema: './canvas.schema.json' };
        expect(hash(reversed(canvas) as JsonObject)).toBe(hash(base));
      }),
    ));

  it('does not depend on whether a default is written out', () => {
    const spelled = { ...base, kind: 'skill', settings: {}, variables: {}, nodes: [a, { ...b, data: {} }] };
    expect(hash(spelled)).toBe(hash(base));
    expect(hash({ ...base, edges: [{ ...next, sourceHandle: null }] })).toBe(hash({ ...base, edges: [{ source: 'a', target: 'b' }] }));
  });

  it.each<[string, JsonObject]>([
    ['its id', { id: 'orders' }],
    ['its name', { name: 'Orders' }],
    ['its kind', { kind: 'tool' }],
    ['a setting', { settings: { sessionExpiry: 'PT1H' } }],
    ['a variable', { variables: { attempts: { default: 0 } } }],
    ['a node’s type', { nodes: [a, { ...b, type: 'jump' }] }],
    ['a node’s data, however deep', { nodes: [{ ...a, data: { ...a.data, nested: { x: 1, y: 3 } } }, b] }],
    ['the order of a list in the data', { nodes: [{ ...a, data: { keywords: ['hi', 'ho'] } }, b] }],
    ['a node more', { nodes: [a, b, { id: 'c', type: 'end' }] }],
    ['a port', { edges: [{ ...next, sourceHandle: 'error' }, other] }],
    ['where an edge leads', { edges: [{ ...next, target: 'a' }, other] }],
    ['an edge less', { edges: [next] }],
  ])('changes with %s', (_, change) => {
    expect(hash({ ...base, ...change })).not.toBe(hash(base));
  });
});
