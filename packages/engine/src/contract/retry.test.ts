import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs, retryWithBackoff } from './retry.ts';

describe('the pause after a failed attempt', () => {
  it.each([
    [1, 100],
    [2, 300],
    [3, 900],
    [4, 1_000],
    [5, 1_000],
    [10_000, 1_000],
  ])('after attempt %i is %i ms', (attempt, ms) => {
    expect(backoffMs({ firstMs: 100, factor: 3, longestMs: 1_000 }, attempt)).toBe(ms);
  });

  it('doubles unless another factor is given', () => {
    expect([1, 2, 3].map((attempt) => backoffMs({ firstMs: 30, longestMs: 60_000 }, attempt))).toEqual([30, 60, 120]);
  });

  it('is the drawn share of the whole pause (P24)', () => {
    const backoff = fc.record({ firstMs: fc.integer({ min: 1, max: 10_000 }), longestMs: fc.integer({ min: 1, max: 100_000 }) });
    fc.assert(
      fc.property(backoff, fc.integer({ min: 1, max: 2_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (given, attempt, share) => {
        const wholeMs = backoffMs(given, attempt);
        expect(wholeMs).toBeLessThanOrEqual(given.longestMs);
        expect(backoffMs(given, attempt, share)).toBe(wholeMs * share);
        expect(backoffMs(given, attempt + 1)).toBeGreaterThanOrEqual(wholeMs);
      }),
    );
  });
});

/** Keeps the pauses, and ends each at once. */
function countPauses() {
  const pausesMs: number[] = [];
  const setTimeout = (callback: () => void, delayMs: number): void => {
    pausesMs.push(delayMs);
    callback();
  };
  return { pausesMs, clock: { setTimeout } };
}

describe('retrying', () => {
  it('repeats a task until it succeeds, after growing pauses', async () => {
    const { pausesMs, clock } = countPauses();
    let attempts = 0;
    const task = async (): Promise<string> => {
      attempts += 1;
      if (attempts < 4) throw new Error('not yet');
      return 'done';
    };
    expect(await retryWithBackoff(task, { backoff: { firstMs: 100, longestMs: 250 }, clock, onFailure: () => {} })).toBe('done');
    expect(pausesMs).toEqual([100, 200, 250]);
  });

  it('ends with what `onFailure` throws, without another pause', async () => {
    const { pausesMs, clock } = countPauses();
    const attempts: number[] = [];
    const task = () => Promise.reject(new Error('no'));
    const onFailure = (error: unknown, attempt: number): void => {
      attempts.push(attempt);
      if (attempt === 3) throw new Error('given up', { cause: error });
    };
    const failed = retryWithBackoff(task, { backoff: { firstMs: 1, longestMs: 1 }, clock, onFailure });
    await expect(failed).rejects.toMatchObject({ message: 'given up', cause: { message: 'no' } });
    expect(attempts).toEqual([1, 2, 3]);
    expect(pausesMs).toEqual([1, 1]);
  });
});
