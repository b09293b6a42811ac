import type { Json } from '@hilo/engine/contract';

type Comparison = (left: Json, right: Json) => boolean;

const ofNumbers =
  (compare: (left: number, right: number) => boolean): Comparison =>
  (left, right) =>
    typeof left === 'number' && typeof right === 'number' && compare(left, right);

const ofTexts =
  (compare: (left: string, right: string) => boolean): Comparison =>
  (left, right) =>
    typeof left === 'string' && typeof right === 'string' && compare(left, right);

/** What each operation makes of two values. Nothing is coerced: what is of another kind is not equal, below, or within. */
export const comparisons = {
  eq: (left, right) => isEqual(left, right),
  neq: (left, right) => !isEqual(left, right),
  gt: ofNumbers((left, right) => left > right),
  gte: ofNumbers((left, right) => left >= right),
  lt: ofNumbers((left, right) => left < right),
  lte: ofNumbers((left, right) => left <= right),
  startsWith: ofTexts((left, right) => left.startsWith(right)),
  endsWith: ofTexts((left, right) => left.endsWith(right)),
  contains: (left, right) => (isList(left) ? has(left, right) : ofTexts((text, part) => text.includes(part))(left, right)),
  in: (left, right) => isList(right) && has(right, left),
} satisfies { readonly [op: string]: Comparison };

const has = (list: readonly Json[], wanted: Json): boolean => list.some((item) => isEqual(item, wanted));

/** Equal as JSON: same kind, same value; the order of an object's keys does not count. */
function isEqual(left: Json, right: Json): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right;
  if (isList(left) || isList(right)) {
    return (
      isList(left) && isList(right) && left.length === right.length && left.every((item, index) => isEqual(item, right[index] ?? null))
    );
  }
  const entries = Object.entries(left);
  return (
    entries.length === Object.keys(right).length &&
    entries.every(([key, value]) => Object.hasOwn(right, key) && isEqual(value, right[key] ?? null))
  );
}

/** A text, a list or an object with nothing in it. Any other value, null among them, is not empty. */
export function isEmpty(value: Json): boolean {
  if (typeof value === 'object' && value !== null) return (isList(value) ? value : Object.keys(value)).length === 0;
  return value === '';
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
