import type { Json } from '@hilo/engine/contract';

/**
 * A value of a client library as JSON: bytes as base64, an instant as ISO 8601, and a whole number that JSON cannot hold
 * exactly as the text it is.
 */
export function jsonOf(value: unknown): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
    case 'object':
      return objectOf(value);
    default:
      return null;
  }
}

function objectOf(value: object | null): Json {
  if (value === null) return null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map(jsonOf);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, jsonOf(item)]));
}
