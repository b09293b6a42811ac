import { limits } from '../contract/limits.ts';
import type { Path } from './path.ts';

/** How large a value is, or why it is refused. */
export type Measure = { readonly kind: 'fits'; readonly size: number } | { readonly kind: 'refused'; readonly reason: string };

/** The reason for a value that a store would keep as something else, or as nothing. */
export const notJson = 'it holds what is no JSON: a date, a map, a function, NaN or the like';
const typesBeyondJson: ReadonlySet<string> = new Set(['bigint', 'function', 'symbol']);

const beyondAscii = /[\u0080-\uffff]/;

/** Bytes of a text in UTF-8, without its JSON quotes and escapes. */
export function utf8Bytes(text: string): number {
  if (!beyondAscii.test(text)) return text.length; // looked at in one go: twice as fast as letter by letter
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) bytes += unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** What a value may weigh and hold. */
export interface Bounds {
  readonly bytes: number;
  readonly keys: number;
  /** Levels of nesting. */
  readonly depth: number;
}

/** Of one variable or effect result. */
export const ofValue: Bounds = { bytes: limits.valueBytes, keys: limits.keys, depth: limits.depth };

export const unbounded: Bounds = { bytes: Number.POSITIVE_INFINITY, keys: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY };

/** A character is one unit of a size and at most three bytes: a size this far below a bound need not be counted in bytes. */
export const maxBytesOfUnit = 3;

/**
 * Checks a value, as UTF-8 JSON without escapes, against its bounds and stops at the first violation, so that a hostile value costs no
 * more than the bound (P16, P33). No deeper than the allowed levels, so that no value exhausts the stack. What JSON would
 * leave out or replace is refused, except for `undefined`.
 */
export function measure(value: unknown, bounds: Bounds = ofValue): Measure {
  const tally = { size: 0, keys: 0 };
  const reason = add(value, 0, bounds, tally);
  if (reason !== undefined) return { kind: 'refused', reason };
  const isUndecided = tally.size * maxBytesOfUnit > bounds.bytes;
  return isUndecided && bytesOf(value) > bounds.bytes ? { kind: 'refused', reason: tooHeavy(bounds) } : { kind: 'fits', size: tally.size };
}

/** @returns why the value is refused */
function add(value: unknown, depth: number, bounds: Bounds, tally: { size: number; keys: number }): string | undefined {
  if (depth > bounds.depth) return `it is more than ${bounds.depth} levels deep`;
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'number' ? !Number.isFinite(value) : typesBeyondJson.has(typeof value)) return notJson;
    tally.size += sizeOf(value);
  } else if (Array.isArray(value)) {
    tally.size += sizeOfMarks(value.length); // before the loop: a sparse list can be of any length
    if (tally.size > bounds.bytes) return tooHeavy(bounds);
    for (let index = 0; index < value.length; index += 1) {
      const reason = add(value[index], depth + 1, bounds, tally);
      if (reason !== undefined) return reason;
    }
  } else if (Object.getPrototypeOf(value) !== Object.prototype && Object.prototype.toString.call(value) !== '[object Object]') {
    return notJson;
  } else {
    const members = value as { readonly [key: string]: unknown };
    let count = 0;
    for (const key in members) {
      const item = members[key];
      if (item === undefined) continue;
      count += 1;
      tally.keys += 1;
      if (tally.keys > bounds.keys) return `it has more than ${bounds.keys} keys`;
      tally.size += key.length + 3;
      if (typeof item === 'string' && depth < bounds.depth) {
        tally.size += item.length + 2; // most are texts: no call for each
        if (tally.size > bounds.bytes) return tooHeavy(bounds);
        continue;
      }
      const reason = add(item, depth + 1, bounds, tally);
      if (reason !== undefined) return reason;
    }
    tally.size += sizeOfMarks(count);
  }
  return tally.size > bounds.bytes ? tooHeavy(bounds) : undefined;
}

/**
 * The size of a value within its bounds: the length of its JSON in UTF-16 units without escapes, which is almost free to compute for a
 * text; values that JSON leaves out have none.
 */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? digitsOf(value) : lengthAsText(value);
  if (typeof value !== 'object') return lengthAsText(value);
  if (value === null) return nullSize;
  let size = 0;
  let count = 0;
  if (Array.isArray(value)) {
    count = value.length;
    for (let index = 0; index < count; index += 1) size += sizeOf(value[index]);
  } else {
    for (const key in value) {
      const item: unknown = value[key as never];
      if (item === undefined) continue;
      count += 1;
      size += key.length + 3 + (typeof item === 'string' ? item.length + 2 : sizeOf(item)); // most are texts: no call for each
    }
  }
  return size + sizeOfMarks(count);
}

const lengthAsText = (value: unknown): number => String(value).length;
const nullSize = 4;

/** {@link sizeOf} a path: names and positions only. */
export function sizeOfPath(path: Path): number {
  let size = 2 + Math.max(0, path.length - 1);
  for (let index = 0; index < path.length; index += 1) {
    const step = path[index] as string | number;
    size += typeof step === 'string' ? step.length + 2 : digitsOf(step);
  }
  return size;
}

/** Bytes of a value within its bounds, as UTF-8 JSON without escapes: its size, and what its characters beyond ASCII add. */
export const bytesOf = (value: unknown): number => sizeOf(value) + surplusOf(value);

/** The bytes of a value beyond its size: none where it is ASCII. */
export function surplusOf(value: unknown): number {
  if (typeof value === 'string') return utf8Bytes(value) - value.length;
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + surplusOf(item), 0);
  return Object.entries(value).reduce((sum, [key, item]) => sum + (item === undefined ? 0 : surplusOf(key) + surplusOf(item)), 0);
}

const tooHeavy = ({ bytes }: Bounds): string => `it has more than ${bytes} bytes`;

/** The brackets of an object or a list, and a comma between each two of its items. */
const sizeOfMarks = (items: number): number => 2 + Math.max(0, items - 1);

/** The length of a whole number as text, without making that text. */
export function digitsOf(value: number): number {
  const magnitude = Math.abs(value);
  const isLong = magnitude >= 1e12; // as instants are: counted from there
  let digits = (value < 0 ? 1 : 0) + (isLong ? 13 : 1);
  for (let bound = isLong ? 1e13 : 10; bound <= magnitude; bound *= 10) digits += 1;
  return digits;
}
