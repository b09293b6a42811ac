import type { AbortSignal, Clock } from '@hilo/engine/contract';

type Timers = Pick<Clock, 'setTimeout' | 'clearTimeout'>;

/** Resolves after a time, by the given clock, or when the signal aborts; at once where the time is over already. */
export function pause(clock: Timers, ms: number, signal?: AbortSignal): Promise<void> {
  if (ms <= 0 || signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clock.clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}

/** Resolves when the work does, or after the limit; rejects when the work fails before it. */
export async function waitUpTo(clock: Timers, limitMs: number, work: Promise<unknown>): Promise<void> {
  const { promise: limit, resolve } = Promise.withResolvers<void>();
  const timer = clock.setTimeout(resolve, limitMs);
  try {
    await Promise.race([work, limit]);
  } finally {
    clock.clearTimeout(timer);
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
  let isWoken = false;
  let end: (() => void) | undefined;
  return {
    wake() {
      isWoken = true;
      end?.();
    },
    reset() {
      isWoken = false;
    },
    async sleep(ms) {
      if (!isWoken)
        await new Promise<void>((resolve) => {
          const timer = clock.setTimeout(resolve, ms);
          end = () => {
            clock.clearTimeout(timer);
            resolve();
          };
        });
      end = undefined;
      return isWoken;
    },
  };
}
