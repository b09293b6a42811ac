import { containsText, type Json } from '@hilo/engine/contract';

/** Counts what a comparison looks at, in characters or their like, and throws where that is too much (P20). */
export type Look = (work: number) => void;

type Comparison = (left: Json, right: Json, look: Look) => boolean;

const ofNumbers =
  (compare: (left: number, right: number) => boolean): Comparison =>
  (left, right) =>
    typeof left === 'number' && typeof right === 'number' && compare(left, right);

const ofTexts =
  (compare: (left: string, right: string) => boolean): Comparison =>
  (left, right, look) => {
    if (typeof left !== 'string' || typeof right !== 'string') return false;
    look(left.length + right.length);
    return compare(left, right);
  };

/** What each operation makes of two values. Nothing is coerced: what is of another kind is not equal, below, or within. */
export const comparisons = {
  eq: (left, right, look) => isEqual(left, right, look),
  neq: (left, right, look) => !isEqual(left, right, look),
  gt: ofNumbers((left, right) => left > right),
  gte: ofNumbers((left, right) => left >= right),
  lt: ofNumbers((left, right) => left < right),
  lte: ofNumbers((left, right) => left <= right),
  startsWith: ofTexts((left, right) => left.startsWith(right)),
  endsWith: ofTexts((left, right) => left.endsWith(right)),
  contains: (left, right, look) => (isList(left) ? has(left, right, look) : ofTexts(containsText)(left, right, look)),
  in: (left, right, look) => isList(right) && has(right, left, look),
} satisfies { readonly [op: string]: Comparison };

const has = (list: readonly Json[], wanted: Json, look: Look): boolean => list.some((item) => isEqual(item, wanted, look));

/** What one item of a list, or one entry of an object, counts for beside its texts. */
const itemWork = 5;

/** Equal as JSON: same kind, same value; the order of an object's keys does not count. */
function isEqual(left: Json, right: Json, look: Look): boolean {
  look(itemWork + (typeof left === 'string' && typeof right === 'string' && left.length === right.length ? left.length : 0));
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right;
  if (isList(left) || isList(right)) {
    return (
      isList(left) &&
      isList(right) &&
      left.length === right.length &&
      left.every((item, index) => isEqual(item, right[index] ?? null, look))
    );
  }
  const entries = Object.entries(left);
  look(entries.length * itemWork);
  return (
    entries.length === Object.keys(right).length &&
    entries.every(([key, value]) => Object.hasOwn(right, key) && isEqual(value, right[key] ?? null, look))
  );
}

/** A text, a list or an object with nothing in it. Any other value, null among them, is not empty. */
export function isEmpty(value: Json): boolean {
  if (typeof value === 'object' && value !== null) return (isList(value) ? value : Object.keys(value)).length === 0;
  return value === '';
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
