import type { Clock } from '../packages/engine/src/contract/index.ts';

/** The machine's clock, as a host hands it to an engine. */
export const realClock: Clock = {
  now: Date.now,
  setTimeout,
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};
