// How much one client may ask: five calls a second, of which a burst of ten, and two simulations at once. The service has further
// bounds of its own; these keep a model that repeats itself from using up what other operators share.

/** The bounds of one client. */
export const budgetLimits = { callsPerSecond: 5, burst: 10, simulationsAtOnce: 2 } as const;

/** What one client has left. */
export interface CallBudget {
  /** Counts a call. @returns whether it may be answered */
  takeCall(): boolean;
  /** @returns `undefined` when two are under way */
  simulate<Result>(work: () => Promise<Result>): Promise<Result> | undefined;
}

/**
 * Creates the budget of calls of one session.
 *
 * @param now - milliseconds of a clock that never goes back
 */
export function createCallBudget(now: () => number): CallBudget {
  let left: number = budgetLimits.burst;
  let countedAtMs = now();
  let simulations = 0;
  return {
    takeCall() {
      const atMs = now();
      left = Math.min(budgetLimits.burst, left + ((atMs - countedAtMs) / 1_000) * budgetLimits.callsPerSecond);
      countedAtMs = atMs;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
    simulate(work) {
      if (simulations >= budgetLimits.simulationsAtOnce) return undefined;
      simulations += 1;
      return work().finally(() => (simulations -= 1));
    },
  };
}
