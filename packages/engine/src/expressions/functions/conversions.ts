// The functions of expressions that convert values, and those over bytes.
import { parseJsonText } from '../../contract/exact-json.ts';
import type { Json } from '../../contract/json.ts';
import { limits } from '../../contract/limits.ts';
import { measure, unbounded } from '../../variables/measure.ts';
import { dateWork, entryWork, type Evaluation, spend, wrong } from '../evaluation.ts';
import { formatDuration, formatTimestamp } from '../time.ts';
import { kindOf, TimeSpan, Timestamp, TypeName } from '../value.ts';
import { createDefiner, type LanguageFunction } from './define.ts';
import { describeText, readNumber, tooManyDigits } from './numbers.ts';

const conversion = createDefiner('conversions');
const ofBytes = createDefiner('bytes');

export const conversionFunctions: readonly LanguageFunction[] = [
  conversion(
    'string(text|number|bool|timestamp|duration|bytes): text',
    'Converts to a text: integers without a decimal point, bytes decoded as UTF-8; other bytes are an error.',
    { 'string(12.0)': '12', 'string(true)': 'true' },
    (evaluation, value) => {
      if (value instanceof Timestamp || value instanceof TimeSpan) {
        spend(evaluation, dateWork);
        return value instanceof Timestamp ? formatTimestamp(value) : formatDuration(value);
      }
      if (!(value instanceof Uint8Array)) return String(value);
      spend(evaluation, value.length);
      return decodeUtf8(value) ?? wrong(evaluation, 'string() conversion error: the bytes are no UTF-8');
    },
  ),
  conversion(
    'int(number|text|timestamp): number',
    'Truncates a number, parses an integer in a text, or gives the seconds since 1970 of a timestamp. Beyond 9007199254740991 it is an error.',
    { 'int(2.9)': 2, 'int("-17")': -17, 'int(timestamp("1970-01-01T00:01:00Z"))': 60 },
    (evaluation, value) => convertToWhole(evaluation, value, 'int'),
  ),
  conversion(
    'uint(number|text): number',
    'The same as `int`; negative numbers are an error.',
    { 'uint("17")': 17 },
    (evaluation, value) => {
      const number = convertToWhole(evaluation, value, 'uint');
      return number === undefined || number >= 0 ? number : wrong(evaluation, 'uint() conversion error: the number is below 0');
    },
  ),
  conversion('double(number|text): number', 'CEL’s name for `number`.', { 'double("2.5")': 2.5 }, (evaluation, value) =>
    typeof value === 'number' ? value : readNumber(evaluation, value, 'double'),
  ),
  conversion(
    'bool(bool|text): bool',
    'Parses a text: `true`, `True`, `TRUE`, `t` and `1`, or `false`, `False`, `FALSE`, `f` and `0`.',
    { 'bool("true")': true },
    (evaluation, value) => {
      if (typeof value === 'boolean') return value;
      if (['1', 't', 'true', 'TRUE', 'True'].includes(value)) return true;
      if (['0', 'f', 'false', 'FALSE', 'False'].includes(value)) return false;
      return wrong(evaluation, `bool() conversion error: ${describeText(value)} is neither true nor false`);
    },
  ),
  conversion('dyn(any): any', 'The value itself, with no static type.', { 'dyn(1) == "1"': false }, (_, value) => value),
  conversion(
    'type(any): type',
    'The type of a value, for comparison with another or with a name: `int`, `uint`, `double`, `string`, `bool`, `bytes`, `list`, `map`, `null_type`, `type`, `optional_type`, `google.protobuf.Timestamp`, `google.protobuf.Duration`.',
    { 'type(1) == type(2.5)': true, 'type("a") == string': true },
    (_, value) => new TypeName(kindOf(value)),
  ),
];

export const bytesFunctions: readonly LanguageFunction[] = [
  ofBytes('bytes(text|bytes): bytes', 'Encodes a text in UTF-8.', { 'size(bytes("ñ"))': 2 }, (evaluation, value) => {
    if (typeof value !== 'string') return value;
    spend(evaluation, value.length);
    return new TextEncoder().encode(value);
  }),
  ofBytes('hex(bytes): text', 'Encodes in hexadecimal.', { 'hex(bytes("ñ"))': 'c3b1' }, (evaluation, value) => {
    spend(evaluation, value.length * encodeWork);
    return Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }),
  ofBytes('base64(bytes): text', 'Encodes in Base64.', { 'base64(bytes("hello"))': 'aGVsbG8=' }, (evaluation, value) => {
    spend(evaluation, value.length * encodeWork);
    return btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join(''));
  }),
  ofBytes(
    'json(bytes): any',
    'Parses JSON; keys `__proto__` are dropped, and a number that would lose digits is the text of them.',
    { 'bytes("{\\"a\\": [1]}").json().a[0]': 1 },
    (evaluation, value) => {
      spend(evaluation, value.length * entryWork);
      const text = decodeUtf8(value);
      const json = text === undefined ? undefined : parseJson(text);
      if (json === undefined) return wrong(evaluation, 'json(): the bytes hold no JSON');
      const size = measure(json, { ...unbounded, depth: limits.depth });
      if (size.kind !== 'fits') return wrong(evaluation, `json(): ${size.reason}`);
      dropPrototypes(json);
      return json;
    },
  ),
  ofBytes(
    'at(bytes, number): number',
    'The byte at a position, from 0.',
    { 'at(bytes("a"), 0)': 97 },
    (evaluation, value, index) => value[index] ?? wrong(evaluation, `at(): the position ${index} lies outside the bytes`),
  ),
];

/** The text of bytes; `undefined` when they are no UTF-8. A mark of byte order is a character, as in CEL. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parseJson(text: string): Json | undefined {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

/** Drops the keys `__proto__`, as in every body (GEN-07, T8). The depth of the value is bounded. */
function dropPrototypes(value: Json): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) Reflect.deleteProperty(value, '__proto__');
  for (const item of Object.values<Json>(value)) dropPrototypes(item);
}

/** The work of encoding one byte. */
const encodeWork = 32;

/** A number without its fraction, the whole number in a text, or the seconds of a timestamp. */
function convertToWhole(evaluation: Evaluation, value: number | string | Timestamp, name: string): number | undefined {
  const number =
    typeof value === 'string' ? parseWhole(evaluation, value, name) : Math.trunc(typeof value === 'number' ? value : value.ms / 1_000) + 0;
  return number === undefined || Number.isSafeInteger(number) ? number : wrong(evaluation, tooManyDigits(name));
}

/** Parses a whole number. */
function parseWhole(evaluation: Evaluation, text: string, name: string): number | undefined {
  if (/^[+-]?\d{1,19}$/.test(text)) return Number(text) + 0;
  return wrong(evaluation, `${name}() conversion error: ${describeText(text)} is no whole number; number(…) takes one with a point`);
}
