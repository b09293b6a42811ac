// The machine's clock and random source, as a host hands them to an engine.
import { randomFillSync } from 'node:crypto';
import type { Clock, Random } from '../packages/engine/src/contract/index.ts';

export const realClock: Clock = {
  now: Date.now,
  setTimeout,
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/** Random bytes drawn from the system many at a time, like Node's `randomUUID`. */
export function pooledRandom(): Random {
  const pool = new Uint8Array(4096);
  let used = pool.length;
  return {
    bytes(length) {
      if (used + length > pool.length) {
        randomFillSync(pool);
        used = 0;
      }
      used += length;
      return pool.slice(used - length, used);
    },
  };
}
