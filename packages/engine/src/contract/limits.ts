/**
 * Every bound of the engine, in one table (P16, P33). What goes over one of them ends with the cause
 * named beside it, never with a crash.
 */
export const limits = {
  /** Visits between two waits: `STEP_LIMIT_EXCEEDED`. */
  visitsWithoutWait: 1_000,
  /** Effects and waits of one visit: the node leaves by `error`, with the cause `STEP_LIMIT_EXCEEDED`. */
  effectsInVisit: 1_000,
  /** Visits in the life of an execution: `HISTORY_LIMIT_EXCEEDED`. */
  visitsInAll: 50_000,
  /** The history of an execution, in characters of JSON (UTF-16 units): `HISTORY_LIMIT_EXCEEDED`. */
  historySize: 16 * 1024 * 1024,
  /** The share of either limit at which a warning is given. */
  warnsAt: 1 / 5,
  /**
   * Executions above a child, its root included: `CHILD_DEPTH_EXCEEDED`. Their number needs no bound: an execution has one open child at
   * most, the one it waits for.
   */
  childDepth: 16,
  /** One variable or effect result, as UTF-8 JSON: `VALUE_TOO_LARGE`. */
  valueBytes: 64 * 1024,
  /** All variables of an execution except those of requests, as UTF-8 JSON: `VARIABLES_TOO_LARGE`. */
  variablesBytes: 1024 * 1024,
  /** One request in `$webhook`, `$message` or `$input`: its body with its metadata. */
  request: { bytes: 1024 * 1024 + 64 * 1024, keys: 15_000, depth: 66 },
  /** Requests that an execution keeps while it is at work, and what they come to as JSON: further ones are refused (WEB-23). */
  keptRequests: { count: 16, size: 4 * 1024 * 1024 },
  /** Signals that a company may have held at once (`TOO_MANY_SIGNALS`), and for how long one is. */
  heldSignals: { count: 1_000, longestMs: 30 * 86_400_000 },
  /** A request body or a canvas file. */
  bodyBytes: 1024 * 1024,
  /** Levels of nesting in a body, a canvas or a value. */
  depth: 64,
  /** Object keys in one body or value. */
  keys: 10_000,
  /** Items that `for-each` goes through, and lists that a comprehension in an expression reads. */
  forEachItems: 200,
  comprehensionItems: 1_000,
  /** What one expression may look at and make, in characters or their like: some 50 ms (P20). */
  expressionWork: 10_000_000,
  /** Work after which an advance gives up the event loop before its next node: some 50 ms (P20). */
  turnWork: 10_000_000,
  /** The same for all expressions of one advance: a loop of costly ones ends as `EXPRESSION`, not with the process (P20). */
  advanceWork: 200_000_000,
  /** What one message may cost all starts that are tried with it: a start that would need more does not match (P20). */
  routingWork: 10_000_000,
  /** What comparing the keywords of a canvas with those of other workflows may cost: it is told where they are not compared with all. */
  comparingWork: 500_000_000,
  /** What a text, or a value with texts in it, may come to with its expressions filled in, as UTF-8 JSON: `EXPRESSION`. */
  renderedBytes: 2 * 1024 * 1024,
  /** Assignments in one `set` node (VAR-08). */
  assignments: 20,
  /** `$memory` (VAR-08): text in characters, JSON in bytes, longest time to live. */
  memoryTextChars: 255,
  memoryJsonBytes: 15 * 1024,
  memoryTtlMs: 86_400_000,
  /** An effect whose node sets no limit: `TIMEOUT` (P13). */
  effectMs: 60_000,
} as const;

/** What a value may have at most: parts are itself and all that is in it. */
export interface ValueBounds {
  readonly depth?: number;
  readonly keys?: number;
  readonly parts?: number;
}

/**
 * Whether the result of an effect is within bounds, by default those of stored values, and its numbers are finite: `1e999` cannot be
 * stored. The answer around a body is two levels of what is kept. Iterative, since a deep value must not exhaust the stack (P16, P20).
 */
export function fits(
  root: unknown,
  { depth: maxDepth = limits.depth - 2, keys: maxKeys = limits.keys, parts: maxParts = Infinity }: ValueBounds = {},
): boolean {
  let keys = 0;
  let parts = 0;
  let level: readonly unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    parts += level.length;
    if (depth > maxDepth || parts > maxParts) return false;
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'number' && !Number.isFinite(value)) return false;
      if (typeof value !== 'object' || value === null) continue;
      const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
      if (!Array.isArray(value)) keys += items.length;
      if (keys > maxKeys || parts + next.length + items.length > maxParts) return false;
      for (const item of items) next.push(item);
    }
    level = next;
  }
  return true;
}
