import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tried } from './messages.ts';
import { finalOutcome, nextTry } from './retries.ts';

const later = (retryAfterMs: number | undefined): Tried => ({
  kind: 'later',
  cause: 'PROVIDER_REFUSED',
  message: 'Not now',
  retryAfterMs,
});

/** As it is drawn: at least 0, less than 1. */
const drawn = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the pause before a message is tried again', () => {
  it.each([
    [1, 1_000],
    [2, 5_000],
    [3, 25_000],
  ])('is after try %i a part of %i ms (P24)', (attempts, longestMs) => {
    fc.assert(
      fc.property(drawn, fc.constantFrom(undefined, later(undefined)), (jitter, tried) => {
        expect(nextTry(tried, attempts, jitter)).toEqual({ pauseMs: Math.ceil(longestMs * jitter), attempts });
      }),
    );
    expect(nextTry(undefined, attempts, 0)?.pauseMs).toBe(0);
  });

  it('is no shorter than the channel asks for, up to a minute (P24)', () => {
    fc.assert(
      fc.property(drawn, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 60_000 }), (jitter, attempts, askedMs) => {
        expect(nextTry(later(askedMs), attempts, jitter)?.pauseMs).toBeGreaterThanOrEqual(askedMs);
        expect(nextTry(later(60_001 + askedMs), attempts, jitter)).toBeUndefined();
      }),
    );
  });

  it('is that of a failure where the outcome is unknown, and its reason is kept at the end (P5)', () => {
    const unknown: Tried = { kind: 'unknown', cause: 'TIMEOUT', message: 'No answer in time' };
    expect(nextTry(unknown, 3, 0.5)).toEqual(nextTry(undefined, 3, 0.5));
    expect(nextTry(unknown, 4, 0.5)).toBeUndefined();
    const message = 'After 4 attempts it is unknown whether the message arrived: No answer in time';
    expect(finalOutcome(unknown, 4)).toEqual({ kind: 'refused', cause: 'OUTCOME_UNKNOWN', message });
  });

  it('comes to an end after the fourth try (P24)', () => {
    expect(nextTry(undefined, 4, 0.5)).toBeUndefined();
    expect(nextTry(later(1_000), 4, 0.5)).toBeUndefined();
  });
});
