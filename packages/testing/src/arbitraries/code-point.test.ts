import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint, grapheme } from './code-point.ts';

describe('a code point', () => {
  it('is one code point in every composed text', () => {
    fc.assert(
      fc.property(fc.array(codePoint), (points) => {
        expect(Array.from(points.join(''))).toEqual(points);
        expect(points.join('').isWellFormed()).toBe(true);
      }),
    );
  });

  it('is of every part of Unicode', () => {
    const drawn = fc.sample(codePoint, { numRuns: 1_000, seed: 1 }).map((text) => text.codePointAt(0) ?? -1);
    for (const [min, max] of [
      [0, 0x7f],
      [0x80, 0xd7ff],
      [0xe000, 0x10_ffff],
    ] as const)
      expect(drawn.some((point) => point >= min && point <= max)).toBe(true);
  });
});

describe('a grapheme', () => {
  const signs = new Intl.Segmenter('en', { granularity: 'grapheme' });

  it('is one character for a reader', () => {
    fc.assert(
      fc.property(grapheme, (sign) => {
        expect([...signs.segment(sign)]).toHaveLength(1);
        expect(sign.isWellFormed()).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is sometimes several code points, wide, or written from right to left', () => {
    const drawn = fc.sample(grapheme, { numRuns: 1_000, seed: 1 });
    expect(drawn.some((sign) => Array.from(sign).length > 1)).toBe(true);
    for (const script of [/\p{Script=Han}/u, /\p{Script=Arabic}|\p{Script=Hebrew}/u, /\p{Emoji_Presentation}/u, /^[ -~]$/])
      expect(drawn.some((sign) => script.test(sign))).toBe(true);
  });
});
