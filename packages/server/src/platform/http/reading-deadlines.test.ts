import type { IncomingMessage, ServerResponse } from 'node:http';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RequestAtWork } from './body-deadlines.ts';
import { createReadingDeadlines } from './reading-deadlines.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pauseMs = 30_000;
const networkOf = ({ incoming }: RequestAtWork): string => incoming.socket.remoteAddress ?? '';
const limits = { pauseMs, bytes: 100_000_000, networkOf };

/** A request whose answer is one piece of so many bytes, of which a socket tells as Node's does: a piece is unread until it is read whole. */
function answering(bytes: number, remoteAddress = '192.0.2.1') {
  const socket = { remoteAddress, bytesWritten: 1_000 + bytes, writableLength: bytes };
  const request = { incoming: { socket } as IncomingMessage, outgoing: {} as ServerResponse };
  return {
    request,
    readAll: () => void (socket.writableLength = 0),
    read: (some: number) => void (socket.writableLength -= Math.min(some, socket.writableLength)),
    addPiece: () => void ((socket.bytesWritten += bytes), (socket.writableLength = bytes)),
  };
}

describe('the deadlines of callers who read', () => {
  it('cut whoever takes nothing for the pause and what a piece takes at 4 KB a second, and not before', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000 }), fc.nat(600_000), (bytes, readsAfterMs) => {
        const cut: RequestAtWork[] = [];
        const { request, readAll } = answering(bytes);
        const deadlines = createReadingDeadlines(limits, (one) => cut.push(one));
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
    const deadlines = createReadingDeadlines(limits, (one) => cut.push(one));
    const [waits, reads] = [answering(0), answering(64_000)];
    for (const { request } of [waits, reads]) deadlines.begin(request);
    for (let pieces = 0; pieces < 20; pieces += 1) {
      vi.advanceTimersByTime(16_000);
      reads.addPiece();
    }
    expect(cut).toEqual([]);
    vi.advanceTimersByTime(3 * pauseMs);
    expect(cut).toEqual([reads.request]);
  });

  it('cut whoever reads a little now and then, slower than 4 KB a second on the whole, and nobody who is faster', () =>
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 8_000 }), (bytesASecond) => {
        const cut: RequestAtWork[] = [];
        const { request, read } = answering(1_000_000);
        const deadlines = createReadingDeadlines(limits, (one) => cut.push(one));
        deadlines.begin(request);
        const neededS = Math.ceil(1_000_000 / bytesASecond);
        for (let second = 0; second < neededS && cut.length === 0; second += 1) {
          vi.advanceTimersByTime(1_000);
          read(bytesASecond);
        }
        const expected = bytesASecond >= 4_000 ? [] : bytesASecond < 1_800 ? [request] : cut; // in between it depends on when it began
        expect(cut).toEqual(expected);
        deadlines.end(request);
        vi.advanceTimersByTime(pauseMs);
      }),
    ));

  it('let no more bytes wait than may: the network that has most of them loses those that are furthest behind', () => {
    const cut: RequestAtWork[] = [];
    const deadlines = createReadingDeadlines({ ...limits, bytes: 10_000 }, (one) => cut.push(one));
    const other = answering(3_000, '192.0.2.2');
    const many = [0, 1, 2, 3].map(() => answering(2_000));
    for (const { request } of [other, ...many.slice(0, 3)]) deadlines.begin(request);
    vi.advanceTimersByTime(1_000);
    expect(cut).toEqual([]); // 9,000
    for (const { request } of many.slice(3)) deadlines.begin(request);
    vi.advanceTimersByTime(500);
    expect(cut).toEqual([many[0]?.request]); // 11,000, 9,000 are left
    other.addPiece(); // it has read its first one
    deadlines.begin(answering(10_000, '192.0.2.3').request);
    vi.advanceTimersByTime(500);
    expect(cut.slice(1).map(networkOf)).toEqual(['192.0.2.3']);
  });

  it('give the place of whoever is furthest behind for five seconds to another, of the same network first', () => {
    const cut: RequestAtWork[] = [];
    const deadlines = createReadingDeadlines(limits, (one) => cut.push(one));
    const [first, second, reads] = [answering(2_000, '192.0.2.1'), answering(2_000, '192.0.2.2'), answering(0, '192.0.2.2')];
    for (const { request } of [first, second, reads]) deadlines.begin(request);
    vi.advanceTimersByTime(500); // seen
    vi.advanceTimersByTime(4_999);
    expect(deadlines.endSlowest('192.0.2.2', true)).toBe(undefined);
    vi.advanceTimersByTime(1);
    expect(deadlines.endSlowest('192.0.2.3', false)).toBe(undefined);
    expect(deadlines.endSlowest('192.0.2.2', true)).toBe(second.request.incoming.socket);
    expect(deadlines.endSlowest('192.0.2.3', true)).toBe(first.request.incoming.socket);
    expect(deadlines.endSlowest('192.0.2.3', true)).toBe(undefined);
    expect(cut).toEqual([second.request, first.request]);
  });
});
