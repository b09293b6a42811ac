import { portableDigest } from '../canvas/hash.ts';
import type { Digest } from '../contract/clock.ts';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** SHA-256 of parts, as hex. Parts are kept apart, so that ("a", "bc") is never ("ab", "c"). */
export const digestParts = (digest: Digest, ...parts: readonly (string | number)[]): string => digest(JSON.stringify(parts));

/**
 * The name of an effect, derived from its place: unique, and never random. Outside of the engine its {@link idempotencyKey} is used,
 * computed on demand, since most effects end before it is needed.
 *
 * @param index - the number of the effect in its visit, from 0
 */
export function effectKey(executionId: string, nodeId: string, visitNumber: number, index: number): string {
  const place = `/${nodeId}#${visitNumber}.${index}`; // by itself, as a short text has no parts: the whole is kept as two, not as six
  return executionId + place;
}

/** The execution of which a text is the {@link effectKey}; nothing for any other text. */
export const executionOfKey = (key: string): string | undefined => /^([^/]+)\/.*#\d+\.\d+$/s.exec(key)?.[1];

/**
 * The key of an effect, the same for every retry, restart and process (P4): SHA-256 of its place.
 *
 * @param key - from {@link effectKey}; any other text is a key already
 */
export function idempotencyKey(companyId: string, key: string, digest: Digest = portableDigest): string {
  const [, executionId, nodeId = '', visitNumber, index] = /^([^/]*)\/(.*)#(\d+)\.(\d+)$/s.exec(key) ?? [];
  if (executionId === undefined) return key;
  return digestParts(digest, 'effect', companyId, executionId, nodeId, Number(visitNumber), Number(index));
}

/** The id of a child: 116 bits that only the holder of the parent's seed can derive, and the slot of the lane that both are in. */
export const childId = ({ executionId, seed }: { readonly executionId: string; readonly seed: string }, waitId: string): string =>
  replaceSlot(digestParts(portableDigest, 'child', seed, waitId).slice(0, 32), slotOfId(executionId));

/**
 * The id of what continues an execution on behalf of a job, in the slot of its lane: a job that is done twice makes one. Only the holder of
 * the execution's seed can derive it.
 */
export const continuationId = (
  { executionId, seed }: { readonly executionId: string; readonly seed: string },
  job: string,
  slot: number,
): string => replaceSlot(digestParts(portableDigest, 'continuation', seed, executionId, job).slice(0, 32), slot);

/** The seed of a child: as random as its parent's. */
export const childSeed = (parentSeed: string, waitId: string): string =>
  digestParts(portableDigest, 'seed', parentSeed, waitId).slice(0, 32);

/** A number in [0, 1) by which the pause before a further attempt of a visit is shortened: no two executions come back at once (P24). */
export const jitter = (seed: string, nodeId: string, visit: number, attempt: number): number =>
  fraction(portableDigest, 'jitter', seed, nodeId, visit, attempt);

/** The numbers in [0, 1) that a visit may draw, the same whenever it is replayed. */
export function createDraws(digest: Digest, seed: string, visit: number): () => number {
  let index = 0;
  return () => {
    index += 1;
    return fraction(digest, 'draw', seed, visit, index);
  };
}

const fraction = (digest: Digest, ...parts: readonly (string | number)[]): number =>
  Number.parseInt(digestParts(digest, ...parts).slice(0, 13), 16) / 2 ** 52;

// Lanes are in 4,096 slots, so that stores of their own can be given ranges of them. An execution's id names the slot of its
// lane: the id alone says where the execution is.

/** How many slots there are. */
export const slotCount = 4_096;

/** The slot of a lane: that of its user, or of the execution that is a lane of its own. */
export function slotOf(lane: string): number {
  if (!lane.startsWith(ownLane, lane.length - ownLane.length - 32)) return hashToSlot(lane);
  const [, executionId] = /\/execution\/([0-9a-f]{32})$/.exec(lane) ?? [];
  return executionId === undefined ? hashToSlot(lane) : slotOfId(executionId);
}

/** Begins the id of an execution in a lane of its own. */
const ownLane = '/execution/';

/** The slot that an execution's id names. */
export const slotOfId = (executionId: string): number => Number.parseInt(executionId.slice(13, 16), 16) || 0;

/** An id of 32 hex digits with the slot where a UUIDv7 has its first random digits. */
const replaceSlot = (id: string, slot: number): string => `${id.slice(0, 13)}${slot.toString(16).padStart(3, '0')}${id.slice(16)}`;

/** FNV-1a of 32 bits over the bytes of UTF-8, folded to 12: simple enough for a proxy to compute. */
function hashToSlot(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) return fold(utf8ToBytes(text).reduce(mix, 0x811c9dc5));
    hash = mix(hash, unit); // ASCII is its own byte
  }
  return fold(hash);
}

const mix = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);

const fold = (hash: number): number => ((hash >>> 12) ^ hash) & (slotCount - 1);
