import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { containsText, findLastText, findText, splitText } from './text-search.ts';

/** Few letters, so that parts are found, overlap and repeat. */
const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 80 });
const part = fc.oneof(
  text,
  fc.tuple(fc.constantFrom('a', 'ab', 'aab'), fc.integer({ min: 1, max: 20 })).map(([unit, times]) => unit.repeat(times)),
);
const around = fc.tuple(text, part, text).map(([before, inner, after]) => before + inner + after);

describe('a text searched in a text', () => {
  it('is found where JavaScript finds it', () =>
    fc.assert(
      fc.property(fc.oneof(text, around), part, fc.nat({ max: 90 }), (whole, sought, from) => {
        expect(findText(whole, sought)).toBe(whole.indexOf(sought));
        expect(findText(whole, sought, from)).toBe(whole.indexOf(sought, from));
        expect(findLastText(whole, sought)).toBe(whole.lastIndexOf(sought));
        expect(findLastText(whole, sought, from)).toBe(whole.lastIndexOf(sought, from));
        expect(containsText(whole, sought)).toBe(whole.includes(sought));
        expect(splitText(whole, sought)).toEqual(whole.split(sought));
      }),
      { numRuns: 2_000 },
    ));

  it('is found in any characters', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme', minLength: 17, maxLength: 30 }), (before, sought) => {
        const whole = `${before}${sought}${before}`;
        expect(findText(whole, sought)).toBe(whole.indexOf(sought));
        expect(splitText(whole, sought)).toEqual(whole.split(sought));
      }),
    ));

  describe('takes time linear in both (P20)', () => {
    const whole = 'a'.repeat(480_000);
    const middle = `${'a'.repeat(120_000)}b${'a'.repeat(120_000)}`;
    const ofSquares = 1_000; // a quadratic search takes 100,000 times the loop, and more

    it.each<[string, () => unknown]>([
      ['includes', () => containsText(whole, middle)],
      ['indexOf, the difference at the end', () => findText(whole, `${'a'.repeat(240_000)}b`)],
      ['indexOf, the difference at the beginning', () => findText(whole, `b${'a'.repeat(240_000)}`)],
      ['lastIndexOf', () => findLastText(whole, `${'a'.repeat(120_000)}b`)],
      ['split', () => splitText(whole, middle)],
      ['split by a short part', () => splitText(whole, 'aaaaaaab')],
      ['two letters in turn', () => findText('ab'.repeat(240_000), `${'ab'.repeat(60_000)}b`)],
    ])('%s', (_, search) => {
      const loop = () => {
        let sum = 0;
        for (let index = 0; index < whole.length; index += 1) sum = (sum + whole.charCodeAt(index)) | 0;
        return sum;
      };
      // The same process, one after the other, the best of a few: a ratio, independent of other load.
      expect(best(search) / best(loop)).toBeLessThan(ofSquares);
    });
  });
});

function best(run: () => unknown): number {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let times = 0; times < 3; times += 1) {
    const startedAt = performance.now();
    run();
    leastMs = Math.min(leastMs, performance.now() - startedAt);
  }
  return leastMs;
}
