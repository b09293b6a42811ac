import type { IncomingMessage, ServerResponse } from 'node:http';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBodyDeadlines, type RequestAtWork } from './body-deadlines.ts';

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
});
