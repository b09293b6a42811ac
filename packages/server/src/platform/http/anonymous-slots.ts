import type { Amounts } from '@hilo/drivers';
import { type HttpError, unavailable } from './errors.ts';

/** A request without an authenticated caller, while its body is received. */
export interface AnonymousSlot {
  /** @throws {HttpError} 503 once it was sent away, or when it alone is too large */
  take(bytes: number): void;
  leave(): void;
  /** Rejects when it is sent away. */
  readonly evicted: Promise<never>;
}

/** Requests without a credential, apart from all others (P27). */
export interface AnonymousSlots {
  enter(): AnonymousSlot;
}

/**
 * When full, evicts the oldest unauthenticated request, so that slow bodies cannot block others (P22).
 */
export function createAnonymousSlots(size: Amounts<'requests' | 'bytes'>): AnonymousSlots {
  const here = new Map<symbol, { bytes: number; readonly send: (away: HttpError) => void }>();
  let bytesHere = 0;

  const leave = (id: symbol): void => {
    bytesHere -= here.get(id)?.bytes ?? 0;
    here.delete(id);
  };
  const sendOldestAway = (): void => {
    const [oldest] = here;
    if (oldest === undefined) return;
    leave(oldest[0]);
    oldest[1].send(noRoom());
  };

  return {
    enter() {
      const { promise: evicted, reject: send } = Promise.withResolvers<never>();
      evicted.catch(() => {}); // it may leave before anybody listens
      const id = Symbol();
      if (here.size >= size.requests) sendOldestAway();
      const own = { bytes: 0, send };
      here.set(id, own);
      return {
        take(bytes) {
          while (here.has(id) && bytesHere + bytes > size.bytes) sendOldestAway();
          if (!here.has(id)) throw noRoom();
          own.bytes += bytes;
          bytesHere += bytes;
        },
        leave: () => leave(id),
        evicted,
      };
    },
  };
}

const noRoom = (): HttpError => unavailable('Too many requests are in progress, and this one took longest; send it again at once');
