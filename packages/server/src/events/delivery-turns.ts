import type { Clock } from '@hilo/engine/contract';

/** What a subscription that waits is woken by: something new, or a little time. */
export interface Turns {
  wake(): void;
  /** Resolves at the next wake, or after a while. */
  next(): Promise<void>;
}

export function createTurns(clock: Clock, everyMs: number): Turns {
  let waiting: { readonly promise: Promise<void>; readonly end: () => void } | undefined;
  return {
    wake: () => waiting?.end(),
    next() {
      if (waiting !== undefined) return waiting.promise;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = clock.setTimeout(() => end(), everyMs);
      const end = (): void => {
        clock.clearTimeout(timer);
        waiting = undefined;
        resolve();
      };
      waiting = { promise, end };
      return promise;
    },
  };
}
