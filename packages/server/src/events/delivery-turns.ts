// When a subscription is looked at again, of which nothing can be delivered now.
import type { Clock } from '@hilo/engine/contract';
import { pause } from '../platform/waiting.ts';

/** What a subscription that waits is woken by: something new, or a little time. */
export interface Turns {
  wake(): void;
  /** Resolves at the next wake, or after a while; what wakes it within a moment is one wake. */
  next(): Promise<void>;
}

/**
 * @param gatheredMs - while a slow subscriber takes its time, each message of its company would be a look at the store
 * @param everyMs - how long nothing may be looked at
 */
export function createTurns(clock: Clock, gatheredMs: number, everyMs: number): Turns {
  let waiting: { readonly promise: Promise<void>; readonly wake: () => void } | undefined;
  const wait = async (ends: AbortController): Promise<void> => {
    await pause(clock, gatheredMs);
    await pause(clock, everyMs - gatheredMs, ends.signal); // not at all where something has come
    waiting = undefined;
  };
  return {
    wake: () => waiting?.wake(),
    next() {
      if (waiting !== undefined) return waiting.promise;
      const ends = new AbortController();
      waiting = { promise: wait(ends), wake: () => ends.abort() };
      return waiting.promise;
    },
  };
}
