import type { DueWait } from '../contract/store.ts';

/**
 * Due waits that are not fired now: of executions that the nodes of this release cannot run, which are left to a release that can, and of
 * questions to users with whom a person talks, which are put off. They stay in the store and are passed over here: neither do they keep
 * others from being read, nor is the store asked for them again and again.
 */
export interface HeldTimers {
  /** Every wait that is due before this instant is held: reads of due waits begin here. In milliseconds since the Unix epoch. */
  readonly fromMs: number;
  /** When the first of those that were put off is due again. */
  readonly nextMs: number | undefined;
  has(wait: DueWait): boolean;
  /** @param untilMs - when it is due again; never, when left out */
  add(wait: DueWait, untilMs?: number): void;
  /** Gives back those that were put off until now. */
  release(nowMs: number): void;
  /** How many waits are held that are due at `fromMs` itself: so many more are to be read. */
  countAtStart(): number;
  /** How many waits of a company are held that are not due before `fromMs`: so many more are to be read of it. */
  countOf(companyId: string): number;
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
  const held = new Map<string, Pick<DueWait, 'companyId' | 'dueAtMs'> & { readonly untilMs: number }>();
  const include = (dueAtMs: number): void => void (fromMs = Math.min(fromMs, dueAtMs));
  let fromMs = 0;
  return {
    get fromMs() {
      return fromMs;
    },
    has: (wait) => held.size > 0 && held.has(keyOf(wait)),
    get nextMs() {
      let nextMs = Number.POSITIVE_INFINITY;
      for (const { untilMs } of held.values()) nextMs = Math.min(nextMs, untilMs);
      return Number.isFinite(nextMs) ? nextMs : undefined;
    },
    add: (wait, untilMs = Number.POSITIVE_INFINITY) =>
      void held.set(keyOf(wait), { companyId: wait.companyId, dueAtMs: wait.dueAtMs, untilMs }),
    release(nowMs) {
      for (const [key, { dueAtMs, untilMs }] of held) {
        if (untilMs > nowMs) continue;
        held.delete(key);
        include(dueAtMs);
      }
    },
    countAtStart() {
      let count = 0;
      if (fromMs > 0) for (const { dueAtMs } of held.values()) if (dueAtMs === fromMs) count += 1;
      return count;
    },
    countOf(companyId) {
      let count = 0;
      for (const one of held.values()) if (one.companyId === companyId && one.dueAtMs >= fromMs) count += 1;
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
    include,
  };
}

const keyOf = ({ companyId, executionId, waitId }: DueWait): string => JSON.stringify([companyId, executionId, waitId]);
