import type { Random } from '@hilo/engine/contract';
import { mulberry32 } from './mulberry32.ts';

/**
 * Randomness that can be repeated: the same seed gives the same bytes, in whatever process. Not fit for secrets.
 *
 * @param seed - a whole number; its lower 32 bits count
 */
export function seededRandom(seed: number): Random {
  const word = mulberry32(seed);
  return { bytes: (length) => Uint8Array.from({ length }, () => word() & 0xff) };
}
