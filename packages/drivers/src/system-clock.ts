import type { Clock } from '@hilo/engine/contract';

/** The longest that a timer of Node.js waits; a longer one would fire at once. */
const longestDelayMs = 2 ** 31 - 1;

/** The time of the machine. A timer waits 24 days at most. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, Math.min(delayMs, longestDelayMs)),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};
