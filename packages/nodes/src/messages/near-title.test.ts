// Slips of the thumb: how far two words are from each other, and which word of a title is meant.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mendSlips, slips } from './near-title.ts';

/** The distance as the textbook has it, with every place of every row; 3 for more than two. */
function distanceOf(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= one.length; row += 1) {
    const here = [row];
    rows[row] = here;
    for (let column = 1; column <= other.length; column += 1) {
      const isExchanged = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      here[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (one[row - 1] === other[column - 1] ? 0 : 1),
        isExchanged ? at(row - 2, column - 2) + 1 : Infinity,
      );
    }
  }
  return Math.min(at(one.length, other.length), 3);
}

const few = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });
const long = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzñç'.split('')), minLength: 6, maxLength: 14 });
const none = (): boolean => false;

describe('two words', () => {
  it('are as far from each other as the textbook says', () => {
    fc.assert(
      fc.property(few, few, (one, other) => {
        expect(slips(one, other)).toBe(distanceOf(one, other));
      }),
    );
    fc.assert(
      fc.property(long, fc.array(fc.tuple(fc.nat(14), fc.nat(1), fc.constantFrom('', 'x', 'ab')), { maxLength: 4 }), (word, changes) => {
        const changed = changes.reduce((so, [place, taken, put]) => so.slice(0, place) + put + so.slice(place + taken), word);
        expect(slips(word, changed)).toBe(distanceOf(word, changed));
      }),
    );
  });
});

describe('a word that is one slip from a title', () => {
  it('means that one alone, whichever slip it is', () => {
    fc.assert(
      fc.property(long, fc.nat(), fc.constantFrom('left out', 'put in', 'changed', 'exchanged'), (word, nth, slip) => {
        const place = 1 + (nth % (word.length - 3));
        const [before, here, next, after] = [word.slice(0, place), word[place] ?? '', word[place + 1] ?? '', word.slice(place + 2)];
        const written = {
          'left out': `${before}${next}${after}`,
          'put in': `${before}${here}ø${next}${after}`,
          changed: `${before}ø${next}${after}`,
          exchanged: `${before}${next}${here}${after}`,
        }[slip];
        fc.pre(written !== word);
        const [mended] = mendSlips(new Set([word, 'øøøøøøøøø']), [written], none);
        // A letter that changes how the first one sounds makes another beginning.
        expect(place > 1 ? mended : word).toBe(word);
        expect(mendSlips(new Set([word, `${word}ø`]), [written], none)).toEqual([written === `${word}ø` ? word : written]);
      }),
    );
  });
});
