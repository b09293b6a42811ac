/**
 * `format` of a text with directives, as CEL's library of strings has it: `"%s has %d".format([a, b])`. Each directive takes the next item
 * of the list; what does not fit it is an error, and so is a directive that no item is left for.
 */
import { dateWork, entryWork, type Evaluation, itemWork, spend, wrong } from '../evaluation.ts';
import { formatDuration, formatTimestamp } from '../time.ts';
import { isList, isObject, kindOf, type ListValue, TimeSpan, Timestamp, TypeName, type Value } from '../value.ts';
import { typeNameOf } from './type-names.ts';

/** The decimal places that a directive may ask for. */
const maxPlaces = 100;
/** The decimal places of `%f` and `%e` that name none. */
const defaultPlaces = 6;
/** The work of writing one number with decimal places: up to some 400 digits. */
const numberWork = 4_000;
/** The work of finding one directive, with what stands before it, and of writing a short value. */
const directiveWork = 200;

/** A directive, or a `%` that begins none. */
const directivePattern = /%(?:%|(?:\.(\d{1,4}))?([a-zA-Z])|)/g;

type Write = (evaluation: Evaluation, value: Value, places: number) => string | undefined;

/** What each directive makes of its value. */
const writers: { readonly [letter: string]: Write | undefined } = {
  s: writeValue,
  d: (evaluation, value) => writeWhole(evaluation, 'd', value, 10),
  b: (evaluation, value) => (typeof value === 'boolean' ? String(Number(value)) : writeWhole(evaluation, 'b', value, 2)),
  o: (evaluation, value) => writeWhole(evaluation, 'o', value, 8),
  x: writeHex,
  X: (evaluation, value) => writeHex(evaluation, value)?.toUpperCase(),
  f: (evaluation, value, places) => writeNumber(evaluation, 'f', value, (number) => writeFixed(number, places)),
  e: (evaluation, value, places) =>
    writeNumber(evaluation, 'e', value, (number) => number.toExponential(places).replace(/([+-])(\d)$/, '$10$2')),
};

/** Why a text is no pattern of directives; `undefined` when it is. */
export function refuseDirectives(pattern: string): string | undefined {
  for (const [found, places, letter = ''] of pattern.matchAll(directivePattern)) {
    if (found === '%%') continue;
    if (!Object.hasOwn(writers, letter))
      return `format() knows %s, %d, %f, %e, %x, %X, %o and %b, and %% for the sign itself; not "${found.slice(0, 8)}"${/%[+ -]?\d/.test(pattern.slice(0, 200)) ? '; digits in front are slice("00" + $context.n, -3)' : ''}`;
    if (places !== undefined && letter !== 'f' && letter !== 'e')
      return `only %f and %e of format() take decimal places, as in %.2f; not "${found}"`;
    if (Number(places ?? 0) > maxPlaces) return `a directive of format() has at most ${maxPlaces} decimal places; not "${found}"`;
  }
  return undefined;
}

/** A text with the items of a list in place of its directives. */
export function formatDirectives(evaluation: Evaluation, pattern: string, values: ListValue): string | undefined {
  spend(evaluation, pattern.length * itemWork);
  const refusal = refuseDirectives(pattern);
  if (refusal !== undefined) return wrong(evaluation, refusal);
  const pieces: string[] = [];
  let [from, next] = [0, 0];
  for (const { 0: found, 1: places, 2: letter = '', index } of pattern.matchAll(directivePattern)) {
    spend(evaluation, directiveWork);
    pieces.push(pattern.slice(from, index));
    from = index + found.length;
    if (found === '%%') {
      pieces.push('%');
      continue;
    }
    const value = values[next];
    if (value === undefined)
      return wrong(evaluation, `format() has more directives than the ${values.length} items of its list: nothing is left for "${found}"`);
    next += 1;
    const written = writers[letter]?.(evaluation, value, places === undefined ? defaultPlaces : Number(places));
    if (written === undefined) return undefined;
    spend(evaluation, written.length + entryWork);
    pieces.push(written);
  }
  return pieces.join('') + pattern.slice(from);
}

/** `%s`: any value, with the items of lists and the entries of objects, by their keys in order. */
function writeValue(evaluation: Evaluation, value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (isList(value)) {
    spend(evaluation, value.length * 2 * entryWork);
    return writeAll(evaluation, value, '[', ']');
  }
  if (isObject(value)) {
    const keys = Object.keys(value);
    spend(evaluation, keys.length * Math.ceil(Math.log2(keys.length + 2)) * entryWork);
    const items = keys.toSorted().map((key): readonly [string, Value] => [`${key}: `, value[key] ?? null]);
    return writeAll(
      evaluation,
      items.map(([, item]) => item),
      '{',
      '}',
      items.map(([key]) => key),
    );
  }
  if (value instanceof Timestamp || value instanceof TimeSpan) {
    spend(evaluation, dateWork);
    return value instanceof Timestamp ? formatTimestamp(value) : formatDuration(value);
  }
  if (value instanceof Uint8Array) {
    spend(evaluation, value.length);
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(value);
  }
  if (value instanceof TypeName) return typeNameOf(value.kind);
  return value !== null && typeof value === 'object' ? unfit(evaluation, 's', value) : String(value);
}

/** Values between brackets, each behind its key where there are keys. */
function writeAll(
  evaluation: Evaluation,
  values: ListValue,
  open: string,
  close: string,
  keys: readonly string[] = [],
): string | undefined {
  const written: string[] = [];
  for (const [index, value] of values.entries()) {
    const text = writeValue(evaluation, value);
    if (text === undefined) return undefined;
    const piece = `${keys[index] ?? ''}${text}`;
    spend(evaluation, piece.length);
    written.push(piece);
  }
  return `${open}${written.join(', ')}${close}`;
}

/** A whole number in a base. */
function writeWhole(evaluation: Evaluation, letter: string, value: Value, base: number): string | undefined {
  if (typeof value !== 'number') return unfit(evaluation, letter, value);
  if (!Number.isSafeInteger(value)) return wrong(evaluation, `%${letter} of format() takes a whole number, not ${value}`);
  spend(evaluation, directiveWork);
  return (value + 0).toString(base);
}

/** A whole number in hexadecimal, or the bytes of a text. */
function writeHex(evaluation: Evaluation, value: Value): string | undefined {
  if (typeof value !== 'string' && !(value instanceof Uint8Array)) return writeWhole(evaluation, 'x', value, 16);
  spend(evaluation, value.length * hexWork);
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The work of writing one byte, of which a UTF-16 unit has up to three. */
const hexWork = 96;

function writeNumber(evaluation: Evaluation, letter: string, value: Value, write: (value: number) => string): string | undefined {
  if (typeof value !== 'number') return unfit(evaluation, letter, value);
  spend(evaluation, numberWork);
  return write(value + 0);
}

/** A number with its decimal notation rounded, halves away from zero, as `round` does; what is rounded to zero has no sign. */
function writeFixed(value: number, places: number): string {
  const [mantissa = '', exponent = '0'] = String(Math.abs(value)).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent) - fraction.length + places;
  const digits = BigInt(whole + fraction);
  const scaled = shift >= 0 ? digits * 10n ** BigInt(shift) : (digits + 5n * 10n ** BigInt(-shift - 1)) / 10n ** BigInt(-shift);
  const text = String(scaled).padStart(places + 1, '0');
  const at = text.length - places;
  return `${value < 0 && scaled > 0n ? '-' : ''}${text.slice(0, at)}${places === 0 ? '' : `.${text.slice(at)}`}`;
}

const unfit = (evaluation: Evaluation, letter: string, value: Value): undefined =>
  wrong(evaluation, `%${letter} of format() takes no ${kindOf(value)}`);
