import type { DueWait } from '../contract/store.ts';

/**
 * Due waits of executions that the nodes of this release cannot run. They stay in the store, for a release that can, and are passed over
 * here: neither do they keep others from being read, nor is the store asked for them again and again.
 */
export interface HeldTimers {
  /** Every wait that is due before this instant is held: reads of due waits begin here. In milliseconds since the Unix epoch. */
  readonly fromMs: number;
  has(wait: DueWait): boolean;
  add(wait: DueWait): void;
  /** How many waits are held that are due at `fromMs` itself: so many more are to be read. */
  countAtStart(): number;
  /**
   * Moves `fromMs` behind the held ones at the head of what was read.
   *
   * @param isAll - whether nothing else is due
   * @returns whether it moved
   */
  pass(due: readonly DueWait[], isAll: boolean): boolean;
  /** A wait with this due time may be there that is not held. */
  include(dueAtMs: number): void;
}

export function createHeldTimers(): HeldTimers {
  /** Due times by wait. */
  const held = new Map<string, number>();
  let fromMs = 0;
  return {
    get fromMs() {
      return fromMs;
    },
    has: (wait) => held.size > 0 && held.has(keyOf(wait)),
    add: (wait) => void held.set(keyOf(wait), wait.dueAtMs),
    countAtStart() {
      let count = 0;
      if (fromMs > 0) for (const dueAtMs of held.values()) if (dueAtMs === fromMs) count += 1;
      return count;
    },
    pass(due, isAll) {
      if (held.size === 0) return false;
      const before = fromMs;
      const next = due.find((wait) => !held.has(keyOf(wait)));
      const last = due.at(-1);
      if (next !== undefined) fromMs = Math.max(fromMs, next.dueAtMs);
      else if (last !== undefined) fromMs = isAll ? last.dueAtMs + 1 : last.dueAtMs;
      return fromMs > before;
    },
    include(dueAtMs) {
      fromMs = Math.min(fromMs, dueAtMs);
    },
  };
}

const keyOf = ({ companyId, executionId, waitId }: DueWait): string => JSON.stringify([companyId, executionId, waitId]);
