import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { retry, unavailable } from './postgres-fault.ts';

/** Fails in passing, each time after so long. */
async function failing(attemptMs: number): Promise<{ readonly attempts: number; readonly error: unknown }> {
  let attempts = 0;
  const failed = retry(async () => {
    attempts += 1;
    vi.advanceTimersByTime(attemptMs);
    throw new Error('Connection terminated unexpectedly');
  }).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { attempts, error: await failed };
}

describe('what fails in passing', () => {
  beforeAll(() => void vi.useFakeTimers());
  afterAll(() => void vi.useRealTimers());

  it.each([
    ['six times where that is known at once', 0, 6],
    ['twice where that takes long: no more after five seconds in all (P13, P26)', 2_500, 2],
    ['once where that takes five seconds (P13, P26)', 5_000, 1],
  ])('is tried %s', async (_how, attemptMs, attempts) => {
    expect(await failing(attemptMs)).toEqual({ attempts, error: expect.objectContaining({ code: 'STORE_UNAVAILABLE' }) as unknown });
  });
});

it('of an ended pool says that the store is closed', () => {
  const ended = new Error('Cannot use a pool after calling end on the pool');
  expect(unavailable(ended)).toMatchObject({ code: 'STORE_UNAVAILABLE', details: { reason: 'The store is closed', isClosed: true } });
});
