import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalSpelling, isSamePhone, otherSpellings, phoneSpellings } from './phone-spellings.ts';

const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
const joined = (...parts: readonly fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''));

/** All spellings of a number, in each country by its own rule. */
const spelled = fc.oneof(
  joined(fc.constantFrom('2', '5', '9'), digits(9)).map((number) => [`52${number}`, `521${number}`]),
  fc
    .tuple(fc.stringMatching(/^[1-9]{2}$/), joined(fc.constantFrom('0', '1', '6', '7', '8', '9'), digits(7)))
    .map(([area, number]) => [`55${area}9${number}`, `55${area}${number}`]),
  fc
    .oneof(
      fc.tuple(fc.constant('11'), digits(8)),
      fc.tuple(joined(fc.constantFrom('2', '3'), digits(2)), digits(7)),
      fc.tuple(joined(fc.constantFrom('2', '3'), digits(3)), digits(6)),
    )
    .map(([area, number]) => [`549${area}${number}`, `54${area}${number}`, `54${area}15${number}`]),
);

describe('phoneSpellings', () => {
  it('gives all spellings of a number from each of them, the canonical one first (UID-07)', () =>
    fc.assert(
      fc.property(spelled, (spellings) => {
        const [canonical = ''] = spellings;
        for (const spelling of spellings) {
          expect(canonicalSpelling(spelling)).toBe(canonical);
          expect(phoneSpellings(spelling)).toEqual(expect.arrayContaining(spellings));
          expect(otherSpellings(spelling)).not.toContain(spelling);
        }
        expect(new Set(phoneSpellings(canonical).map(canonicalSpelling))).toEqual(new Set([canonical]));
      }),
    ));

  it('never takes two numbers for one, unless one is a spelling of the other', () =>
    fc.assert(
      fc.property(spelled, spelled, ([one = ''], [other = '']) => {
        expect(isSamePhone(one, other)).toBe(one === other);
      }),
    ));

  it('knows no other spelling of anything else', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[1-46-9][0-9]{1,14}$/)), (phone) => {
        expect(phoneSpellings(phone)).toEqual([phone]);
      }),
    ));

  it.each([
    ['525512345678', '5215512345678', true],
    ['5511988887777', '551188887777', true],
    ['541112345678', '5491112345678', true],
    ['54111512345678', '5491112345678', true],
    ['542235123456', '54223155123456', true],
    ['542944123456', '54294415123456', true],
    ['5511933334444', '551133334444', false], // a mobile phone and a landline
    ['52551234567', '521551234567', false], // a digit short
    ['5255123456789', '52155123456789', false], // a digit long
    ['551198888777', '55118888777', false],
    ['54911123456789', '5411123456789', false],
    ['1215512345678', '125512345678', false],
  ])('of %s and %s, says that they are one number: %s', (one, other, isOne) => {
    expect(isSamePhone(one, other)).toBe(isOne);
  });
});
