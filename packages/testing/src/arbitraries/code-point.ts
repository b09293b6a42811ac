import fc from 'fast-check';

/** What all of Unicode is drawn from: half surrogate pairs are no code points of a text. */
const scalar = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 0x7f }) },
  { weight: 1, arbitrary: fc.integer({ min: 0x80, max: 0xd7ff }) },
  { weight: 1, arbitrary: fc.integer({ min: 0xe000, max: 0x10_ffff }) },
);

/**
 * Any code point of Unicode, as a text: like the unit `binary` of `fc.string`, whose table of a million code points costs each process
 * two seconds.
 */
export const codePoint: fc.Arbitrary<string> = scalar.map(
  (point) => String.fromCodePoint(point),
  (text) => {
    const point = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== text) throw new Error('Not one code point');
    return point;
  },
);

/** What people take for one sign though it is several code points, and what fonts and cuts go wrong at. */
const composed = [
  'e\u0301',
  'A\u030a',
  '\u0915\u094d\u0937\u093f',
  '\u1112\u1161\u11ab',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}',
  '\u{1f44d}\u{1f3fd}',
  '\u{1f1f5}\u{1f1ea}',
  '\u2764\ufe0f',
  '\u0628\u064e',
  '\u05e9\u05c1',
] as const;

/** Letters and signs of scripts that people write in, each a range of code points that are all assigned. */
const scripts = [
  [0x20, 0x7e],
  [0xa1, 0xac],
  [0xc0, 0x17f],
  [0x391, 0x3a1],
  [0x410, 0x44f],
  [0x5d0, 0x5ea],
  [0x627, 0x63a],
  [0x905, 0x939],
  [0xe01, 0xe30],
  [0x3041, 0x3096],
  [0x4e00, 0x9fa5],
  [0xac00, 0xd7a3],
  [0x1f600, 0x1f64f],
] as const;

const letter: fc.Arbitrary<string> = fc
  .oneof(...scripts.map(([min, max], index) => ({ weight: index === 0 ? 12 : 1, arbitrary: fc.integer({ min, max }) })))
  .map(
    (point) => String.fromCodePoint(point),
    (text) => {
      const point = typeof text === 'string' ? text.codePointAt(0) : undefined;
      if (point === undefined || String.fromCodePoint(point) !== text) throw new Error('Not one letter');
      return point;
    },
  );

/** A grapheme: like the unit `grapheme` of `fc.string`, whose table costs each process a second. */
export const grapheme: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: letter },
  { weight: 1, arbitrary: fc.constantFrom(...composed) },
);
