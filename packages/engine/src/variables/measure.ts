import type { Json } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';

/** What a value weighs, or why it is refused. */
export type Measure = { readonly kind: 'fits'; readonly bytes: number } | { readonly kind: 'refused'; readonly reason: string };

/** Bytes of a text in UTF-8, without its JSON quotes and escapes. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) bytes += unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** Bytes of anything as it is kept: JSON in UTF-8. */
export const jsonBytes = (value: object): number => utf8Bytes(JSON.stringify(value));

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
 * limit (P16, P33). Walks without recursion: depth is a limit here, not a stack overflow.
 */
export function measure(value: Json, bounds: Bounds = ofValue): Measure {
  if (typeof value !== 'object' || value === null) {
    const size = sizeOfPrimitive(value);
    return size <= bounds.bytes ? { kind: 'fits', bytes: size } : refused(`it has more than ${bounds.bytes} bytes`);
  }
  let bytes = 0;
  let keys = 0;
  const queue: { readonly value: Json; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { value: part, depth } = next;
    if (depth > bounds.depth) return refused(`it is more than ${bounds.depth} levels deep`);
    if (typeof part !== 'object' || part === null) bytes += sizeOfPrimitive(part);
    else if (isList(part)) {
      bytes += 2 + part.length;
      if (bytes <= bounds.bytes) for (const item of part) queue.push({ value: item, depth: depth + 1 });
    } else {
      bytes += 2;
      for (const [key, item] of Object.entries(part)) {
        keys += 1;
        bytes += utf8Bytes(key) + 4;
        queue.push({ value: item, depth: depth + 1 });
      }
      if (keys > bounds.keys) return refused(`it has more than ${bounds.keys} keys`);
    }
    if (bytes > bounds.bytes) return refused(`it has more than ${bounds.bytes} bytes`);
  }
  return { kind: 'fits', bytes };
}

const sizeOfPrimitive = (value: string | number | boolean | null): number =>
  typeof value === 'string' ? utf8Bytes(value) + 2 : String(value).length;

/** `Array.isArray` for readonly lists, which it forgets the items of. */
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const refused = (reason: string): Measure => ({ kind: 'refused', reason });
