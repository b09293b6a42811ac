import { limits } from '../contract/limits.ts';
import { entryWork, type Evaluation, itemWork, spend, wrong } from './evaluation.ts';
import { toJson } from './to-json.ts';
import { isList, isObject, kindOf, type Value } from './value.ts';

/**
 * A text that two values share exactly when they are equal: JSON with its keys in order.
 *
 * @returns `undefined` for what has no such text, its reason in the evaluation
 */
export function canonicalText(evaluation: Evaluation, value: Value, depth = 0): string | undefined {
  if (depth > limits.depth) return wrong(evaluation, `the value is more than ${limits.depth} levels deep`);
  if (isList(value)) {
    spend(evaluation, value.length * itemWork);
    const items: string[] = [];
    for (const item of value) {
      const text = canonicalText(evaluation, item, depth + 1);
      if (text === undefined) return undefined;
      items.push(text);
    }
    return `[${items.join(',')}]`;
  }
  if (isObject(value)) {
    const keys = Object.keys(value).sort();
    spend(evaluation, keys.length * entryWork);
    const entries: string[] = [];
    for (const key of keys) {
      const text = canonicalText(evaluation, value[key] ?? null, depth + 1);
      if (text === undefined) return undefined;
      entries.push(`${JSON.stringify(key)}:${text}`);
    }
    return `{${entries.join(',')}}`;
  }
  if (typeof value === 'string') {
    spend(evaluation, value.length);
    return JSON.stringify(value);
  }
  const json = toJson(evaluation, value);
  return json === undefined ? undefined : `${kindOf(value)} ${JSON.stringify(json)}`;
}
