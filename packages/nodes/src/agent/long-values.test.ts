import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLongValues, type FoundValue } from './long-values.ts';

interface Given {
  readonly value: string;
  readonly forms: readonly string[];
}

/** The same by reading the text once for each way to write each value. */
function findEach(text: string, given: readonly Given[]): readonly FoundValue<string>[] {
  const found: FoundValue<string>[] = [];
  for (const { value, forms } of given)
    for (const form of forms)
      for (let at = 0; at + form.length <= text.length; at += 1) {
        const end = at + form.length;
        if (text.startsWith(form, at) && found.every((one) => end <= one.at || one.end <= at)) found.push({ at, end, value });
      }
  return found.sort((one, other) => one.at - other.at);
}

// Few signs, so that values overlap, begin and end alike, and contain one another.
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 1, maxLength: 30 });

describe('long values', () => {
  it('are found where each of them stands, those given first before others', () =>
    fc.assert(
      fc.property(fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { maxLength: 8 }), fc.array(word), (ways, others) => {
        const given = ways.map((forms) => ({ value: forms[0] ?? '', forms }));
        const text = [...others, ...ways.flat(), ...others].join('');
        expect(createLongValues(given).find(text)).toEqual(findEach(text, given));
      }),
    ));

  it('are found one by one among thousands that begin alike and of which some begin others', () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `Customer of the street with number ${index}`);
    const given = names.toReversed().map((name) => ({ value: name, forms: [name] }));
    const found = createLongValues(given).find(names.join('; '));
    expect(found?.map(({ value }) => value)).toEqual(names);
  });

  // It may begin at each second place: 9,999 places of 2,000 signs are looked at, and 994 behind them that have no room.
  it.each([
    [21_996, []],
    [21_998, undefined],
  ])('take no longer for a text that repeats pieces of them: %i signs', (length, expected) => {
    const secret = `${'ab'.repeat(250)}cc${'ab'.repeat(749)}`;
    expect(createLongValues([{ value: secret, forms: [secret] }]).find('ab'.repeat(length / 2))).toEqual(expected);
  });
});
