import fc from 'fast-check';

/** What all of Unicode is drawn from: half surrogate pairs are no code points of a text. */
const scalar = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 0x7f }) },
  { weight: 1, arbitrary: fc.integer({ min: 0x80, max: 0xd7ff }) },
  { weight: 1, arbitrary: fc.integer({ min: 0xe000, max: 0x10_ffff }) },
);

/**
 * Any code point of Unicode, as a text: what the unit `binary` of `fc.string` is, without the two seconds that its table of
 * a million signs costs each process that comes by.
 */
export const codePoint: fc.Arbitrary<string> = scalar.map(
  (point) => String.fromCodePoint(point),
  (text) => {
    const point = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== text) throw new Error('Not one code point');
    return point;
  },
);
