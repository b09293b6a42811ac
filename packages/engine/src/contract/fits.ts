import type { Json } from './json.ts';
import { limits } from './limits.ts';

/** What a value may have at most: parts are itself and all that is in it. */
export interface ValueBounds {
  readonly depth?: number;
  readonly keys?: number;
  readonly parts?: number;
}

/** The answer around a body is two levels of the value that is kept. */
const keptDepth = limits.depth - 2;

/**
 * Whether the answer of an effect keeps to bounds, those of values that are kept where nothing else is said, and its numbers
 * are finite: `1e999` is none that can be kept. Goes level by level: a deep value must not exhaust the stack (P16, P20).
 */
export function fits(
  root: Json,
  { depth: maxDepth = keptDepth, keys: maxKeys = limits.keys, parts: maxParts = Infinity }: ValueBounds = {},
): boolean {
  let keys = 0;
  let parts = 0;
  let level: readonly Json[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    parts += level.length;
    if (depth > maxDepth || parts > maxParts) return false;
    const next: Json[] = [];
    for (const value of level) {
      if (typeof value === 'number' && !Number.isFinite(value)) return false;
      if (typeof value !== 'object' || value === null) continue;
      const items: readonly Json[] = Array.isArray(value) ? value : Object.values(value);
      if (!Array.isArray(value)) keys += items.length;
      if (keys > maxKeys) return false;
      for (const item of items) next.push(item);
    }
    level = next;
  }
  return true;
}
