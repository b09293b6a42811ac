// The functions of expressions over lists, objects and optionals.
import { limits } from '../../contract/limits.ts';
import { entryWork, type Evaluation, itemWork, missing, shallowWork, spend, wrong } from '../evaluation.ts';
import { toJson } from '../to-json.ts';
import { isList, isObject, kindOf, type ListValue, Optional, own, TimeSpan, Timestamp, type Value } from '../value.ts';
import { createDefiner, type LanguageFunction } from './define.ts';

const list = createDefiner('lists');
const object = createDefiner('objects');

export const listFunctions: readonly LanguageFunction[] = [
  list(
    'first(list): any',
    'The first item; missing for an empty list.',
    { 'first([1, 2])': 1, 'first([]) ?? "none"': 'none' },
    (evaluation, items) => (items.length === 0 ? empty(evaluation, 'first') : items[0]),
  ),
  list('last(list): any', 'The last item; missing for an empty list.', { 'last([1, 2])': 2 }, (evaluation, items) =>
    items.length === 0 ? empty(evaluation, 'last') : items.at(-1),
  ),
  list(
    'sort(list): list',
    'Sorts in ascending order; all items must be numbers, texts (by character code) or timestamps.',
    { 'sort([10, 9, 1])': [1, 9, 10], 'sort(["b", "a"])': ['a', 'b'] },
    (evaluation, items) => sortByKeys(evaluation, items, items, 'sort'),
  ),
  list(
    'distinct(list): list',
    'Removes items that are equal to an earlier one.',
    { 'distinct([1, 2, 1.0])': [1, 2], 'distinct([{"a": 1}, {"a": 1}])': [{ a: 1 }] },
    (evaluation, items) => {
      spend(evaluation, items.length * entryWork);
      const kept = new Map<string, Value>();
      for (const item of items) {
        const text = canonicalText(evaluation, item);
        if (text === undefined) return undefined;
        if (!kept.has(text)) kept.set(text, item);
      }
      return [...kept.values()];
    },
  ),
];

export const objectFunctions: readonly LanguageFunction[] = [
  object('keys(object): list', 'The keys of the object.', { 'keys({"a": 1, "b": 2})': ['a', 'b'] }, (evaluation, value) => {
    const keys = Object.keys(value);
    spend(evaluation, keys.length * entryWork);
    return keys;
  }),
  object('values(object): list', 'The values of the object.', { 'values({"a": 1, "b": 2})': [1, 2] }, (evaluation, value) => {
    const values = Object.values(value);
    spend(evaluation, values.length * entryWork);
    return values;
  }),
  object(
    'get(object|list, text|number, any?): any',
    'The value at a key, or at a position of a list; the default if there is none.',
    { 'get({"a": 1}, "a")': 1, 'get({"a": 1}, "b", 0)': 0, 'get(["x"], 0)': 'x' },
    (evaluation, value, key, otherwise) => {
      spend(evaluation, shallowWork(key));
      const found = own(value, isList(value) ? key : String(key));
      if (found !== undefined) return found; // null is a value like any other, as for has()
      if (otherwise !== undefined) return otherwise;
      return missing(evaluation, `nothing stands under ${JSON.stringify(key).slice(0, 60)}; give get() a default if it may be missing`);
    },
  ),
];

/** CEL's optionals, which `.?` gives as well. */
export const optionalFunctions: readonly LanguageFunction[] = [
  object('optional.of(any): optional', 'An optional with a value.', { 'optional.of(1).orValue(0)': 1 }, (_, value) => new Optional(value)),
  object(
    'optional.ofNonZeroValue(any): optional',
    'An optional with a value, or an empty one for null, false, 0, and an empty text, list, object or bytes.',
    { 'optional.ofNonZeroValue("").orValue("none")': 'none' },
    (_, value) => new Optional(isZero(value) ? undefined : value),
  ),
  object('optional.none(): optional', 'An empty optional.', { 'optional.none().hasValue()': false }, () => new Optional(undefined)),
];

function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0 || value === '') return true;
  if (isList(value) || value instanceof Uint8Array) return value.length === 0;
  return value instanceof TimeSpan ? value.ms === 0 && value.months === 0 : isObject(value) && Object.keys(value).length === 0;
}

const empty = (evaluation: Evaluation, name: string): undefined =>
  missing(evaluation, `${name}() of an empty list is nothing; give a default with "??"`);

/**
 * The items in ascending order of their keys, which are of one kind that has an order; those with equal keys stay as they were.
 *
 * @param name - of the function, for its errors
 */
export function sortByKeys(evaluation: Evaluation, items: ListValue, keys: ListValue, name: string): ListValue | undefined {
  if (items.length === 0) return [];
  spend(evaluation, items.length * itemWork);
  const [kind, other] = new Set(keys.map(kindOf));
  if (other !== undefined)
    return wrong(evaluation, `${name}() takes ${name === 'sort' ? 'items' : 'keys'} of one kind, not ${kind} and ${other}`);
  if (kind !== 'number' && kind !== 'text' && kind !== 'timestamp')
    return wrong(
      evaluation,
      `${name}() takes numbers, texts or timestamps, not ${kind}${kind === 'object' ? '; list.sortBy(item, item.price) sorts by a part' : ''}`,
    );
  // A comparison may read all of two texts.
  const longest = keys.reduce<number>((chars, key) => Math.max(chars, typeof key === 'string' ? key.length : 0), 0);
  spend(evaluation, items.length * Math.ceil(Math.log2(items.length + 1)) * (itemWork + longest));
  const order = keys.map((key) => (key instanceof Timestamp ? key.ms : typeof key === 'string' || typeof key === 'number' ? key : 0));
  return [...items.entries()].sort(([left], [right]) => compare(order[left] ?? 0, order[right] ?? 0)).map(([, item]) => item);
}

const compare = (left: number | string, right: number | string): number => (left < right ? -1 : left > right ? 1 : 0);

/**
 * The canonical text of a value: JSON with sorted keys, the same for equal values and no others.
 *
 * @returns `undefined` for a value without one, with the reason in the evaluation
 */
function canonicalText(evaluation: Evaluation, value: Value, depth = 0): string | undefined {
  if (depth > limits.depth) return wrong(evaluation, `the value is more than ${limits.depth} levels deep`);
  if (isList(value)) {
    spend(evaluation, value.length * itemWork);
    const items = value.map((item) => canonicalText(evaluation, item, depth + 1));
    return items.includes(undefined) ? undefined : `[${items.join(',')}]`;
  }
  if (isObject(value)) {
    const keys = Object.keys(value).sort();
    spend(evaluation, keys.length * entryWork);
    const items = keys.map((key) => canonicalText(evaluation, value[key] ?? null, depth + 1));
    return items.includes(undefined) ? undefined : `{${items.map((text, at) => `${JSON.stringify(keys[at])}:${text}`).join(',')}}`;
  }
  if (typeof value === 'string') {
    spend(evaluation, value.length);
    return JSON.stringify(value);
  }
  const json = toJson(evaluation, value);
  return json === undefined ? undefined : `${kindOf(value)} ${JSON.stringify(json)}`;
}
