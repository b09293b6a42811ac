import type { Clock } from '@hilo/engine/contract';

/**
 * A clock whose timers are tasks.
 *
 * @param now - the time, in milliseconds since the Unix epoch
 * @param add - adds a task; returns a function that removes it
 */
export function taskClock(now: () => number, add: (label: string, run: () => void, delayMs: number) => () => void): Clock {
  const timers = new Map<unknown, () => void>();
  let last = 0;
  return {
    now,
    setTimeout(callback, delayMs) {
      last += 1;
      const timer = last;
      const ring = (): void => {
        timers.delete(timer);
        callback();
      };
      timers.set(timer, add('timer', ring, delayMs));
      return timer;
    },
    clearTimeout(timer) {
      timers.get(timer)?.();
      timers.delete(timer);
    },
  };
}
