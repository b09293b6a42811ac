import { randomBytes } from 'node:crypto';
import type { Clock, Random } from '@hilo/engine/contract';

/** The time of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
};

/** Randomness of the machine, fit for keys. */
export const systemRandom: Random = { bytes: (length) => randomBytes(length) };
