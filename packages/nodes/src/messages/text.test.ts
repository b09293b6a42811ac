import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textLength } from './text.ts';

/** Any text without lone surrogates. */
const text = fc.string({ unit: 'binary' });

describe('textLength', () => {
  it('counts code points as iteration does (MSG-16)', () =>
    fc.assert(
      fc.property(text, (text) => {
        expect(textLength(text, 'characters')).toBe(Array.from(text).length);
      }),
    ));

  it('counts bytes as percent-encoding does (LIM-05)', () =>
    fc.assert(
      fc.property(text, (text) => {
        const bytes = encodeURIComponent(text).replaceAll(/%../g, '_').length;
        expect(textLength(text, 'bytes')).toBe(bytes);
      }),
    ));

  it.each([
    ['', 0, 0],
    ['abc', 3, 3],
    ['ñ', 1, 2],
    ['€', 1, 3],
    ['😀', 1, 4],
    ['👩‍👧', 3, 11], // one sign to the eye, three code points
    ['\ud83d', 1, 3], // half of a pair, stored as U+FFFD
  ])('measures %j as %i characters and %i bytes', (text, characters, bytes) => {
    expect(textLength(text, 'characters')).toBe(characters);
    expect(textLength(text, 'bytes')).toBe(bytes);
  });
});
