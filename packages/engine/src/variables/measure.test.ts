import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import { bytesOf, measure, sizeOf, unbounded } from './measure.ts';
import { VariableView } from './view.ts';

/** JSON whose texts need no escapes: those are not counted. */
const plainJson: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string({ unit: fc.constantFrom('a', 'é', '字', '👍') })),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: fc.constantFrom('a', 'ñ', '👍') }), tie('json'), { maxKeys: 4 }),
  ),
})).json;

const encodedBytes = (value: Json): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** A list, and an object, of this many bytes as JSON. */
const listOf = (bytes: number): Json => ['a', [], {}, 'x'.repeat(bytes - 14)];
const wideOf = (bytes: number): Json => ({ a: '字'.repeat(Math.floor((bytes - 20) / 3)), c: 'x'.repeat(((bytes - 20) % 3) + 5) });
const objectOf = (bytes: number): Json => ({ a: 1, b: [true, null], c: 'x'.repeat(bytes - 30) });

describe('measure', () => {
  it('counts every byte of JSON once', () =>
    fc.assert(
      fc.property(plainJson, (value) => {
        expect(bytesOf(value)).toBe(encodedBytes(value));
        expect(sizeOf(value)).toBe(JSON.stringify(value).length);
        expect(measure(value, unbounded)).toEqual({ kind: 'fits', size: sizeOf(value) });
      }),
    ));

  it('weighs nothing for what JSON leaves out', () => {
    expect(sizeOf({ a: undefined, b: 1 })).toBe('{"b":1}'.length);
  });

  it('stops at its levels, however many there are', () => {
    let value: Json = 1;
    for (let level = 0; level < 100_000; level += 1) value = [value];
    expect(measure(value)).toEqual({ kind: 'refused', reason: `it is more than ${limits.depth} levels deep` });
  });

  describe.each([
    ['a list', listOf],
    ['an object', objectOf],
    ['three-byte characters', wideOf],
  ])('of %s', (_name, sized) => {
    it.each([-1, 0, 1])('finds its limit to the byte: %i (P16)', (over) => {
      const value = sized(limits.valueBytes + over);
      expect(encodedBytes(value)).toBe(limits.valueBytes + over);
      expect(measure(value).kind).toBe(over > 0 ? 'refused' : 'fits');
    });

    it.each([-1, 0, 1])('finds the limit of $memory to the byte: %i (VAR-08)', (over) => {
      const write = { path: ['$memory', 'a'], value: sized(limits.memoryJsonBytes + over) };
      expect(new VariableView({}, 0).write([write])?.cause).toBe(over > 0 ? 'VALUE_TOO_LARGE' : undefined);
    });
  });
});
