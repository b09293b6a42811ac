// Reads JSON from outside within bounds.
import { locateJsonFault } from './canvas/read-json.ts';
import { HiloError } from './contract/errors.ts';
import { findExcess, parseJsonText } from './contract/exact-json.ts';
import { isJsonObject, type Json, type JsonObject } from './contract/json.ts';
import { limits } from './contract/limits.ts';

const invalidRequest = (reason: string): HiloError => new HiloError('INVALID_REQUEST', { reason });

/** Values in one body, including lists and objects: each costs the engine half a microsecond, however small it is (P20). */
const maxBodyParts = 50_000;

/**
 * Reads JSON from outside. Levels, keys and values are counted before anything is built, so that no text exhausts memory or stack
 * (P33, T7), or blocks other requests (P20). A key `__proto__` is dropped (GEN-07, T8). A number too large for JSON storage is
 * refused: a replay would differ from the run (P19). One that would lose digits is kept as the text of them.
 *
 * @param maxKeys - for a body of many events, each of which is small
 * @throws {HiloError} `INVALID_REQUEST` for malformed JSON, or for JSON over the limits
 */
export function parseJson(text: string, maxKeys: number = limits.keys): Json {
  checkBounds(text, maxKeys);
  const value = parseValue(text);
  if (/__proto__|\\u|\d[eE]|\d{309}/.test(text)) clean(value);
  return value;
}

/**
 * Reads a JSON object from a text, within the bounds of a request.
 *
 * @throws {HiloError} `INVALID_REQUEST` for anything but a JSON object, and as `parseJson`
 */
export function parseJsonObject(text: string): JsonObject {
  const value = parseJson(text);
  if (!isJsonObject(value)) throw invalidRequest('The body is not a JSON object');
  return value;
}

/** In a larger body the place of a fault is not searched: that takes longer than to parse it. */
const locatedChars = 64 * 1024;

function parseValue(text: string): Json {
  try {
    return parseJsonText(text);
  } catch {
    const advice = text.length > locatedChars ? '' : `: correct it at ${locateJsonFault(text)}`;
    throw invalidRequest(`The body is not valid JSON${advice}`);
  }
}

/**
 * Drops `__proto__`, which `JSON.parse` makes an ordinary key. A reviver would do the same, and take ten times as long for
 * long lists (P20).
 *
 * @throws {HiloError} `INVALID_REQUEST` for a number that JSON can write and nothing can keep
 */
function clean(value: Json): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw invalidRequest('The body has a number that is too large to be kept: send it as a text');
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) Reflect.deleteProperty(value, '__proto__');
  for (const item of Object.values<Json>(value)) clean(item);
}

/** @throws {HiloError} `INVALID_REQUEST` for JSON over a limit; malformed JSON is left to the parser */
export function checkBounds(json: string, maxKeys: number = limits.keys): void {
  switch (findExcess(json, { depth: limits.depth, keys: maxKeys, values: maxBodyParts })) {
    case 'depth':
      throw invalidRequest(`The body is nested more than ${limits.depth} levels deep`);
    case 'keys':
      throw invalidRequest(`The body has more than ${maxKeys} keys`);
    case 'values':
      throw invalidRequest(`The body has more than ${maxBodyParts} values`);
    case undefined:
  }
}
