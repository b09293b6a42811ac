// Waiting by a given clock: for a time, for a wake, or for work up to a limit.
import type { AbortSignal, Clock } from '@hilo/engine/contract';

type Timers = Pick<Clock, 'setTimeout' | 'clearTimeout'>;

/** Resolves after a time, by the given clock, or when the signal aborts; at once where the time is over already. */
export function pause(clock: Timers, ms: number, signal?: AbortSignal): Promise<void> {
  if (ms <= 0 || signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clock.clearTimeout(timer);
      forget?.();
      resolve();
    };
    const timer = clock.setTimeout(end, ms);
    const forget = signal && onAbort(signal, end);
  });
}

/** The pauses that a signal ends, and its one listener for all of them. */
interface Pauses {
  readonly ends: Set<() => void>;
  readonly endAll: () => void;
}

const pausesBySignal = new WeakMap<AbortSignal, Pauses>();

/**
 * Calls `end` when the signal aborts. All calls for one signal share a listener, since a signal compares a new listener with each that
 * it has: 10,000 lanes that wait with one signal would take most of a second.
 *
 * @returns what forgets the call
 */
function onAbort(signal: AbortSignal, end: () => void): () => void {
  const { ends, endAll } = pausesBySignal.get(signal) ?? listen(signal);
  ends.add(end);
  return () => {
    ends.delete(end);
    if (ends.size > 0) return;
    pausesBySignal.delete(signal);
    signal.removeEventListener('abort', endAll);
  };
}

function listen(signal: AbortSignal): Pauses {
  const ends = new Set<() => void>();
  const endAll = (): void => {
    for (const end of ends) end();
  };
  const pauses = { ends, endAll };
  pausesBySignal.set(signal, pauses);
  signal.addEventListener('abort', endAll);
  return pauses;
}

/** Resolves as the work does, or after the limit; rejects when the work fails before it. @returns the work's result, or what is `late` */
export async function waitUpTo<Result>(clock: Timers, limitMs: number, work: Promise<Result>): Promise<Result | undefined>;
export async function waitUpTo<Result, const Late>(
  clock: Timers,
  limitMs: number,
  work: Promise<Result>,
  late: Late,
): Promise<Result | Late>;
export async function waitUpTo(clock: Timers, limitMs: number, work: Promise<unknown>, late?: unknown): Promise<unknown> {
  const over = new AbortController();
  try {
    return await Promise.race([work, pause(clock, limitMs, over.signal).then(() => late)]);
  } finally {
    over.abort();
  }
}

/** A sleep that others can end. */
export interface Wake {
  /** Ends the sleep; while nothing sleeps, the next one ends at once. */
  wake(): void;
  /** Forgets an earlier wake. Called before what a wake announces is read, so that nothing new is missed. */
  reset(): void;
  /** Sleeps until it is woken, at most this long. @returns whether it was woken */
  sleep(ms: number): Promise<boolean>;
}

/** A wake for one sleeper. */
export function createWake(clock: Timers): Wake {
  let woken = new AbortController();
  return {
    wake: () => woken.abort(),
    reset() {
      if (woken.signal.aborted) woken = new AbortController();
    },
    async sleep(ms) {
      const { signal } = woken;
      await pause(clock, ms, signal);
      return signal.aborted;
    },
  };
}
