import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUnpacker, Packer } from './packed.ts';
import { shapes } from './shapes.ts';

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

describe('packed JSON', () => {
  it('is unpacked unchanged, text by text, with keys in order', () => {
    fc.assert(
      fc.property(fc.array(anyJson, { maxLength: 4 }), fc.array(fc.string(), { maxLength: 3 }), (values, given) => {
        const [packer, unpacker] = [new Packer(given), createUnpacker(given)];
        for (const value of values) expect(text(unpacker.unpack(packer.pack(value)))).toBe(text(value));
      }),
    );
  });

  it('leaves out undefined values, as JSON.stringify does, and recognises the shape without them', () => {
    expect(new Packer([]).pack({ path: undefined, kind: 'x', value: 1, b: undefined })).toBe(new Packer([]).pack({ kind: 'x', value: 1 }));
    expect(text(createUnpacker([]).unpack(new Packer([]).pack({ a: undefined, b: 1 })))).toBe('{"b":1}');
  });

  it('writes repeated values once, in the same text and in the next', () => {
    const [packer, unpacker] = [new Packer(['known before']), createUnpacker(['known before'])];
    const order = { customer: 'a customer of long standing' };
    const texts = [packer.pack([order, 'known before']), packer.pack({ order, customer: 'a customer of long standing' })];
    expect(texts.join('').match(/standing/g)).toHaveLength(1);
    expect(texts.join('')).not.toContain('known before');
    expect(texts.map((one) => unpacker.unpack(one))).toEqual([[order, 'known before'], { order, customer: 'a customer of long standing' }]);
  });

  it('writes repeated values once, also among thousands', () => {
    const many = Array.from({ length: 3_000 }, (_, index) => ({ id: `the text ${index}`, at: 1_795_357_930_000 + index, of: [index % 7] }));
    const [packer, unpacker] = [new Packer([]), createUnpacker([])];
    const [first, again] = [packer.pack(many), packer.pack([...many, ...many.map(({ id, at }) => ({ id, at }))])];
    expect(again).not.toContain('text');
    expect(again).not.toContain('1795');
    expect([unpacker.unpack(first), unpacker.unpack(again)]).toEqual([many, [...many, ...many.map(({ id, at }) => ({ id, at }))]]);
  });

  it.each(['', '[', '[-99]', '[0,[-99]]', '[1]', '[9999,1]', '["text"]', '[]', '[0.5]', '[[0]]'])(
    'that no packer gave is refused: %s',
    (packed) => {
      expect(() => createUnpacker([]).unpack(packed)).toThrow(SyntaxError);
    },
  );

  it('keeps the number of every shape', () => {
    // A store that was written by an earlier release is read with this list.
    expect(shapes.slice(0, 3).map((keys) => keys.length)).toEqual([17, 18, 19]);
    expect(new Set(shapes.map((keys) => keys.join())).size).toBe(shapes.length);
    expect(shapes.flat().every((key) => !key.includes(','))).toBe(true);
  });
});
