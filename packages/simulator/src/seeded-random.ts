import type { Random } from '@hilo/engine/contract';

/**
 * Reproducible randomness: the same seed gives the same bytes in any process. Not fit for secrets.
 *
 * @param seed - a whole number, of which the lower 32 bits are used
 */
export function seededRandom(seed: number): Random {
  const word = mulberry32(seed);
  return { bytes: (length) => Uint8Array.from({ length }, () => word() & 0xff) };
}

/**
 * The generator "mulberry32", instead of a package: transcripts and simulations that were kept with their seeds draw the same again.
 *
 * @param seed - a whole number, of which the lower 32 bits are used
 * @returns a function that returns the next 32 bits, as a signed whole number
 */
export function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return mixed ^ (mixed >>> 14);
  };
}
