// Ends the connections of callers who do not read their answers: each would hold a place, and its answer, for as long as it likes.
import type { RequestAtWork } from './body-deadlines.ts';
import type { EndSlowest } from './connections.ts';

/** Bounds how long the bytes of answers wait for callers to read them, and how many wait. */
export interface ReadingDeadlines {
  begin(request: RequestAtWork): void;
  /** The request is over. */
  end(request: RequestAtWork): void;
  /** Makes room for another connection: the caller who is furthest behind loses theirs, but nobody who has only begun. */
  readonly endSlowest: EndSlowest;
}

export interface ReadingLimits {
  /** How long a caller may read nothing, in addition to what a piece takes at the slowest rate. */
  readonly pauseMs: number;
  /** So many bytes of all answers may wait for their callers. */
  readonly bytes: number;
  readonly networkOf: (request: RequestAtWork) => string;
}

/** How far a caller had read when it was looked at, and since when it is behind the slowest rate. */
interface Reading {
  readonly readBytes: number;
  readonly sinceMs: number;
}

/** Callers take the bytes of an answer at this rate at least, or seem to have stopped: slower than any telephone network. */
const slowestBytesPerMs = 4;
/** How often requests in progress are looked at, and at the latest after so many others, where they do not come in one moment. */
const lookMs = 500;
const lookAfter = { requests: 32, ms: 50 };
/** Who is behind for so long may lose their place to another. */
const behindMs = 5_000;

/**
 * Looks at the requests in progress now and then: a timer for each would be set and cleared with every request. A caller that reads at the
 * slowest rate on the whole, or for whom nothing is written yet, is left alone; some bytes now and then earn only what they would take.
 *
 * Where more bytes wait than may, the network that has most of them loses those that are furthest behind: an address that asks for a
 * hundred files and reads none of them would hold them all in memory.
 *
 * @param cut - called for each request whose caller has stopped, or has to leave
 */
export function createReadingDeadlines(
  { pauseMs, bytes: maxBytes, networkOf }: ReadingLimits,
  cut: (request: RequestAtWork) => void,
): ReadingDeadlines {
  const open = new Map<RequestAtWork, Reading | undefined>();
  let isSet = false;
  let [begun, lookedMs] = [0, 0];

  const end = (request: RequestAtWork): void => {
    open.delete(request);
    cut(request);
  };
  const look = (): void => {
    const nowMs = performance.now();
    [begun, lookedMs] = [0, nowMs];
    let waiting = 0;
    for (const [request, before] of open) {
      const { bytesWritten, writableLength } = request.incoming.socket;
      if (writableLength === 0) {
        if (before !== undefined) open.set(request, undefined);
        continue;
      }
      waiting += writableLength;
      const readBytes = bytesWritten - writableLength;
      const earnedMs = before === undefined ? 0 : (readBytes - before.readBytes) / slowestBytesPerMs;
      const sinceMs = before === undefined ? nowMs : Math.min(nowMs, before.sinceMs + earnedMs);
      open.set(request, { readBytes, sinceMs });
      if (nowMs - sinceMs > pauseMs + writableLength / slowestBytesPerMs) end(request);
    }
    if (waiting > maxBytes) relieve(waiting);
  };
  /** Ends those that are furthest behind, each time of the network that has most, until what waits is within its bound. */
  const relieve = (waiting: number): void => {
    const byNetwork = Map.groupBy(listBehind(), ([request]) => networkOf(request));
    const queues = [...byNetwork.values()].map((requests) => ({ requests, bytes: sumUnread(requests) }));
    for (let left = waiting; left > maxBytes; ) {
      const most = queues.reduce((one, other) => (other.bytes > one.bytes ? other : one));
      const [next] = most.requests.splice(0, 1);
      if (next === undefined) return;
      const { writableLength } = next[0].incoming.socket;
      most.bytes -= writableLength;
      left -= writableLength;
      end(next[0]);
    }
  };
  /** Requests whose answers wait, those that are furthest behind first. */
  const listBehind = (): (readonly [RequestAtWork, Reading])[] =>
    [...open]
      .flatMap(([request, reading]) =>
        reading === undefined || request.incoming.socket.writableLength === 0 ? [] : [[request, reading] as const],
      )
      .toSorted(([, one], [, other]) => one.sinceMs - other.sinceMs);
  const sweep = (): void => {
    isSet = false;
    look();
    if (open.size > 0) set();
  };
  const set = (): void => {
    isSet = true;
    setTimeout(sweep, Math.min(lookMs, pauseMs / 3)).unref();
  };
  return {
    begin(request) {
      begun += 1;
      if (begun >= lookAfter.requests && performance.now() - lookedMs >= lookAfter.ms) look();
      open.set(request, undefined);
      if (!isSet) set();
    },
    end: (request) => void open.delete(request),
    endSlowest(network, ofAny) {
      const nowMs = performance.now();
      const behind = listBehind().filter(([, { sinceMs }]) => nowMs - sinceMs >= behindMs);
      const [request] = behind.find(([one]) => networkOf(one) === network) ?? (ofAny ? behind[0] : undefined) ?? [];
      if (request === undefined) return undefined;
      end(request);
      return request.incoming.socket;
    },
  };
}

const sumUnread = (requests: readonly (readonly [RequestAtWork, Reading])[]): number =>
  requests.reduce((sum, [request]) => sum + request.incoming.socket.writableLength, 0);
