import type { Clock } from '@hilo/engine/contract';

/** The database's clock, carried forward between two looks at it by the machine's steady one (P12). */
export interface DatabaseClock {
  /** Reads the time. @param ask - returns the database's time, in milliseconds since the Unix epoch */
  look<Answer>(ask: () => Promise<Answer>, nowMsOf: (answer: Answer) => number): Promise<Answer>;
  /** Milliseconds since the Unix epoch; it never goes back. */
  now(): number;
}

/** A slower answer says too little about the present. */
const longestRoundTripMs = 500;

/** @param steadyMs - a monotonic clock */
export function createDatabaseClock(steadyMs: () => number): DatabaseClock {
  let aheadMs: number | undefined;
  let latestMs = 0;
  return {
    async look(ask, nowMsOf) {
      const askedMs = steadyMs();
      const answer = await ask();
      const roundTripMs = steadyMs() - askedMs;
      if (aheadMs === undefined || roundTripMs <= longestRoundTripMs) aheadMs = nowMsOf(answer) - (askedMs + roundTripMs / 2);
      return answer;
    },
    now() {
      latestMs = Math.max(latestMs, Math.round(steadyMs() + (aheadMs ?? 0)));
      return latestMs;
    },
  };
}

/** The clock of an engine: the database's time, the machine's timers. */
export const clockOver = (database: DatabaseClock, system: Clock): Clock => ({
  now: () => database.now(),
  setTimeout: (callback, delayMs) => system.setTimeout(callback, delayMs),
  clearTimeout: (timer) => system.clearTimeout(timer),
});

/** Repeats work with a pause, never twice at a time. @returns stops it */
export type Interval = (delayMs: number, work: () => Promise<void>) => () => void;

/** The machine's own timers: one for each member of a shared store. */
export const systemInterval: Interval = (delayMs, work) => {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const next = (): void => {
    if (isOver) return;
    timer = setTimeout(() => void work().finally(next), delayMs);
  };
  next();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
};
