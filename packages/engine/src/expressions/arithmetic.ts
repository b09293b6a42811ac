/** Sums, differences and products of numbers as a person computes them: with the decimal places of their terms, and within 2^53. */
import { type Evaluation, spend, wrong } from './evaluation.ts';

/** The work of finding the decimal places of two numbers and of rounding a third. */
const decimalWork = 60;
/** More decimal places are not rounded to: such a number is no amount. */
const maxPlaces = 15;

/**
 * A sum or difference: 0.1 + 0.2 is 0.3, since prices that are added give a price.
 *
 * @param raw - the result in binary
 */
export const sumOf = (evaluation: Evaluation, left: number, right: number, raw: number): number | undefined =>
  Number.isInteger(left) && Number.isInteger(right)
    ? checkWhole(evaluation, raw, Number.isSafeInteger(left) && Number.isSafeInteger(right))
    : roundTo(evaluation, raw, () => Math.max(placesOf(left), placesOf(right)));

/** A product: 3 * 1.1 is 3.3. */
export const productOf = (evaluation: Evaluation, left: number, right: number): number | undefined =>
  Number.isInteger(left) && Number.isInteger(right)
    ? checkWhole(evaluation, left * right, Number.isSafeInteger(left) && Number.isSafeInteger(right))
    : roundTo(evaluation, left * right, () => placesOf(left) + placesOf(right));

/** A result of whole numbers: beyond 2^53 it would be another number in silence. Beyond it already, numbers are approximations. */
function checkWhole(evaluation: Evaluation, raw: number, areExact: boolean): number | undefined {
  if (!Number.isFinite(raw)) return wrong(evaluation, 'the result is not a finite number');
  return areExact && !Number.isSafeInteger(raw)
    ? wrong(evaluation, `the result is beyond ${Number.MAX_SAFE_INTEGER}, where whole numbers lose digits`)
    : raw;
}

function roundTo(evaluation: Evaluation, raw: number, findPlaces: () => number): number | undefined {
  if (!Number.isFinite(raw)) return wrong(evaluation, 'the result is not a finite number');
  spend(evaluation, decimalWork);
  const places = findPlaces();
  // With more digits than a number holds there is nothing to round.
  return places > maxPlaces || Math.abs(raw) * 10 ** places > Number.MAX_SAFE_INTEGER ? raw : Number(raw.toFixed(places)) + 0;
}

/** The decimal places in the notation of a number: 2 for 19.99, 7 for 1e-7. */
export function placesOf(value: number): number {
  if (Number.isInteger(value)) return 0;
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const point = mantissa.indexOf('.');
  return Math.max(0, (point < 0 ? 0 : mantissa.length - point - 1) - Number(exponent));
}
