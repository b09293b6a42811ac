// Bounds how long the bodies of requests take to come: the whole of one, or what its caller keeps us waiting where it is read as it comes.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request on Node's own server that awaits its answer. */
export interface RequestAtWork {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Bounds how long bodies take to come whole. */
export interface BodyDeadlines {
  begin(request: RequestAtWork): void;
  /** The request is over, or its body is of no interest any more. */
  end(request: RequestAtWork): void;
}

/** How a body that is read as it comes is waited for. */
export interface BodyWait {
  /** The next piece is asked for. */
  begin(): void;
  /** It has come. */
  end(bytes: number): void;
}

/** How long callers have kept us waiting for bodies that are read as they come: those may take hours, if they come as they are asked for. */
const waits = new WeakMap<IncomingMessage, () => number>();

/** A body that is read as it comes has this rate at least while it is waited for, on the whole. */
const slowestBytesPerMs = 1;

/** Counts, from now on, only the time for which the body of a request is waited for: what is done with its pieces is not its caller's time. */
export function countWait(incoming: IncomingMessage): BodyWait {
  let waitedMs = 0;
  let sinceMs: number | undefined;
  const wait = (): number => (sinceMs === undefined ? waitedMs : waitedMs + performance.now() - sinceMs);
  waits.set(incoming, wait);
  return {
    begin: () => void (sinceMs = performance.now()),
    end(bytes) {
      waitedMs = Math.max(0, wait() - bytes / slowestBytesPerMs);
      sinceMs = undefined;
    },
  };
}

/**
 * All requests have the same time, so the one that began first is due first: one timer serves all of them, and is set again only when it
 * fires. A timer for each would be set and cleared with every request. One whose body is read as it comes has that time again and again, as
 * long as its caller did not keep us waiting for so long.
 *
 * @param cut - called for each request that has not ended within the limit
 */
export function createBodyDeadlines(limitMs: number, cut: (request: RequestAtWork) => void): BodyDeadlines {
  const dueMs = new Map<RequestAtWork, number>(); // in the order in which they began
  let isSet = false;

  const sweep = (): void => {
    isSet = false;
    const nowMs = performance.now();
    for (const [request, atMs] of dueMs) {
      if (atMs > nowMs) return set(atMs - nowMs);
      dueMs.delete(request);
      if ((waits.get(request.incoming)?.() ?? limitMs) >= limitMs) cut(request);
      else dueMs.set(request, nowMs + limitMs); // the last again: the others began before now
    }
  };
  const set = (afterMs: number): void => {
    isSet = true;
    setTimeout(sweep, Math.ceil(afterMs)).unref();
  };
  return {
    begin(request) {
      dueMs.set(request, performance.now() + limitMs);
      if (!isSet) set(limitMs);
    },
    end: (request) => void dueMs.delete(request),
  };
}
