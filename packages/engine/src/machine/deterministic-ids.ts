import { portableDigest } from '../canvas/hash.ts';
import type { Digest } from '../contract/clock.ts';

/** SHA-256 of parts, as hex. Parts are kept apart, so that ("a", "bc") is never ("ab", "c"). */
export const digestOf = (digest: Digest, ...parts: readonly (string | number)[]): string => digest(JSON.stringify(parts));

/**
 * The key an effect carries through every retry, restart and process (P4): derived from where it stands, never drawn.
 *
 * @param index - which effect of the visit it is, counted from 0
 */
export const effectKey = (
  digest: Digest,
  companyId: string,
  executionId: string,
  nodeId: string,
  visitNumber: number,
  index: number,
): string => digestOf(digest, 'effect', companyId, executionId, nodeId, visitNumber, index);

/** The id of a child: 128 bits that only the holder of the parent's seed can derive. */
export const childId = (parentSeed: string, waitId: string): string => digestOf(portableDigest, 'child', parentSeed, waitId).slice(0, 32);

/** The seed of a child: as random as its parent's. */
export const childSeed = (parentSeed: string, waitId: string): string => digestOf(portableDigest, 'seed', parentSeed, waitId).slice(0, 32);

/** A number in [0, 1) by which the pause before a further attempt of a visit is shortened: no two executions come back at once (P24). */
export const jitter = (seed: string, nodeId: string, visit: number, attempt: number): number =>
  fraction(portableDigest, 'jitter', seed, nodeId, visit, attempt);

/** The numbers in [0, 1) that a visit may draw, the same whenever it is replayed. */
export function draws(digest: Digest, seed: string, visit: number): () => number {
  let index = 0;
  return () => {
    index += 1;
    return fraction(digest, 'draw', seed, visit, index);
  };
}

const fraction = (digest: Digest, ...parts: readonly (string | number)[]): number =>
  Number.parseInt(digestOf(digest, ...parts).slice(0, 13), 16) / 2 ** 52;
