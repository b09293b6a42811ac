import { utf8ToBytes } from '@noble/hashes/utils.js';

// Lanes are in 4,096 slots, so that stores of their own can be given ranges of them. An execution's id names the slot of its
// lane: the id alone says where the execution is.

/** How many slots there are. */
export const slotCount = 4_096;

/** The slot of a lane: that of its user, or of the execution that is a lane of its own. */
export function slotOf(lane: string): number {
  const [, executionId] = /\/execution\/([0-9a-f]{32})$/.exec(lane) ?? [];
  return executionId === undefined ? hashOf(lane) : slotOfId(executionId);
}

/** The slot that an execution's id names. */
export const slotOfId = (executionId: string): number => Number.parseInt(executionId.slice(13, 16), 16) || 0;

/** An id of 32 hex digits with the slot where a UUIDv7 has its first random digits. */
export const withSlot = (id: string, slot: number): string => `${id.slice(0, 13)}${slot.toString(16).padStart(3, '0')}${id.slice(16)}`;

/** FNV-1a of 32 bits over the bytes of UTF-8, folded to 12: simple enough for a proxy to compute. */
function hashOf(text: string): number {
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
