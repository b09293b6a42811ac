import type { Json } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import { dateWork, entryWork, type Evaluation, itemWork, spend, wrong } from './evaluation.ts';
import { formatDuration, formatTimestamp } from './time.ts';
import { isList, isObject, Optional, TimeSpan, Timestamp, TypeName, type Value } from './value.ts';

/** The work of one list or object, without its items. */
const listWork = 20;

/**
 * The value of an expression as JSON: timestamps become ISO 8601 texts in UTC, durations texts such as `90s`, an empty optional null.
 * Lists and objects are copied, and counted at each occurrence: JSON repeats one that occurs several times (P20).
 *
 * @returns `undefined` for a value that JSON cannot represent, with the reason in the evaluation
 */
export function toJson(evaluation: Evaluation, value: Value, depth = 0): Json | undefined {
  switch (typeof value) {
    case 'string':
      if (depth > 0) spend(evaluation, value.length);
      return value;
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value + 0 : wrong(evaluation, 'the result is not a finite number'); // JSON has no -0
    default:
      if (value === null) return null;
  }
  if (depth > limits.depth) return wrong(evaluation, `the result is more than ${limits.depth} levels deep`);
  if (isList(value)) {
    spend(evaluation, listWork + value.length * itemWork);
    const items: Json[] = [];
    for (const item of value) {
      const json = toJson(evaluation, item, depth + 1);
      if (json === undefined) return undefined;
      items.push(json);
    }
    return items;
  }
  if (isObject(value)) {
    const entries: [string, Json][] = [];
    const keys = Object.keys(value);
    spend(evaluation, listWork + keys.length * entryWork);
    for (const key of keys) {
      const json = toJson(evaluation, value[key] ?? null, depth + 1);
      if (json === undefined) return undefined;
      entries.push([key, json]);
    }
    return Object.fromEntries(entries); // defines its keys, including `__proto__`
  }
  if (value instanceof Optional) return value.value === undefined ? null : toJson(evaluation, value.value, depth);
  if (value instanceof Timestamp || value instanceof TimeSpan) {
    spend(evaluation, dateWork);
    return value instanceof Timestamp ? formatTimestamp(value) : formatDuration(value);
  }
  if (value instanceof TypeName)
    return wrong(
      evaluation,
      'the result is a type and no JSON value; compare it, as in type($context.name) == string; variables start with "$"',
    );
  return wrong(evaluation, 'the result is no JSON value');
}
