import { limits } from '../contract/limits.ts';

/** What a value weighs, or why it is refused. */
export type Measure = { readonly kind: 'fits'; readonly bytes: number } | { readonly kind: 'refused'; readonly reason: string };

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
const ofValue: Bounds = { bytes: limits.valueBytes, keys: limits.keys, depth: limits.depth };

export const unbounded: Bounds = { bytes: Number.POSITIVE_INFINITY, keys: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY };

/**
 * Weighs a value as UTF-8 JSON and stops at the first limit it breaks, so that a hostile value costs no more than the
 * limit (P16, P33). No deeper than the levels that are allowed, so that no value exhausts the stack. What is no JSON weighs
 * what its text does.
 */
export function measure(value: unknown, bounds: Bounds = ofValue): Measure {
  const tally = { bytes: 0, keys: 0 };
  const reason = add(value, 0, bounds, tally);
  return reason === undefined ? { kind: 'fits', bytes: tally.bytes } : { kind: 'refused', reason };
}

/** Bytes of a value within its limits, as UTF-8 JSON without escapes; what JSON leaves out weighs nothing. */
export function weigh(value: unknown): number {
  if (typeof value !== 'object' || value === null) return sizeOfPrimitive(value);
  const tally = { bytes: 0, keys: 0 };
  add(value, 0, unbounded, tally);
  return tally.bytes;
}

/** @returns why the value is refused */
function add(value: unknown, depth: number, bounds: Bounds, tally: { bytes: number; keys: number }): string | undefined {
  if (depth > bounds.depth) return `it is more than ${bounds.depth} levels deep`;
  if (typeof value !== 'object' || value === null) {
    tally.bytes += sizeOfPrimitive(value);
  } else if (Array.isArray(value)) {
    tally.bytes += sizeOfMarks(value.length); // before the loop: a sparse list can be of any length
    if (tally.bytes > bounds.bytes) return tooHeavy(bounds);
    for (let index = 0; index < value.length; index += 1) {
      const reason = add(value[index], depth + 1, bounds, tally);
      if (reason !== undefined) return reason;
    }
  } else {
    const members = value as { readonly [key: string]: unknown };
    let count = 0;
    for (const key in members) {
      const item = members[key];
      if (item === undefined || !Object.hasOwn(members, key)) continue;
      count += 1;
      tally.keys += 1;
      if (tally.keys > bounds.keys) return `it has more than ${bounds.keys} keys`;
      tally.bytes += utf8Bytes(key) + 3;
      const reason = add(item, depth + 1, bounds, tally);
      if (reason !== undefined) return reason;
    }
    tally.bytes += sizeOfMarks(count);
  }
  return tally.bytes > bounds.bytes ? tooHeavy(bounds) : undefined;
}

const tooHeavy = ({ bytes }: Bounds): string => `it has more than ${bytes} bytes`;

/** Of an object or a list: its brackets, and a comma between each two of its items. */
const sizeOfMarks = (items: number): number => 2 + Math.max(0, items - 1);

function sizeOfPrimitive(value: unknown): number {
  if (typeof value === 'string') return utf8Bytes(value) + 2;
  if (typeof value === 'number' && value >= 0 && value < 100 && Number.isInteger(value)) return value < 10 ? 1 : 2;
  return String(value).length;
}
