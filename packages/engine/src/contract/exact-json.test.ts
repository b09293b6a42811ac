/** JSON from outside keeps the digits of its numbers, and is as `JSON.parse` has it otherwise. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { losesDigits, parseJsonText } from './exact-json.ts';
import { isJsonObject } from './json.ts';

const parsed = (text: string): unknown => {
  try {
    return parseJsonText(text);
  } catch (error) {
    return error instanceof SyntaxError ? 'malformed' : error;
  }
};
const parsedByPlatform = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return 'malformed';
  }
};

/** Pieces of JSON and of what is none, among which a long number may stand anywhere. */
const pieces = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '"a"',
  '"12345678901234567"',
  '\\',
  ' ',
  '\n',
  '1',
  '-',
  '.',
  'e5',
  'true',
  '\\"',
);
const long = fc.constantFrom(
  '12345678901234567',
  '-9007199254740993',
  '9007199254740993.0',
  '1.152921506151679042e18',
  '012345678901234567',
);

describe('JSON from outside', () => {
  it('keeps every digit of a whole number, as a number or as the text of it', () =>
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.constantFrom(['', ''], ['[', ']'], ['{"id": ', '\n}'], [' ', ' ']),
        (n, [before, behind]) => {
          const value = parseJsonText(`${before}${n}${behind}`);
          const id: unknown = Array.isArray(value) ? value[0] : isJsonObject(value) ? value['id'] : value;
          expect(id).toBe(losesDigits(String(n)) ? String(n) : Number(n));
          expect(Number.isSafeInteger(Number(n)) && losesDigits(String(n))).toBe(false);
          expect(String(id).includes('e') || String(id) === String(n)).toBe(true);
        },
      ),
    ));

  it.each([
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', 9_007_199_254_740_992],
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['1152921506151679042', '1152921506151679042'],
    ['9007199254740993.0', '9007199254740993.0'],
    ['1.152921506151679042e18', '1.152921506151679042e18'],
    ['1152921506.15167904200000000000000E+9', '1152921506.15167904200000000000000E+9'],
    ['100000000000000000000', 1e20],
    ['1e20', 1e20],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['0.12345678901234567890', 0.12345678901234568],
    ['1e400', Number.POSITIVE_INFINITY],
    ['"9007199254740993"', '9007199254740993'],
  ])('has %s as %j', (text, value) => {
    expect(parseJsonText(text)).toBe(value);
    expect(parseJsonText(`{"a":[1,${text}\t]}`)).toEqual({ a: [1, value] });
  });

  it('is what was written before, whatever was', () =>
    fc.assert(
      fc.property(fc.json(), fc.double({ noNaN: true, noDefaultInfinity: true }), (json, number) => {
        const text = `[${json}, ${JSON.stringify(number)}]`;
        expect(parseJsonText(text)).toEqual(JSON.parse(text));
      }),
    ));

  it('is malformed where it is malformed for the platform', () =>
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, long), { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        expect(parsed(text) === 'malformed').toBe(parsedByPlatform(text) === 'malformed');
      }),
      { numRuns: 1_000 },
    ));

  it.each(['{12345678901234567: 1}', '{"a": 012345678901234567}', '12345678901234567 1', '[12345678901234567.]', '+12345678901234567'])(
    'refuses %s',
    (text) => expect(() => parseJsonText(text)).toThrow(SyntaxError),
  );
});
