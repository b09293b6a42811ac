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
 * limit (P16, P33). Walks without recursion: depth is a limit here, not a stack overflow. What is no JSON weighs what its
 * text does.
 */
export function measure(value: unknown, bounds: Bounds = ofValue): Measure {
  if (typeof value !== 'object' || value === null) {
    const size = sizeOfPrimitive(value);
    return size <= bounds.bytes ? { kind: 'fits', bytes: size } : refused(`it has more than ${bounds.bytes} bytes`);
  }
  let bytes = 0;
  let keys = 0;
  const queue: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { value: part, depth } = next;
    if (depth > bounds.depth) return refused(`it is more than ${bounds.depth} levels deep`);
    if (typeof part !== 'object' || part === null) bytes += sizeOfPrimitive(part);
    else if (Array.isArray(part)) {
      bytes += sizeOfMarks(part.length);
      if (bytes <= bounds.bytes) for (const item of part) queue.push({ value: item, depth: depth + 1 });
    } else {
      const entries: readonly (readonly [string, unknown])[] = Object.entries(part);
      keys += entries.length;
      bytes += sizeOfMarks(entries.length);
      for (const [key, item] of entries) {
        bytes += utf8Bytes(key) + 3;
        queue.push({ value: item, depth: depth + 1 });
      }
      if (keys > bounds.keys) return refused(`it has more than ${bounds.keys} keys`);
    }
    if (bytes > bounds.bytes) return refused(`it has more than ${bounds.bytes} bytes`);
  }
  return { kind: 'fits', bytes };
}

/** Of an object or a list: its brackets, and a comma between each two of its items. */
const sizeOfMarks = (items: number): number => 2 + Math.max(0, items - 1);

const sizeOfPrimitive = (value: unknown): number => (typeof value === 'string' ? utf8Bytes(value) + 2 : String(value).length);

const refused = (reason: string): Measure => ({ kind: 'refused', reason });
