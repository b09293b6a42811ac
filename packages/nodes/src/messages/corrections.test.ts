import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCorrected } from './corrections.ts';

const marks = [
  ' no ',
  ', no ',
  ' no, ',
  ' not ',
  ', not ',
  ' perdón ',
  ' no, perdón, mejor ',
  ' digo ',
  ', ',
  ' sino ',
  ' y no ',
  ' pero no ',
  ' en vez de ',
];

describe('an answer that takes itself back', () => {
  it('is looked at a few times, however often it does, and whichever of its parts can be read (T1)', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('5', 'x', 'el lunes', 'no', ''), fc.constantFrom(...marks)), { maxLength: 80, size: 'max' }),
        fc.constantFrom('5', 'x', ''),
        fc.func(fc.boolean()),
        (parts, last, canRead) => {
          const answer = `${parts.map((part) => part.join('')).join('')}${last}`.slice(0, 320);
          let reads = 0;
          readCorrected(answer, (text) => {
            reads += 1;
            return canRead(text) ? text : undefined;
          });
          expect(reads).toBeLessThanOrEqual(17);
        },
      ),
    );
  });

  it.each([`5${' pero no 5'.repeat(31)}`, `x${', not 5'.repeat(40)}`])('in every other word is no answer: %s', (answer) => {
    let reads = 0;
    const value = readCorrected(answer, (text) => {
      reads += 1;
      return text === '5' ? 5 : undefined;
    });
    expect(value).toBeUndefined();
    expect(reads).toBeLessThanOrEqual(17);
  });
});
