import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** UTF-8; the encoder of the platform costs more than a short text has letters. */
function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) return utf8ToBytes(text);
    bytes[index] = unit;
  }
  return bytes;
}

/** SHA-256 of parts, as hex. Parts are kept apart, so that ("a", "bc") is never ("ab", "c"). */
export const digest = (...parts: readonly (string | number)[]): string => bytesToHex(sha256(bytesOf(JSON.stringify(parts))));

/**
 * The key an effect carries through every retry, restart and process (P4): derived from where it stands, never drawn.
 *
 * @param index - which effect of the visit it is, counted from 0
 */
export const effectKey = (companyId: string, executionId: string, nodeId: string, visitNumber: number, index: number): string =>
  digest('effect', companyId, executionId, nodeId, visitNumber, index);

/** The id of a child: 128 bits that only the holder of the parent's seed can derive. */
export const childId = (parentSeed: string, waitId: string): string => digest('child', parentSeed, waitId).slice(0, 32);

/** The seed of a child: as random as its parent's. */
export const childSeed = (parentSeed: string, waitId: string): string => digest('seed', parentSeed, waitId).slice(0, 32);

/** A number in [0, 1) by which the pause before a further attempt of a visit is shortened: no two executions come back at once (P24). */
export const jitter = (seed: string, nodeId: string, visit: number, attempt: number): number =>
  fraction('jitter', seed, nodeId, visit, attempt);

/** The numbers in [0, 1) that a visit may draw, the same whenever it is replayed. */
export function draws(seed: string, visit: number): () => number {
  let index = 0;
  return () => {
    index += 1;
    return fraction('draw', seed, visit, index);
  };
}

const fraction = (...parts: readonly (string | number)[]): number => Number.parseInt(digest(...parts).slice(0, 13), 16) / 2 ** 52;
