import type { Clock } from '@hilo/engine/contract';

/** A clock whose time moves only on request. */
export interface VirtualClock extends Clock {
  /** Moves to an instant; timers on the way fire in due order, each seeing its own due time as now. */
  advanceTo(ms: number): void;
  advanceBy(ms: number): void;
  /** When the next timer is due; `undefined` when there is none. */
  nextMs(): number | undefined;
}

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** The default start of virtual time: a Monday morning. */
export const virtualStartMs = Date.UTC(2031, 2, 3, 9);

/**
 * Creates a clock that stands still.
 *
 * @example
 * const clock = createVirtualClock();
 * clock.setTimeout(() => console.log('two hours later'), 7_200_000);
 * clock.advanceBy(7_200_000);
 */
export function createVirtualClock(startMs: number = virtualStartMs): VirtualClock {
  let nowMs = startMs;
  const timers = new Set<Timer>();

  /** The earliest timer; of two due at once, the one that was set first. */
  const next = (): Timer | undefined => {
    let earliest: Timer | undefined;
    for (const timer of timers) if (earliest === undefined || timer.dueMs < earliest.dueMs) earliest = timer;
    return earliest;
  };

  const advanceTo = (ms: number): void => {
    if (ms < nowMs) throw new RangeError(`Time does not go back: it is ${nowMs}, and ${ms} is earlier`);
    for (let timer = next(); timer !== undefined && timer.dueMs <= ms; timer = next()) {
      timers.delete(timer);
      nowMs = Math.max(nowMs, timer.dueMs);
      timer.callback();
    }
    nowMs = Math.max(nowMs, ms); // a callback may have moved time itself
  };

  return {
    now: () => nowMs,
    setTimeout(callback, delayMs) {
      const timer: Timer = { dueMs: nowMs + Math.max(0, delayMs), callback };
      timers.add(timer);
      return timer;
    },
    clearTimeout(timer) {
      timers.delete(timer as Timer);
    },
    advanceTo,
    advanceBy: (ms) => advanceTo(nowMs + ms),
    nextMs: () => next()?.dueMs,
  };
}

/** Node.js has `setImmediate`, a browser's worker has `MessageChannel`; the types of this package assume no platform. */
declare const setImmediate: ((callback: () => void) => unknown) | undefined;
declare const MessageChannel: new () => {
  readonly port1: { onmessage: (() => void) | null };
  readonly port2: { postMessage(message: null): void };
};

/** A turn of the event loop: every promise that can settle has settled. */
export const turn = (): Promise<void> =>
  new Promise<void>((resolve) => {
    if (typeof setImmediate === 'function') return void setImmediate(resolve);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });
