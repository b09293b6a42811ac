import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCheckTurns } from './check-turns.ts';

/** Turns over checks that take so long; notes at which edit, and when, each begins. */
function turnsOf(tookMs: number) {
  const checks: { readonly edit: number; readonly atMs: number }[] = [];
  let edit = 0;
  let running = 0;
  const turns = createCheckTurns(async () => {
    running += 1;
    expect(running).toBe(1);
    checks.push({ edit, atMs: performance.now() - beganAtMs });
    await new Promise((resolve) => setTimeout(resolve, tookMs));
    running -= 1;
  });
  const beganAtMs = performance.now();
  return {
    checks,
    end: () => turns.end(),
    async edit(afterMs: number) {
      await vi.advanceTimersByTimeAsync(afterMs);
      edit += 1;
      turns.edited();
    },
  };
}

describe('when a draft is checked', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([
    { what: 'an edit after a pause is checked at once', gaps: [0, 120], starts: [0, 120] },
    { what: 'one that comes sooner waits for a pause', gaps: [0, 119], starts: [0, 239] },
    { what: 'of many in quick succession the first and the last are checked', gaps: [0, 50, 50, 50], starts: [0, 270] },
  ])('$what', async ({ gaps, starts }) => {
    const turns = turnsOf(10);
    for (const gap of gaps) await turns.edit(gap);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(turns.checks.map(({ atMs }) => atMs)).toEqual(starts);
  });

  it('edits during a check are checked after it: at once where the pause is over', async () => {
    const turns = turnsOf(200);
    for (const gap of [0, 20]) await turns.edit(gap);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(turns.checks.map(({ edit }) => edit)).toEqual([1, 2]);
    expect(turns.checks[1]?.atMs).toBeLessThanOrEqual(201); // a timer of a timer takes 1 ms
  });

  it('after a check of more than 200 ms the pause is twice as long', async () => {
    const turns = turnsOf(201);
    for (const gap of [0, 500, 239]) await turns.edit(gap);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(turns.checks.map(({ atMs }) => atMs)).toEqual([0, 500, 739 + 240]);
  });

  it('nothing is checked after the end', async () => {
    const turns = turnsOf(10);
    await turns.edit(0);
    await turns.edit(5);
    turns.end();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(turns.checks).toHaveLength(1);
  });

  it('whatever comes when, one check is in flight, and the last edit is checked', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 0, max: 600 }),
        async (gaps, tookMs) => {
          const turns = turnsOf(tookMs);
          for (const gap of gaps) await turns.edit(gap);
          await vi.advanceTimersByTimeAsync(2_000);
          expect(turns.checks.at(-1)?.edit).toBe(gaps.length);
          expect(turns.checks.length).toBeLessThanOrEqual(gaps.length);
        },
      ),
    );
  });
});
