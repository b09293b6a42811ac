// The functions of expressions over numbers.
import { losesDigits } from '../../contract/exact-json.ts';
import { sumOf } from '../arithmetic.ts';
import { type Evaluation, itemWork, missing, spend, wrong } from '../evaluation.ts';
import { isList, kindOf, type ListValue, type Value } from '../value.ts';
import { createDefiner, type LanguageFunction, wholeNumber } from './define.ts';
import { formatNumber, localePaths, refuseLocale } from './locales.ts';

const number = createDefiner('numbers');

export const numberFunctions: readonly LanguageFunction[] = [
  number(
    'round(number, number?): number',
    'Rounds the decimal notation to a number of decimal places (0 by default); halves are rounded away from zero.',
    { 'round(2.5)': 3, 'round(1.005, 2)': 1.01, 'round(1234, -2)': 1200 },
    round,
  ),
  number('floor(number): number', 'Rounds down to an integer.', { 'floor(-1.5)': -2 }, (_, value) => Math.floor(value)),
  number('ceil(number): number', 'Rounds up to an integer.', { 'ceil(1.2)': 2 }, (_, value) => Math.ceil(value)),
  number('abs(number): number', 'The absolute value.', { 'abs(-3)': 3 }, (_, value) => Math.abs(value)),
  number(
    'min(number|list, number...): number',
    'The smallest of several numbers, or of the numbers in a list.',
    { 'min(3, 1, 2)': 1, 'min([3, 1, 2])': 1 },
    (evaluation, first, ...rest) => reduceNumbers(evaluation, 'min', first, rest, (least, value) => Math.min(least, value)),
  ),
  number(
    'max(number|list, number...): number',
    'The largest of several numbers, or of the numbers in a list.',
    { 'max(3, 1, 2)': 3, 'max([3, 1, 2])': 3 },
    (evaluation, first, ...rest) => reduceNumbers(evaluation, 'max', first, rest, (most, value) => Math.max(most, value)),
  ),
  number(
    'sum(list): number',
    'The sum of the numbers in a list, with as many decimal places as they have; 0 for an empty list.',
    { 'sum([1, 2, 3.5])': 6.5, 'sum([10.10, 20.20, 30.30])': 60.6, 'sum([])': 0 },
    (evaluation, list) =>
      list.length === 0 ? 0 : reduceNumbers(evaluation, 'sum', list, [], (sum, value) => sumOf(evaluation, sum, value, sum + value)),
  ),
  number(
    'math.greatest(number|list, number...): number',
    'CEL’s name for `max`.',
    { 'math.greatest(1, 3, 2)': 3 },
    (evaluation, first, ...rest) => reduceNumbers(evaluation, 'math.greatest', first, rest, (most, value) => Math.max(most, value)),
  ),
  number(
    'math.least(number|list, number...): number',
    'CEL’s name for `min`.',
    { 'math.least(1, 3, 2)': 1 },
    (evaluation, first, ...rest) => reduceNumbers(evaluation, 'math.least', first, rest, (least, value) => Math.min(least, value)),
  ),
  number('math.ceil(number): number', 'CEL’s name for `ceil`.', { 'math.ceil(1.2)': 2 }, (_, value) => Math.ceil(value) + 0),
  number('math.floor(number): number', 'CEL’s name for `floor`.', { 'math.floor(-1.2)': -2 }, (_, value) => Math.floor(value)),
  number('math.round(number): number', 'CEL’s name for `round` without decimal places.', { 'math.round(-1.5)': -2 }, (evaluation, value) =>
    round(evaluation, value),
  ),
  number('math.trunc(number): number', 'The number without its fraction.', { 'math.trunc(-1.9)': -1 }, (_, value) => Math.trunc(value) + 0),
  number('math.abs(number): number', 'CEL’s name for `abs`.', { 'math.abs(-3)': 3 }, (_, value) => Math.abs(value)),
  number(
    'math.sign(number): number',
    'The sign of the number: -1, 0 or 1.',
    { 'math.sign(-3)': -1, 'math.sign(0)': 0 },
    (_, value) => Math.sign(value) + 0,
  ),
  number('math.sqrt(number): number', 'The square root; of a negative number it is an error.', { 'math.sqrt(9)': 3 }, (evaluation, value) =>
    finite(evaluation, Math.sqrt(value)),
  ),
  number(
    'math.isNaN(number): bool',
    'Whether it is not a number: never, since such a result is an error.',
    { 'math.isNaN(1.5)': false },
    (_, value) => Number.isNaN(value),
  ),
  number(
    'math.isInf(number): bool',
    'Whether it is infinite: never, since such a result is an error.',
    { 'math.isInf(1.5)': false },
    (_, value) => Math.abs(value) === Number.POSITIVE_INFINITY,
  ),
  number('math.isFinite(number): bool', 'Whether it is finite: always.', { 'math.isFinite(1.5)': true }, (_, value) =>
    Number.isFinite(value),
  ),
  number('math.bitAnd(number, number): number', 'The bits that both whole numbers have, of 64.', { 'math.bitAnd(3, 5)': 1 }, (...given) =>
    combineBits('math.bitAnd', given, (left, right) => left & right),
  ),
  number('math.bitOr(number, number): number', 'The bits that either whole number has, of 64.', { 'math.bitOr(1, 2)': 3 }, (...given) =>
    combineBits('math.bitOr', given, (left, right) => left | right),
  ),
  number(
    'math.bitXor(number, number): number',
    'The bits in which two whole numbers differ, of 64.',
    { 'math.bitXor(3, 5)': 6 },
    (...given) => combineBits('math.bitXor', given, (left, right) => left ^ right),
  ),
  number(
    'math.bitNot(number): number',
    'Every one of the 64 bits of a whole number turned over.',
    { 'math.bitNot(1)': -2 },
    (evaluation, value) => combineBits('math.bitNot', [evaluation, value, 0], (bits) => ~bits),
  ),
  number(
    'math.bitShiftLeft(number, number): number',
    'The 64 bits of a whole number moved to the left; from 64 places on it is 0.',
    { 'math.bitShiftLeft(1, 3)': 8 },
    (...given) => shiftBits('math.bitShiftLeft', given, (bits, places) => bits << places),
  ),
  number(
    'math.bitShiftRight(number, number): number',
    'The 64 bits of a whole number moved to the right, with zeros from the left, also of a negative one; from 64 places on it is 0.',
    { 'math.bitShiftRight(1024, 3)': 128 },
    (...given) => shiftBits('math.bitShiftRight', given, (bits, places) => BigInt.asUintN(64, bits) >> places),
  ),
  number(
    'number(number|text): number',
    'Parses a number in decimal notation, with an optional exponent; white space at both ends is ignored.',
    { 'number(" 12.50 ")': 12.5, 'number("1e3")': 1000 },
    (evaluation, value) => (typeof value === 'number' ? value : readNumber(evaluation, value, 'number')),
  ),
  number(
    'formatNumber(number, number?, text?): text',
    'Formats for a locale, with a number of decimal places. The locale is the argument, else `$user.locale`, else `$company.locale`, else English.',
    { 'formatNumber(1234.5, 2)': '1,234.50', 'formatNumber(1234.5, 2, "de")': '1.234,50' },
    formatNumber,
    { reads: localePaths, refuses: ([, , locale]) => refuseLocale(locale) },
  ),
];

/**
 * Parses a number: digits, a point, an exponent.
 *
 * @param name - the name of the function, for the error
 */
export function readNumber(evaluation: Evaluation, text: string, name: string): number | undefined {
  const digits = text.length <= 100 ? text.trim() : '';
  const value = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(digits) ? Number(digits) : Number.NaN;
  if (losesDigits(digits)) return wrong(evaluation, tooManyDigits(name));
  return Number.isFinite(value)
    ? value
    : wrong(evaluation, `${name}() conversion error: ${describeText(text)} is no number, which has digits and a point, as in 1234.50`);
}

/** A text that is no number. */
export const describeText = (text: string): string => (text.trim() === '' ? 'an empty text' : JSON.stringify(text.slice(0, 40)));

/** The message for a text with more digits than a number holds: it would become another number. */
export const tooManyDigits = (name: string): string =>
  `${name}() conversion error: the number is beyond ${Number.MAX_SAFE_INTEGER} and would lose digits; leave it a text`;

/** Rounds by decimal digits: `1.005` to two of them is `1.01`, though its nearest binary fraction is below that. */
function round(evaluation: Evaluation, value: number, digits = 0): number | undefined {
  if (wholeNumber(evaluation, digits, 'the number of digits') === undefined) return undefined;
  if (Math.abs(digits) > 20) return wrong(evaluation, 'round() takes from -20 to 20 digits');
  if (digits >= 0 && Number.isInteger(value)) return value + 0; // the point of a large one cannot be moved
  const rounded = shiftPoint(Math.round(shiftPoint(Math.abs(value), digits)), -digits);
  return value < 0 ? 0 - rounded : rounded;
}

/** A number with its decimal point moved to the right, computed on its text, so that no digit is lost. */
function shiftPoint(value: number, digits: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Number(`${mantissa}e${Number(exponent) + digits}`);
}

/** Combines the numbers of a list, or the arguments themselves. */
function reduceNumbers(
  evaluation: Evaluation,
  name: string,
  first: number | ListValue,
  rest: readonly number[],
  combine: (left: number, right: number) => number | undefined,
): Value | undefined {
  const values: ListValue = isList(first) ? first : [first, ...rest];
  if (isList(first) && rest.length > 0) return wrong(evaluation, `${name}() takes one list, or numbers`);
  spend(evaluation, values.length * itemWork);
  let result: number | undefined;
  for (const value of values) {
    if (typeof value !== 'number')
      return wrong(
        evaluation,
        `${name}() takes numbers, not ${kindOf(value)}${typeof value === 'string' ? '; number(…) makes a number of a text' : ''}`,
      );
    result = result === undefined ? value : combine(result, value);
    if (result === undefined) return undefined;
  }
  if (result === undefined) return missing(evaluation, `${name}() of an empty list is nothing; give a default with "??"`);
  return finite(evaluation, result);
}

/** Two whole numbers combined as 64 bits in two's complement; fails when the result is beyond what a number holds. */
function combineBits(
  name: string,
  [evaluation, left, right]: readonly [Evaluation, number, number],
  combine: (left: bigint, right: bigint) => bigint,
): number | undefined {
  spend(evaluation, bitWork);
  for (const value of [left, right]) if (wholeNumber(evaluation, value, `what ${name}() takes`) === undefined) return undefined;
  const result = Number(BigInt.asIntN(64, combine(BigInt(left), BigInt(right))));
  return Number.isSafeInteger(result)
    ? result
    : wrong(evaluation, `the result of ${name}() is beyond ${Number.MAX_SAFE_INTEGER} and would lose digits`);
}

function shiftBits(
  name: string,
  given: readonly [Evaluation, number, number],
  shift: (bits: bigint, places: bigint) => bigint,
): number | undefined {
  const [evaluation, , places] = given;
  if (places < 0) return wrong(evaluation, `${name}() moves by 0 places or more, not by ${places}`);
  return combineBits(name, given, (bits, by) => (by >= 64n ? 0n : shift(bits, by)));
}

/** The work of one operation with bits. */
const bitWork = 50;

/** A number as a value; fails when it is not finite. */
export const finite = (evaluation: Evaluation, value: number): Value | undefined =>
  Number.isFinite(value) ? value : wrong(evaluation, 'the result is not a finite number');
