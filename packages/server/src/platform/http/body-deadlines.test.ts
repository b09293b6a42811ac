import type { IncomingMessage, ServerResponse } from 'node:http';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { countWait, createBodyDeadlines, type RequestAtWork } from './body-deadlines.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const limitMs = 1_000;
const newRequest = (): RequestAtWork => ({ incoming: {} as IncomingMessage, outgoing: {} as ServerResponse });

/** How long a request takes. One that takes the limit may be cut or not: both come at once. */
const duration = fc.nat({ max: 2_000 }).filter((ms) => ms !== limitMs);

/** A request that begins so long after the one before it, and ends after so long, or not at all. */
const requests = fc.array(fc.record({ afterMs: fc.nat({ max: 700 }), tookMs: fc.option(duration, { nil: undefined }) }), { maxLength: 20 });

describe('the deadlines of bodies', () => {
  it('cut each request that has not ended when its own time is over, and no other', () =>
    fc.assert(
      fc.property(requests, (given) => {
        const cut: (readonly [number, number])[] = [];
        const made: RequestAtWork[] = [];
        const beganMs = performance.now();
        const deadlines = createBodyDeadlines(limitMs, (request) => cut.push([made.indexOf(request), performance.now() - beganMs]));
        const expected: (readonly [number, number])[] = [];
        let atMs = 0;
        for (const [index, { afterMs, tookMs }] of given.entries()) {
          atMs += afterMs;
          const request = newRequest();
          made.push(request);
          setTimeout(() => deadlines.begin(request), atMs);
          if (tookMs !== undefined) setTimeout(() => deadlines.end(request), atMs + tookMs);
          if (tookMs === undefined || tookMs > limitMs) expected.push([index, atMs + limitMs]);
        }
        vi.advanceTimersByTime(atMs + 3 * limitMs);
        expect(cut).toEqual(expected);
        expect(vi.getTimerCount()).toBe(0);
      }),
    ));

  /** Plays a body that is read as it comes: each piece is waited for, and then worked on. @returns when it was cut, if it was */
  const playStream = (pieces: readonly { readonly waitMs: number; readonly bytes: number; readonly workMs: number }[]) => {
    const request = newRequest();
    const beganMs = performance.now();
    let cutMs: number | undefined;
    const deadlines = createBodyDeadlines(limitMs, () => (cutMs = performance.now() - beganMs));
    deadlines.begin(request);
    const wait = countWait(request.incoming);
    for (const { waitMs, bytes, workMs } of pieces) {
      wait.begin();
      vi.advanceTimersByTime(waitMs);
      wait.end(bytes);
      vi.advanceTimersByTime(workMs);
    }
    deadlines.end(request);
    vi.advanceTimersByTime(2 * limitMs);
    expect(vi.getTimerCount()).toBe(0);
    return cutMs;
  };

  it('never cut a body that is read as it comes for the time that its pieces are worked on', () =>
    fc.assert(
      fc.property(fc.array(fc.record({ waitMs: fc.nat({ max: 900 }), workMs: fc.nat({ max: 5_000 }) }), { maxLength: 40 }), (pieces) => {
        expect(playStream(pieces.map((one) => ({ ...one, bytes: one.waitMs })))).toBeUndefined();
      }),
    ));

  it.each([
    ['nothing', [{ waitMs: 5_000, bytes: 0, workMs: 0 }]],
    ['a byte every 100 ms', Array.from({ length: 100 }, () => ({ waitMs: 100, bytes: 1, workMs: 0 }))],
    ['half of the slowest rate', Array.from({ length: 100 }, () => ({ waitMs: 100, bytes: 50, workMs: 10 }))],
  ])('cut one of which comes %s', (_what, pieces) => {
    const cutMs = playStream(pieces);
    expect(cutMs).toBeGreaterThanOrEqual(limitMs);
    expect(cutMs).toBeLessThanOrEqual(4 * limitMs);
  });
});
