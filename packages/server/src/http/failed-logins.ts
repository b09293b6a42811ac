import type { Clock } from '@hilo/engine/contract';

/** Makes guessing slow: who fails often waits for the answer (T2). */
export interface FailedLogins {
  /**
   * Counts a failure; resolves when its answer may be given.
   *
   * @param address - where it came from; failures from nowhere we know are not counted
   */
  count(address: string | undefined, name: string): Promise<void>;
}

const freeFailures = 10;
const forgetAfterMs = 60_000;
const delayStepMs = 250;
const longestDelayMs = 2_000;
/** Whoever makes up a name for each guess fills the memory no further than this. */
const mostNames = 10_000;

export function createFailedLogins(clock: Clock): FailedLogins {
  const failures = new Map<string, { readonly sinceMs: number; readonly count: number }>();
  return {
    async count(address, name) {
      if (address === undefined) return;
      const who = `${address} ${name}`;
      const known = failures.get(who);
      const nowMs = clock.now();
      const isFresh = known !== undefined && nowMs - known.sinceMs < forgetAfterMs;
      const { sinceMs, count } = isFresh ? { ...known, count: known.count + 1 } : { sinceMs: nowMs, count: 1 };
      failures.delete(who);
      failures.set(who, { sinceMs, count });
      const oldest = failures.keys().next().value;
      if (failures.size > mostNames && oldest !== undefined) failures.delete(oldest);
      const delayMs = Math.min((count - freeFailures) * delayStepMs, longestDelayMs);
      if (delayMs > 0) await new Promise<void>((resolve) => clock.setTimeout(resolve, delayMs));
    },
  };
}
