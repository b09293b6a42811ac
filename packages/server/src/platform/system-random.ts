import { randomFillSync } from 'node:crypto';
import type { Random } from '@hilo/engine/contract';

/** So many bytes are drawn at once: a draw costs far more than its bytes. */
const poolBytes = 4_096;

/** Randomness of the machine, fit for keys. No byte is given twice. */
export const systemRandom: Random = pooledRandom();

function pooledRandom(): Random {
  const pool = new Uint8Array(poolBytes);
  let used = poolBytes;
  return {
    bytes(length) {
      if (length > poolBytes) return randomFillSync(new Uint8Array(length));
      if (used + length > poolBytes) {
        randomFillSync(pool);
        used = 0;
      }
      const bytes = pool.slice(used, used + length);
      pool.fill(0, used, used + length); // what was given is not kept
      used += length;
      return bytes;
    },
  };
}
