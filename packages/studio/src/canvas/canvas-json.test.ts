import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asCanvas, faultOf } from './canvas-json.ts';

const part = fc.oneof(fc.constant(undefined), fc.jsonValue());
const node = fc.oneof(part, fc.record({ id: fc.string(), type: fc.string(), position: part, data: part }));
const edge = fc.oneof(part, fc.record({ source: fc.string(), target: fc.string(), sourceHandle: part }));
const almost = fc.record({ id: fc.oneof(fc.string(), part), nodes: fc.oneof(fc.array(node), part), edges: fc.oneof(fc.array(edge), part) });

describe('a file that may be a canvas', () => {
  it('is one exactly where it has no fault', () => {
    fc.assert(
      fc.property(fc.oneof(part, almost), (value) => {
        expect(asCanvas(value) === undefined).toBe(faultOf(value) !== undefined);
      }),
    );
  });

  it.each([
    ['/', [1, 2]],
    ['/id', { nodes: [] }],
    ['/nodes', { id: 'a', nodes: {} }],
    ['/edges', { id: 'a', nodes: [], edges: {} }],
    [
      '/nodes/1',
      {
        id: 'a',
        nodes: [
          { id: 'b', type: 'start' },
          { id: 'c', type: 'end', position: { x: 1, y: '7' } },
        ],
      },
    ],
    ['/edges/0', { id: 'a', nodes: [], edges: [{ source: 'b' }] }],
  ])('says where it is none: %s', (pointer, value) => {
    expect(faultOf(value)).toBe(pointer);
  });
});
