/** Puts chunks together as they come. One buffer grows: a body of single bytes must not cost an object for each. */
export interface ByteCollector {
  /** @returns false, and keeps nothing of it, when the chunk goes over the limit */
  add(chunk: Uint8Array): boolean;
  /** All that was added. */
  bytes(): Uint8Array;
}

const firstBytes = 16 * 1024;

export function createByteCollector(maxBytes: number): ByteCollector {
  let buffer = new Uint8Array(0);
  let sizeBytes = 0;

  return {
    add(chunk) {
      const needed = sizeBytes + chunk.length;
      if (needed > maxBytes) return false;
      if (needed > buffer.length) {
        const larger = new Uint8Array(Math.min(maxBytes, Math.max(needed, 2 * buffer.length, firstBytes)));
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
