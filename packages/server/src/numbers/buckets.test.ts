import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketCount, bucketOf, percentileMs } from './buckets.ts';

describe('buckets of times', () => {
  it.each([
    [0, 0],
    [99, 0],
    [100, 1],
    [249, 1],
    [250, 2],
    [Number.MAX_SAFE_INTEGER, bucketCount - 1],
  ])('%d ms is in bucket %d', (tookMs, bucket) => {
    expect(bucketOf(tookMs)).toBe(bucket);
  });

  it('a percentile is within the factor of a bucket of the real one, and grows with its share', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 100, max: 1_000_000_000 }), { minLength: 1, maxLength: 60 }), (times) => {
        const buckets = Array.from({ length: bucketCount }, (_, bucket) => times.filter((time) => bucketOf(time) === bucket).length);
        const sorted = times.toSorted((a, b) => a - b);
        let before = 0;
        for (const share of [0.1, 0.5, 0.95, 1]) {
          const real = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
          const found = percentileMs(buckets, share) ?? -1;
          expect(found).toBeGreaterThanOrEqual(Math.floor(real / 2.5));
          expect(found).toBeLessThanOrEqual(Math.ceil(real * 2.5));
          expect(found).toBeGreaterThanOrEqual(before);
          before = found;
        }
      }),
    ));

  it('nothing has no percentile', () => {
    expect(
      percentileMs(
        Array.from({ length: bucketCount }, () => 0),
        0.5,
      ),
    ).toBeNull();
  });
});
