import { portableDigest } from '../canvas/hash.ts';
import type { Digest } from '../contract/clock.ts';
import { slotOfId, withSlot } from './slots.ts';

/** SHA-256 of parts, as hex. Parts are kept apart, so that ("a", "bc") is never ("ab", "c"). */
export const digestOf = (digest: Digest, ...parts: readonly (string | number)[]): string => digest(JSON.stringify(parts));

/**
 * The name of an effect, derived from its place: unique, and never random. Outside of the engine its {@link idempotencyKey} is used,
 * computed on demand, since most effects end before it is needed.
 *
 * @param index - the number of the effect in its visit, from 0
 */
export const effectKey = (executionId: string, nodeId: string, visitNumber: number, index: number): string =>
  `${executionId}/${nodeId}#${visitNumber}.${index}`;

/**
 * The key of an effect, the same for every retry, restart and process (P4): SHA-256 of its place.
 *
 * @param key - from {@link effectKey}; any other text is a key already
 */
export function idempotencyKey(companyId: string, key: string, digest: Digest = portableDigest): string {
  const [, executionId, nodeId = '', visitNumber, index] = /^([^/]*)\/(.*)#(\d+)\.(\d+)$/s.exec(key) ?? [];
  if (executionId === undefined) return key;
  return digestOf(digest, 'effect', companyId, executionId, nodeId, Number(visitNumber), Number(index));
}

/** The id of a child: 116 bits that only the holder of the parent's seed can derive, and the slot of the lane that both are in. */
export const childId = ({ executionId, seed }: { readonly executionId: string; readonly seed: string }, waitId: string): string =>
  withSlot(digestOf(portableDigest, 'child', seed, waitId).slice(0, 32), slotOfId(executionId));

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
