import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUnpacker } from '../src/first-format.ts';
import { isFirstFormat, RowError } from '../src/row-text.ts';
import { historyRecords } from '../src/rows.ts';
import { shapes } from '../src/shapes.ts';
import { createPacker } from './first-format-packer.ts';

/** Any JSON, with frequent keys and texts, and repeated parts. */
const { value: anyJson } = fc.letrec<{ value: unknown; object: unknown; shaped: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false, -0, 1e300, -7, 1e9, 999_999_999, 1_795_357_930_046, 2 ** 53 - 1, 2 ** 53, -1e12),
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'five5', 'sixsix', 'a text that stands twice', '[-1]', '+', '\u0000')),
    fc.integer(),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('value').map((value) => [value, { again: value }, value]),
    tie('object'),
    tie('shaped'),
  ),
  object: fc.dictionary(fc.oneof(fc.constantFrom('path', 'value', '__proto__', 'constructor', 'a,b', '', '0'), fc.string()), tie('value'), {
    maxKeys: 4,
  }),
  shaped: fc
    .constantFrom(...shapes)
    .chain((keys) =>
      fc.tuple(...keys.map(() => tie('value'))).map((values) => Object.fromEntries(keys.map((key, index) => [key, values[index]]))),
    ),
}));

/** Character by character: the order of keys counts. */
const text = (value: unknown): string => JSON.stringify(value);

/** What is read; `refused`, or the error of a way to fail that nobody expects. */
function outcomeOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error instanceof RowError ? 'refused' : error;
  }
}

describe('a row of the first format', () => {
  it('is unpacked unchanged, text by text, with keys in order', () => {
    fc.assert(
      fc.property(fc.array(anyJson, { maxLength: 4 }), fc.array(fc.string(), { maxLength: 3 }), (values, given) => {
        const [pack, unpacker] = [createPacker(given), createUnpacker(given)];
        for (const value of values) expect(text(unpacker.unpack(pack(value)))).toBe(text(value));
      }),
    );
  });

  it('of which anything was changed is read or refused, and nothing else happens', () => {
    fc.assert(
      fc.property(anyJson, fc.nat(), fc.string({ unit: 'binary', maxLength: 3 }), (value, place, instead) => {
        const packed = createPacker([])(value);
        const at = place % (packed.length + 1);
        const changed = `${packed.slice(0, at)}${instead}${packed.slice(at + instead.length)}`;
        const body = isFirstFormat(changed) ? changed : '[';
        expect(outcomeOf(() => historyRecords({ companyId: 'c1', executionId: 'e1' }, body))).not.toBeInstanceOf(Error);
      }),
    );
  });

  it.each(['', '[', '[-99]', '[0,[-99]]', '[1]', '[9999,1]', '["text"]', '[]', '[0.5]', '[[0]]'])('is refused: %s', (packed) => {
    expect(() => createUnpacker([]).unpack(packed)).toThrow(SyntaxError);
  });

  it('has the shapes that it always had', () => {
    expect(shapes.slice(0, 3).map((keys) => keys.length)).toEqual([17, 18, 19]);
    expect(new Set(shapes.map((keys) => keys.join())).size).toBe(shapes.length);
    expect(shapes.flat().every((key) => !key.includes(','))).toBe(true);
  });
});
