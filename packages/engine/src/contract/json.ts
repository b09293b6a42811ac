import { z } from 'zod';

/** A value that survives JSON: the type of variables, effects and canvases. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Parses any JSON value; functions, `undefined`, `NaN` and class instances are refused. */
export const Json: z.ZodType<Json> = z.json();

/** A JSON object, with own keys only. */
export type JsonObject = { readonly [key: string]: Json };

export const JsonObject: z.ZodType<JsonObject> = z.record(z.string(), Json);

/** Whether a JSON value is an object: neither a list, nor null, nor a primitive. */
export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Types of values in the words of messages, by their names in zod and in JavaScript. */
export const typeWords: { readonly [type: string]: string | undefined } = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** The name of a value's type, as JSON Schema has it. */
export const kindOf = (value: Json): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** Whether two values are the same JSON; the order of an object's keys does not count. */
export function isSameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (!isJsonObject(a) || !isJsonObject(b)) {
    return isList(a) && isList(b) && a.length === b.length && a.every((item, index) => isSameJson(item, b[index]));
  }
  let count = 0;
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !isSameJson(a[key], b[key])) return false;
    count += 1;
  }
  for (const _key in b) count -= 1;
  return count === 0;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** Kinds of JSON values, but null. */
export type ValueKind = 'string' | 'number' | 'boolean' | 'object' | 'array';
