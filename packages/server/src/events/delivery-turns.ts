// When a subscription is looked at again, of which nothing can be delivered now.
import type { Clock } from '@hilo/engine/contract';
import { pause } from '../platform/waiting.ts';

/** What a subscription that waits is woken by: something new, or a little time. */
export interface Turns {
  wake(): void;
  /** Resolves at the next wake, or after a while. */
  next(): Promise<void>;
}

export function createTurns(clock: Clock, everyMs: number): Turns {
  let waiting: { readonly promise: Promise<void>; readonly ends: AbortController } | undefined;
  return {
    wake: () => waiting?.ends.abort(),
    next() {
      if (waiting !== undefined) return waiting.promise;
      const ends = new AbortController();
      const promise = pause(clock, everyMs, ends.signal).then(() => {
        waiting = undefined;
      });
      waiting = { promise, ends };
      return promise;
    },
  };
}
