import type { AbortSignal, Clock } from '@hilo/engine/contract';

/** Lets work begin no faster than its channel takes it. */
export interface Pace {
  /** Resolves when it is the caller's turn, or at once when it is to stop. */
  turn(signal: AbortSignal): Promise<void>;
}

/** @param perSecond - how many turns a second has, at even distances */
export function createPace(perSecond: number, clock: Clock): Pace {
  const distanceMs = 1_000 / perSecond;
  let nextAtMs = Number.NEGATIVE_INFINITY;
  return {
    async turn(signal) {
      const atMs = Math.max(clock.now(), nextAtMs);
      nextAtMs = atMs + distanceMs;
      await waitFor(atMs - clock.now(), clock, signal);
    },
  };
}

/** Waits for a time; less, when it is told to stop. */
function waitFor(durationMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  if (durationMs <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clock.clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.setTimeout(end, durationMs);
    signal.addEventListener('abort', end);
  });
}
