import { type Evaluation, itemWork, missing, spend, wrong } from '../evaluation.ts';
import { isList, kindOf, type ListValue, type Value } from '../value.ts';
import { createDefiner, type LanguageFunction, wholeNumber } from './define.ts';
import { formatNumber, localePlaces, refuseLocale } from './locales.ts';

const number = createDefiner('numbers');

export const numberFunctions: readonly LanguageFunction[] = [
  number(
    'round(number, number?): number',
    'To so many digits after the point (none, when left out), as the number is written; a half goes away from zero.',
    { 'round(2.5)': 3, 'round(1.005, 2)': 1.01, 'round(1234, -2)': 1200 },
    round,
  ),
  number('floor(number): number', 'The whole number at or below it.', { 'floor(-1.5)': -2 }, (_, value) => Math.floor(value)),
  number('ceil(number): number', 'The whole number at or above it.', { 'ceil(1.2)': 2 }, (_, value) => Math.ceil(value)),
  number('abs(number): number', 'Without its sign.', { 'abs(-3)': 3 }, (_, value) => Math.abs(value)),
  number(
    'min(number|list, number...): number',
    'The smallest of some numbers, or of a list of them.',
    { 'min(3, 1, 2)': 1, 'min([3, 1, 2])': 1 },
    (evaluation, first, ...rest) => ofNumbers(evaluation, 'min', first, rest, (least, value) => Math.min(least, value)),
  ),
  number(
    'max(number|list, number...): number',
    'The largest of some numbers, or of a list of them.',
    { 'max(3, 1, 2)': 3, 'max([3, 1, 2])': 3 },
    (evaluation, first, ...rest) => ofNumbers(evaluation, 'max', first, rest, (most, value) => Math.max(most, value)),
  ),
  number(
    'sum(list): number',
    'All numbers of a list together; 0 for an empty one.',
    { 'sum([1, 2, 3.5])': 6.5, 'sum([])': 0 },
    (evaluation, list) => (list.length === 0 ? 0 : ofNumbers(evaluation, 'sum', list, [], (sum, value) => sum + value)),
  ),
  number(
    'number(number|text): number',
    'The number that a text writes with digits, a point and perhaps an exponent; blanks at its ends do not count.',
    { 'number(" 12.50 ")': 12.5, 'number("1e3")': 1000 },
    (evaluation, value) => (typeof value === 'number' ? value : readNumber(evaluation, value, 'number')),
  ),
  number(
    'formatNumber(number, number?, text?): text',
    'As people write it, with so many digits after the point: in the locale given, else `$user.locale`, else `$company.locale`, else English.',
    { 'formatNumber(1234.5, 2)': '1,234.50', 'formatNumber(1234.5, 2, "de")': '1.234,50' },
    formatNumber,
    { reads: localePlaces, refuses: ([, , locale]) => refuseLocale(locale) },
  ),
];

/**
 * Reads a number as JSON and people write it: digits, a point, an exponent.
 *
 * @param name - of the function, for the error
 */
export function readNumber(evaluation: Evaluation, text: string, name: string): number | undefined {
  const digits = text.length <= 100 ? text.trim() : '';
  const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(digits) ? Number(digits) : Number.NaN;
  return Number.isFinite(value) ? value : wrong(evaluation, `${name}() conversion error: the text is no number`);
}

/** Rounds the decimal digits of the number: `1.005` ends in a five, whatever its nearest binary fraction is. */
function round(evaluation: Evaluation, value: number, digits = 0): number | undefined {
  if (wholeNumber(evaluation, digits, 'the number of digits') === undefined) return undefined;
  if (Math.abs(digits) > 20) return wrong(evaluation, 'round() takes from -20 to 20 digits');
  const rounded = shiftPoint(Math.round(shiftPoint(Math.abs(value), digits)), -digits);
  return value < 0 ? 0 - rounded : rounded;
}

/** A number with its point moved, by way of its decimal digits. */
function shiftPoint(value: number, digits: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Number(`${mantissa}e${Number(exponent) + digits}`);
}

function ofNumbers(
  evaluation: Evaluation,
  name: string,
  first: number | ListValue,
  rest: readonly number[],
  combine: (left: number, right: number) => number,
): number | undefined {
  const values: ListValue = isList(first) ? first : [first, ...rest];
  if (isList(first) && rest.length > 0) return wrong(evaluation, `${name}() takes one list, or numbers`);
  spend(evaluation, values.length * itemWork);
  let result: number | undefined;
  for (const value of values) {
    if (typeof value !== 'number') return wrong(evaluation, `${name}() takes numbers, not ${kindOf(value)}`);
    result = result === undefined ? value : combine(result, value);
  }
  return result ?? missing(evaluation, `${name}() of an empty list is nothing; give a default with "??"`);
}

/** A finite number as a value, or the reason why it is not finite. */
export const finite = (evaluation: Evaluation, value: number): Value | undefined =>
  Number.isFinite(value) ? value : wrong(evaluation, 'the result is not a finite number');
