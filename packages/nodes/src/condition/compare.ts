/** How `condition` and `switch` compare two values: by value, as the language does, and never a silent no for a number that is a text. */
import { containsText, instantMs, isJsonObject, type Json, kindOf, losesDigits } from '@hilo/engine/contract';

/** Counts the work of a comparison, in characters read; throws when it is too much (P20). */
export type CountWork = (work: number) => void;

/** Whether a comparison holds; a text says why the two values cannot be compared. */
type Compared = boolean | string;
type Comparison = (left: Json, right: Json, countWork: CountWork) => Compared;

/** The number that a text is; `undefined` for any other text, and for one with more digits than a number holds. */
function numberIn(text: string): number | undefined {
  if (text.length > 100 || !/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?\s*$/.test(text) || losesDigits(text.trim()))
    return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

const booleanIn = (text: string): boolean | undefined =>
  /^\s*true\s*$/i.test(text.slice(0, 20)) ? true : /^\s*false\s*$/i.test(text.slice(0, 20)) ? false : undefined;

/** The work of reading an instant. */
const instantWork = 2_000;

function instantIn(text: string, countWork: CountWork): number | undefined {
  if (text.length < 11 || text.length > 40 || !/^[+\d]\d{3}/.test(text)) return undefined;
  countWork(instantWork);
  return instantMs(text);
}

/** The two values as two of one kind; themselves when there is none. */
function alike(left: Json, right: Json, countWork: CountWork): readonly [Json, Json] {
  if (typeof left === 'string' && typeof right === 'string') {
    if (left === right) return [left, right];
    const first = instantIn(left, countWork);
    const second = first === undefined ? undefined : instantIn(right, countWork);
    return first === undefined || second === undefined ? [left, right] : [first, second];
  }
  if (typeof left === 'string') return [readAs(right, left) ?? left, right];
  return typeof right === 'string' ? [left, readAs(left, right) ?? right] : [left, right];
}

/** A text as a value of the kind that another value has. */
export const readAs = (other: Json, text: string): Json | undefined =>
  typeof other === 'number' ? numberIn(text) : typeof other === 'boolean' ? booleanIn(text) : undefined;

/** Equal by value: a number and the text of it, true and "true", two spellings of one instant. What is in lists and objects as JSON. */
export function equalsByValue(left: Json, right: Json, countWork: CountWork): boolean {
  const [first, second] = alike(left, right, countWork);
  return isEqual(first, second, countWork);
}

const describe = (value: Json): string => (typeof value === 'string' ? `the text ${JSON.stringify(value.slice(0, 40))}` : kindOf(value));

/** An order of two numbers, instants or texts. */
const ordered =
  (holds: (order: number) => boolean): Comparison =>
  (left, right, countWork) => {
    const [first, second] =
      typeof left === 'string' && typeof right === 'string' ? orderedTexts(left, right, countWork) : alike(left, right, countWork);
    if (typeof first === 'number' && typeof second === 'number') return holds(first < second ? -1 : first > second ? 1 : 0);
    if (typeof first === 'string' && typeof second === 'string') {
      countWork(Math.min(first.length, second.length));
      return holds(first < second ? -1 : first > second ? 1 : 0);
    }
    return `it compares ${describe(left)} with ${describe(right)}; compare two numbers, two instants or two texts`;
  };

/** Two texts: as numbers or instants when both are, by their characters when neither is. */
function orderedTexts(left: string, right: string, countWork: CountWork): readonly [Json, Json] {
  const numbers = [numberIn(left), numberIn(right)] as const;
  if (numbers[0] !== undefined || numbers[1] !== undefined) return [numbers[0] ?? left, numbers[1] ?? right];
  return alike(left, right, countWork);
}

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

const isIn: Comparison = (left, right, countWork) => {
  if (isList(right)) return containsItem(right, left, countWork);
  const key = textOf(left);
  return isJsonObject(right) && key !== undefined
    ? Object.hasOwn(right, key)
    : `it looks for ${describe(left)} in ${describe(right)}, which is no list`;
};

/** The operations on two values. */
export const comparisons = {
  eq: equalsByValue,
  neq: (left, right, countWork) => !equalsByValue(left, right, countWork),
  gt: ordered((order) => order > 0),
  gte: ordered((order) => order >= 0),
  lt: ordered((order) => order < 0),
  lte: ordered((order) => order <= 0),
  startsWith: onTexts((left, right) => left.startsWith(right)),
  endsWith: onTexts((left, right) => left.endsWith(right)),
  contains: (left, right, countWork) =>
    isList(left) ? containsItem(left, right, countWork) : onTexts(containsText)(left, right, countWork),
  in: isIn,
} satisfies { readonly [op: string]: Comparison };

const containsItem = (list: readonly Json[], wanted: Json, countWork: CountWork): boolean =>
  list.some((item) => equalsByValue(item, wanted, countWork));

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
