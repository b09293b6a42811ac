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

/**
 * All requests have the same time, so the one that began first is due first: one timer serves all of them, and is set again only when it
 * fires. A timer for each would be set and cleared with every request.
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
      cut(request);
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
