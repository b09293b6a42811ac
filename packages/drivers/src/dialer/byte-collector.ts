/** Puts chunks together as they come. One buffer grows: a body of single bytes must not cost an object for each. */
export interface ByteCollector {
  /** @returns false, and keeps nothing of it, when the chunk goes over the limit */
  add(chunk: Uint8Array): boolean;
  /** All that was added and is kept. */
  bytes(): Uint8Array;
}

const firstBytes = 16 * 1024;

/** @param keepBytes - what comes behind these is counted and not kept */
export function createByteCollector(maxBytes: number, keepBytes = maxBytes): ByteCollector {
  let buffer = new Uint8Array(0);
  let sizeBytes = 0;
  let countedBytes = 0;

  return {
    add(added) {
      if (countedBytes + added.length > maxBytes) return false;
      countedBytes += added.length;
      const chunk = added.subarray(0, keepBytes - sizeBytes);
      const needed = sizeBytes + chunk.length;
      if (needed > buffer.length) {
        const larger = new Uint8Array(Math.min(keepBytes, Math.max(needed, 2 * buffer.length, firstBytes)));
        larger.set(buffer.subarray(0, sizeBytes));
        buffer = larger;
      }
      buffer.set(chunk, sizeBytes);
      sizeBytes = needed;
      return true;
    },
    bytes: () => buffer.subarray(0, sizeBytes),
  };
}
