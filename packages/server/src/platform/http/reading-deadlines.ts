// Ends the connections of callers who do not read their answers: each would hold a place, and its answer, for as long as it likes.
import type { RequestAtWork } from './body-deadlines.ts';

/** Bounds how long the bytes of answers wait for callers to read them. */
export interface ReadingDeadlines {
  begin(request: RequestAtWork): void;
  /** The request is over. */
  end(request: RequestAtWork): void;
}

/** How far a caller has read when it was looked at, and since when it has not read on. */
interface Reading {
  readBytes: number;
  sinceMs: number;
}

/** Callers take each piece of an answer at this rate at least, or seem to have stopped: slower than any telephone network. */
const slowestBytesPerMs = 4;

/**
 * Looks at the requests in progress now and then: a timer for each would be set and cleared with every request. A caller that reads at the
 * slowest rate, or for whom nothing is written yet, is left alone.
 *
 * @param pauseMs - how long a caller may read nothing, in addition to what a piece takes at the slowest rate
 * @param cut - called for each request whose caller has stopped
 */
export function createReadingDeadlines(pauseMs: number, cut: (request: RequestAtWork) => void): ReadingDeadlines {
  const open = new Map<RequestAtWork, Reading | undefined>();
  let isSet = false;

  const look = (): void => {
    const nowMs = performance.now();
    for (const [request, before] of open) {
      const { bytesWritten, writableLength } = request.incoming.socket;
      const readBytes = bytesWritten - writableLength;
      if (writableLength === 0 || before === undefined || before.readBytes !== readBytes)
        open.set(request, writableLength === 0 ? undefined : { readBytes, sinceMs: nowMs });
      else if (nowMs - before.sinceMs > pauseMs + writableLength / slowestBytesPerMs) {
        open.delete(request);
        cut(request);
      }
    }
  };
  const sweep = (): void => {
    isSet = false;
    look();
    if (open.size > 0) set();
  };
  const set = (): void => {
    isSet = true;
    setTimeout(sweep, pauseMs / 3).unref();
  };
  return {
    begin(request) {
      open.set(request, undefined);
      if (!isSet) set();
    },
    end: (request) => void open.delete(request),
  };
}
