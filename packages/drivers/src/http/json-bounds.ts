import { findExcess, fits, type Json, limits, parseJsonText, type ValueBounds } from '@hilo/engine/contract';

/** The answer around a body is two levels of the value that is kept. */
const keptDepth = limits.depth - 2;

/**
 * The JSON of a text; `undefined` when it is malformed or exceeds its bounds, by default those of stored values, which
 * are looked at before anything is built of it (P20).
 */
export function parseJson(text: string, bounds: ValueBounds = {}): Json | undefined {
  if (!mayFit(text, bounds)) return undefined;
  try {
    const value = parseJsonText(text);
    return fits(value, bounds) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a JSON text is within its bounds, before it is parsed; meaningless for malformed JSON. */
export function mayFit(text: string, { depth = keptDepth, keys = limits.keys, parts = Infinity }: ValueBounds = {}): boolean {
  // The innermost level may be empty, and then has no parts.
  return findExcess(text, { depth: depth + 1, keys, openings: parts, commas: parts }) === undefined;
}
