import type { Clock } from '@hilo/engine/contract';

/** The database's clock, carried forward between two readings by the machine's monotonic one (P12). */
export interface DatabaseClock {
  /** Runs a query and sets this clock by its result. @param nowMsOf - the database's time in it, in milliseconds since the Unix epoch */
  synchronise<Result>(query: () => Promise<Result>, nowMsOf: (result: Result) => number): Promise<Result>;
  /** Milliseconds since the Unix epoch; it never goes back. */
  now(): number;
}

/** After a longer round trip the result says too little about the present. */
const longestRoundTripMs = 500;

/** @param steadyMs - a monotonic clock */
export function createDatabaseClock(steadyMs: () => number): DatabaseClock {
  let aheadMs: number | undefined;
  let latestMs = 0;
  return {
    async synchronise(query, nowMsOf) {
      const sentMs = steadyMs();
      const result = await query();
      const roundTripMs = steadyMs() - sentMs;
      if (aheadMs === undefined || roundTripMs <= longestRoundTripMs) aheadMs = nowMsOf(result) - (sentMs + roundTripMs / 2);
      return result;
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
