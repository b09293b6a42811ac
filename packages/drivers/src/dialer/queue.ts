// Calls that wait for a place among those that are made at once.
import type { AbortSignal, Clock } from '@hilo/engine/contract';
import { DriverError } from '../driver-error.ts';

export interface QueueOptions {
  readonly maxConcurrent: number;
  readonly maxQueued: number;
  readonly clock: Clock;
}

/** How long a call may wait, and what ends its wait sooner. */
interface WaitLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether every call that does not yield goes first. */
  readonly yields?: boolean | undefined;
  /** Calls at once that leave a place for this one, where these are more than `maxConcurrent`. */
  readonly atOnce?: number | undefined;
}

/** Admits a number of concurrent calls; others wait in order of arrival. Limiters of packages bound neither the queue nor its waiting. */
export interface Queue {
  /**
   * Waits for a place.
   *
   * @returns the time that took, and a function that releases the place
   * @throws {DriverError} `DESTINATION_BUSY` when too many are waiting, `TIMEOUT` when no place was free in time
   */
  enter(limits: WaitLimits): Promise<{ readonly leave: () => void; readonly waitedMs: number }>;
  isIdle(): boolean;
}

export function createQueue({ maxConcurrent, maxQueued, clock }: QueueOptions): Queue {
  const waiting = new Set<() => void>();
  const yielding = new Set<() => void>();
  let taken = 0;

  /** Passes the place to the longest waiting call, first among those that do not yield. */
  const leave = (): void => {
    const [next] = waiting.size > 0 ? waiting : yielding;
    if (next === undefined) taken -= 1;
    else next();
  };

  const wait = ({ timeoutMs, signal, yields = false }: WaitLimits): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const line = yields ? yielding : waiting;
    const end = (): void => {
      clock.clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    };
    const giveUp = (): void => {
      line.delete(take);
      reject(new DriverError('TIMEOUT', 'The destination is busy: no place for this call came in time'));
    };
    const take = (): void => {
      line.delete(take);
      resolve();
    };
    const timer = clock.setTimeout(giveUp, timeoutMs);
    signal?.addEventListener('abort', giveUp);
    if (signal?.aborted === true) giveUp();
    else line.add(take);
    return promise.finally(end);
  };

  return {
    async enter(limits) {
      if (taken < Math.max(maxConcurrent, limits.atOnce ?? 0)) {
        taken += 1;
        return { leave, waitedMs: 0 };
      }
      if (waiting.size + yielding.size >= maxQueued) {
        throw new DriverError('DESTINATION_BUSY', `${maxConcurrent} calls to this destination are under way and ${maxQueued} wait already`);
      }
      const startedAtMs = clock.now();
      await wait(limits);
      return { leave, waitedMs: Math.max(0, clock.now() - startedAtMs) }; // the clock may have been set back (P12)
    },
    isIdle: () => taken === 0,
  };
}
