/**
 * How `condition` and `switch` compare two values: by what they mean, and never a silent no for a number that is a text, a day beside an
 * instant, 9:00 beside 09:00 or a phone number without its +. Expressions compare as CEL does.
 */
import { containsText, isJsonObject, type Json, kindOf, losesDigits } from '@hilo/engine/contract';
import { type FindZone, inUtc, looksLikeMoment, meetMoments, readMoment } from './moment.ts';
import { samePhone } from './same-phone.ts';

/** Counts the work of a comparison, in characters read; throws when it is too much (P20). */
export type CountWork = (work: number) => void;

/** Whether a comparison holds; a text says why the two values cannot be compared. */
type Compared = boolean | string;
type Comparison = (left: Json, right: Json, countWork: CountWork, zone?: FindZone) => Compared;

/** The number that a text is; `undefined` for any other text, and for one with more digits than a number holds. */
function numberIn(text: string): number | undefined {
  if (text.length > 100 || !/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?\s*$/.test(text) || losesDigits(text.trim()))
    return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

const booleanIn = (text: string): boolean | undefined =>
  /^\s*true\s*$/i.test(text.slice(0, 20)) ? true : /^\s*false\s*$/i.test(text.slice(0, 20)) ? false : undefined;

/** The work of reading a moment. */
const momentWork = 2_000;

/** Two texts as two numbers, where both are moments that can be compared: instants, days, times of day. */
function asMoments(left: string, right: string, countWork: CountWork, zone: FindZone): readonly [number, number] | undefined {
  if (!looksLikeMoment(left) || !looksLikeMoment(right)) return undefined;
  countWork(2 * momentWork);
  const [first, second] = [readMoment(left, zone), readMoment(right, zone)];
  return first === undefined || second === undefined ? undefined : meetMoments(first, second, zone);
}

/** The two values as two of one kind; themselves when there is none. */
function alike(left: Json, right: Json, countWork: CountWork, zone: FindZone): readonly [Json, Json] {
  if (typeof left === 'string' && typeof right === 'string')
    return left === right ? [left, right] : (asMoments(left, right, countWork, zone) ?? [left, right]);
  if (typeof left === 'string') return [readAs(right, left) ?? left, right];
  return typeof right === 'string' ? [left, readAs(left, right) ?? right] : [left, right];
}

/** A text as a value of the kind that another value has. */
export const readAs = (other: Json, text: string): Json | undefined =>
  typeof other === 'number' ? numberIn(text) : typeof other === 'boolean' ? booleanIn(text) : undefined;

/**
 * Equal by value: a number and the text of it, true and "true", two spellings of one instant, time or phone number, and a day or a time
 * with an instant of it in the user's zone. What is in lists and objects as JSON.
 */
export function equalsByValue(left: Json, right: Json, countWork: CountWork, zone: FindZone = inUtc): boolean {
  const [first, second] = alike(left, right, countWork, zone);
  return isEqual(first, second, countWork) || (typeof first === 'string' && typeof second === 'string' && samePhone(first, second));
}

const describe = (value: Json): string => (typeof value === 'string' ? `the text ${JSON.stringify(value.slice(0, 40))}` : kindOf(value));

/** An order of two numbers, instants or texts. */
const ordered =
  (holds: (order: number) => boolean): Comparison =>
  (left, right, countWork, zone = inUtc) => {
    const [first, second] =
      typeof left === 'string' && typeof right === 'string'
        ? orderedTexts(left, right, countWork, zone)
        : alike(left, right, countWork, zone);
    if (typeof first === 'number' && typeof second === 'number') return holds(first < second ? -1 : first > second ? 1 : 0);
    if (typeof first === 'string' && typeof second === 'string' && !isMomentBeside(first, second)) {
      countWork(Math.min(first.length, second.length));
      return holds(first < second ? -1 : first > second ? 1 : 0);
    }
    return `it compares ${describe(left)} with ${describe(right)}; compare two numbers, two instants, days or times, or two texts`;
  };

/** Two texts: as numbers or moments when both are, by their characters when neither is. */
function orderedTexts(left: string, right: string, countWork: CountWork, zone: FindZone): readonly [Json, Json] {
  const numbers = [numberIn(left), numberIn(right)] as const;
  if (numbers[0] !== undefined || numbers[1] !== undefined) return [numbers[0] ?? left, numbers[1] ?? right];
  return alike(left, right, countWork, zone);
}

/** Whether one of two texts is a moment and the other none, and no beginning of one: "09:00" has no order with "9 am". */
const isMomentBeside = (left: string, right: string): boolean =>
  left !== right && (looksLikeMoment(left) ? !isBeginning.test(right) : looksLikeMoment(right) && !isBeginning.test(left));
const isBeginning = /^(?:\d{4}-?|\d{4}-\d\d-?|\d\d:?)$/;

/** A text, or the text of a number or a boolean. */
const textOf = (value: Json): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;

const onTexts =
  (holds: (left: string, right: string) => boolean): Comparison =>
  (left, right, countWork) => {
    const [first, second] = [textOf(left), textOf(right)];
    if (first === undefined || second === undefined) return `it looks for ${describe(right)} in ${describe(left)}; both must be texts`;
    countWork(first.length + second.length);
    return holds(first, second);
  };

const isIn: Comparison = (left, right, countWork, zone) => {
  if (isList(right)) return containsItem(right, left, countWork, zone);
  const key = textOf(left);
  return isJsonObject(right) && key !== undefined
    ? Object.hasOwn(right, key)
    : `it looks for ${describe(left)} in ${describe(right)}, which is no list`;
};

/** The operations on two values. */
export const comparisons = {
  eq: equalsByValue,
  neq: (left, right, countWork, zone) => !equalsByValue(left, right, countWork, zone),
  gt: ordered((order) => order > 0),
  gte: ordered((order) => order >= 0),
  lt: ordered((order) => order < 0),
  lte: ordered((order) => order <= 0),
  startsWith: onTexts((left, right) => left.startsWith(right)),
  endsWith: onTexts((left, right) => left.endsWith(right)),
  contains: (left, right, countWork, zone) =>
    isList(left) ? containsItem(left, right, countWork, zone) : onTexts(containsText)(left, right, countWork),
  in: isIn,
} satisfies { readonly [op: string]: Comparison };

const containsItem = (list: readonly Json[], wanted: Json, countWork: CountWork, zone?: FindZone): boolean =>
  list.some((item) => equalsByValue(item, wanted, countWork, zone));

/** The work of one item of a list or one entry of an object, without its texts. */
const itemWork = 5;

/** Equal as JSON: same kind, same value; the order of an object's keys does not count. */
function isEqual(left: Json, right: Json, countWork: CountWork): boolean {
  countWork(itemWork + (typeof left === 'string' && typeof right === 'string' && left.length === right.length ? left.length : 0));
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right;
  if (isList(left) || isList(right)) {
    return (
      isList(left) &&
      isList(right) &&
      left.length === right.length &&
      left.every((item, index) => isEqual(item, right[index] ?? null, countWork))
    );
  }
  const entries = Object.entries(left);
  countWork(entries.length * itemWork);
  return (
    entries.length === Object.keys(right).length &&
    entries.every(([key, value]) => Object.hasOwn(right, key) && isEqual(value, right[key] ?? null, countWork))
  );
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
