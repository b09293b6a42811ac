import { locateJsonFault } from '@hilo/engine';
import { endOfText, isJsonObject, type Json, type JsonObject, parseJsonText } from '@hilo/engine/contract';
import { httpLimits } from './limits.ts';
import { invalidRequest, type HttpError } from './errors.ts';

/**
 * Reads JSON from outside. Levels, keys and values are counted before anything is built, so that no text exhausts memory or stack
 * (P33, T7), or blocks other requests (P20). A key `__proto__` is dropped (GEN-07, T8). A number too large for JSON storage is
 * refused: a replay would differ from the run (P19). One that would lose digits is kept as the text of them.
 *
 * @param maxKeys - for a body of many events, each of which is small
 * @throws {HttpError} 400 for malformed JSON, or for JSON over the limits
 */
export function parseJson(text: string, maxKeys: number = httpLimits.keys): Json {
  const excess = findExcess(text, maxKeys);
  if (excess !== undefined) throw excess;
  const value = parseValue(text);
  if (/__proto__|\\u|\d[eE]|\d{309}/.test(text)) clean(value);
  return value;
}

/** @throws {HttpError} 400 for anything but a JSON object, and as `parseJson` */
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
 * @throws {HttpError} for a number that JSON can write and nothing can keep
 */
function clean(value: Json): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw invalidRequest('The body has a number that is too large to be kept: send it as a text');
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) Reflect.deleteProperty(value, '__proto__');
  for (const item of Object.values<Json>(value)) clean(item);
}

/** Counts brackets, colons and commas outside of strings; malformed JSON is left to the parser. */
function findExcess(json: string, maxKeys: number): HttpError | undefined {
  let [depth, keys, parts] = [0, 0, 1];
  for (let offset = 0; offset < json.length; offset += 1) {
    switch (json.charCodeAt(offset)) {
      case quote:
        offset = endOfText(json, offset);
        break;
      case openBrace:
      case openBracket:
        depth += 1;
        if (depth > httpLimits.depth) return invalidRequest(`The body is nested more than ${httpLimits.depth} levels deep`);
        parts += 1; // its first value; each further one follows a comma
        break;
      case comma:
        parts += 1;
        break;
      case closeBrace:
      case closeBracket:
        depth -= 1;
        break;
      case colon:
        keys += 1;
        if (keys > maxKeys) return invalidRequest(`The body has more than ${maxKeys} keys`);
        break;
      default:
    }
    if (parts > httpLimits.parts) return invalidRequest(`The body has more than ${httpLimits.parts} values`);
  }
  return undefined;
}

const [quote, colon, comma] = [0x22, 0x3a, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
