import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from './code-point.ts';

describe('a code point', () => {
  it('is one, in every text that is made of them', () => {
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
