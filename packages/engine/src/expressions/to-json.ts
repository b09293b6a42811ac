import { Optional } from '@marcbachmann/cel-js';
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import type { Json } from '../contract/json.ts';
import { forbiddenNames } from '../variables/path.ts';

/**
 * CEL's values as JSON: ints become numbers, instants ISO 8601 texts, durations texts such as `90s`, an empty optional
 * null.
 *
 * @throws {RangeError | TypeError} for what JSON cannot say
 */
export function toJson(value: unknown): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'bigint':
      return Number(value);
    case 'undefined':
      return null;
    case 'number':
      if (Number.isFinite(value)) return value;
      throw new RangeError('the result is not a finite number');
    case 'object':
      return value === null ? null : fromObject(value);
    default:
      throw new TypeError('the result is no JSON value');
  }
}

function fromObject(value: object): Json {
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Optional) return toJson(value.orValue(null));
  if (value instanceof UnsignedInt) return Number(value.valueOf());
  if (value instanceof Duration) return value.toString();
  if (isInstant(value)) return value.toISOString();
  if (value instanceof Map) return fromEntries([...value]);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return fromEntries(Object.entries(value));
  throw new TypeError('the result is no JSON value');
}

/** CEL's timestamps are JavaScript dates. */
const isInstant = (value: object): value is Date => Object.prototype.toString.call(value) === '[object Date]';

function fromEntries(entries: readonly (readonly [unknown, unknown])[]): Json {
  const result: Record<string, Json> = {};
  for (const [key, item] of entries) {
    const name = String(key);
    if (forbiddenNames.has(name)) throw new RangeError(`"${name}" cannot be a key`);
    result[name] = toJson(item);
  }
  return result;
}
