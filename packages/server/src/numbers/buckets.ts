// Times by how long they are: twenty buckets, each two and a half times as long as the one before, from 100 ms to about a month.

const firstMs = 100;
const factor = 2.5;
/** How many there are. */
export const bucketCount = 20;

/** The first time that is beyond a bucket. */
const endOf = (bucket: number): number => firstMs * factor ** bucket;

/** The bucket of a time. */
export function bucketOf(tookMs: number): number {
  for (let bucket = 0; bucket < bucketCount - 1; bucket += 1) if (tookMs < endOf(bucket)) return bucket;
  return bucketCount - 1;
}

/**
 * The time within which a share of all was done: at most two and a half times as long as it was.
 *
 * @param share - above 0, at most 1
 * @returns milliseconds; null where nothing was measured
 */
export function percentileMs(buckets: readonly number[], share: number): number | null {
  const all = buckets.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let before = 0;
  for (const [bucket, count] of buckets.entries()) {
    if (before + count >= share * all) {
      const startMs = bucket === 0 ? 0 : endOf(bucket - 1);
      return Math.round(startMs + ((share * all - before) / count) * (endOf(bucket) - startMs));
    }
    before += count;
  }
  return Math.round(endOf(bucketCount - 1));
}
