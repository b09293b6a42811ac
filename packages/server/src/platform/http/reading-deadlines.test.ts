import type { IncomingMessage, ServerResponse } from 'node:http';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RequestAtWork } from './body-deadlines.ts';
import { createReadingDeadlines } from './reading-deadlines.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pauseMs = 30_000;

/** A request whose answer is one piece of so many bytes, of which a socket tells as Node's does: a piece is unread until it is read whole. */
function answering(bytes: number) {
  const socket = { bytesWritten: 1_000 + bytes, writableLength: bytes };
  const request = { incoming: { socket } as IncomingMessage, outgoing: {} as ServerResponse };
  return {
    request,
    readAll: () => void (socket.writableLength = 0),
    addPiece: () => void ((socket.bytesWritten += bytes), (socket.writableLength = bytes)),
  };
}

describe('the deadlines of callers who read', () => {
  it('cut whoever takes nothing for the pause and what a piece takes at 4 KB a second, and not before', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000 }), fc.nat(600_000), (bytes, readsAfterMs) => {
        const cut: RequestAtWork[] = [];
        const { request, readAll } = answering(bytes);
        const deadlines = createReadingDeadlines(pauseMs, (one) => cut.push(one));
        deadlines.begin(request);
        vi.advanceTimersByTime(readsAfterMs);
        const allowedMs = pauseMs + bytes / 4;
        // It is looked at three times in a pause, twice before it may be cut.
        expect(cut.length).toBeLessThanOrEqual(readsAfterMs > allowedMs ? 1 : 0);
        expect(cut.length).toBeGreaterThanOrEqual(readsAfterMs >= allowedMs + pauseMs ? 1 : 0);
        readAll();
        const before = cut.length;
        vi.advanceTimersByTime(600_000);
        expect(cut).toHaveLength(before);
        deadlines.end(request);
        vi.advanceTimersByTime(pauseMs);
        expect(vi.getTimerCount()).toBe(0);
      }),
    ));

  it('leave alone who waits for an answer, and who reads piece after piece', () => {
    const cut: RequestAtWork[] = [];
    const deadlines = createReadingDeadlines(pauseMs, (one) => cut.push(one));
    const [waits, reads] = [answering(0), answering(64_000)];
    for (const { request } of [waits, reads]) deadlines.begin(request);
    for (let pieces = 0; pieces < 20; pieces += 1) {
      vi.advanceTimersByTime(pauseMs);
      reads.addPiece();
    }
    expect(cut).toEqual([]);
    vi.advanceTimersByTime(3 * pauseMs);
    expect(cut).toEqual([reads.request]);
  });
});
