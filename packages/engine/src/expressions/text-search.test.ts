import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
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

  describe('reads each character a few times, whatever the two texts are (P20)', () => {
    const whole = 'a'.repeat(24_000);
    const middle = `${'a'.repeat(6_000)}b${'a'.repeat(6_000)}`;

    it.each<[string, (text: string, part: string) => unknown, string, string]>([
      ['includes', containsText, whole, middle],
      ['indexOf, the difference at the end', findText, whole, `${'a'.repeat(12_000)}b`],
      ['indexOf, the difference at the beginning', findText, whole, `b${'a'.repeat(12_000)}`],
      ['lastIndexOf', findLastText, whole, `${'a'.repeat(6_000)}b`],
      ['split', splitText, whole, middle],
      ['split by a short part', splitText, whole, 'aaaaaaab'],
      ['two letters in turn', findText, 'ab'.repeat(12_000), `${'ab'.repeat(3_000)}b`],
    ])('%s', (_, search, text, part) => {
      expect(charactersRead(() => search(text, part))).toBeLessThan(20 * (text.length + part.length));
    });
  });
});

/** How many characters a search reads; a built-in search may read all of the part at each place of the text. */
function charactersRead(search: () => unknown): number {
  const { charCodeAt, includes, indexOf, lastIndexOf, split } = String.prototype;
  let read = 0;
  const countAll = (text: string, part: unknown): void => void (read += text.length * (typeof part === 'string' ? part.length : 1));
  const spies = [
    vi.spyOn(String.prototype, 'charCodeAt').mockImplementation(function (this: string, index) {
      read += 1;
      return charCodeAt.call(this, index);
    }),
    ...(
      [
        ['includes', includes],
        ['indexOf', indexOf],
        ['lastIndexOf', lastIndexOf],
        ['split', split],
      ] as const
    ).map(([name, builtIn]) =>
      vi.spyOn(String.prototype, name).mockImplementation(function (this: string, ...given: unknown[]) {
        countAll(this, given[0]);
        return Reflect.apply(builtIn, this, given) as never;
      }),
    ),
  ];
  try {
    search();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return read;
}
