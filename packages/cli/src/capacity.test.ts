import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateCapacity } from './capacity.ts';

describe('what users and messages take', () => {
  it('is what docs/scaling.md works out for 100 million users at 50,000 messages a second', () => {
    expect(estimateCapacity(100e6, 50_000)).toEqual({
      users: 100e6,
      messagesPerSecond: 50_000,
      needs: 'cells',
      cells: 20,
      cores: 400,
      commitsPerSecond: 100_000,
      fsyncsPerSecond: 1_563,
      walBytesPerSecond: 350e6,
      waitingBytesPerCell: 2.2e9,
      dedupeBytes: 4.1472e12,
      dedupeBytesAsHashes: 2.7648e11,
      historyBytesPerDay: 7.3008e12,
    });
  });

  it('is in whole bytes for a rate that is none a second', () => {
    const { walBytesPerSecond, dedupeBytes, dedupeBytesAsHashes, historyBytesPerDay } = estimateCapacity(1, 4e9 / 86_400);
    expect([walBytesPerSecond, dedupeBytes, dedupeBytesAsHashes, historyBytesPerDay]).toEqual([324_074_074, 3.84e12, 2.56e11, 6.76e12]);
  });

  it('is one process up to its rate and its users, and one cell above either', () => {
    expect(estimateCapacity(5_000_000, 700)).toMatchObject({ needs: 'process', cells: 0 });
    expect(estimateCapacity(5_000_000, 700.1)).toMatchObject({ needs: 'cells', cells: 1 });
    expect(estimateCapacity(5_000_001, 1)).toMatchObject({ needs: 'cells', cells: 2 });
    expect(estimateCapacity(1, 2_500)).toMatchObject({ cells: 1 });
    expect(estimateCapacity(1, 2_500.1)).toMatchObject({ cells: 2 });
  });

  it('is refused above the cells that there can be', () => {
    expect(estimateCapacity(1, 4_096 * 2_500).cells).toBe(4_096);
    expect(() => estimateCapacity(1, 4_096 * 2_500 + 1)).toThrow('4,097 cells');
  });

  it('never shrinks when either grows', () => {
    const users = fc.integer({ min: 1, max: 1e9 });
    const rate = fc.double({ min: 0.001, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(users, rate, users, rate, (a, b, more, faster) => {
        const [less, most] = [estimateCapacity(a, b), estimateCapacity(a + more, b + faster)];
        expect(most.cells).toBeGreaterThanOrEqual(less.cells);
        expect(most.commitsPerSecond).toBeGreaterThanOrEqual(less.commitsPerSecond);
        expect(most.historyBytesPerDay).toBeGreaterThanOrEqual(less.historyBytesPerDay);
      }),
    );
  });
});
