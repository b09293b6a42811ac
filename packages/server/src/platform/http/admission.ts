import { type Amounts, createPool, type Pool } from '@hilo/drivers';
import type { Engine } from '@hilo/engine';
import type { Clock } from '@hilo/engine/contract';
import { type HttpError, unavailable } from './errors.ts';
import { httpLimits } from './limits.ts';

/** The sender of a request, as known before its body is read. */
export type Caller =
  | {
      /** `new`: starts something. `unknown`: the body decides. `known`: continues something that exists. */
      readonly kind: 'new' | 'unknown' | 'known';
      /** The company: one company never takes all places of the others (P23). */
      readonly holder: string;
    }
  /** Without a credential, or with one that only the body can prove. */
  | { readonly kind: 'anonymous' };

/** A request that is being read or committed. */
export interface Entry {
  /**
   * Counts bytes of its body as they come.
   *
   * @throws {HttpError} 503 when requests together hold too many
   */
  take(bytes: number): void;
  /** Whether something new may be started: not above the lower bound, nor while the engine has too many lanes at work. */
  mayStart(): boolean;
  /** Gives its place back. Only the first call counts. */
  leave(): void;
  /** Rejects with the refusal when the request is evicted; undefined when it cannot be. */
  readonly evicted?: Promise<never>;
}

/** Bounds the requests in progress: those above the bounds are refused before anything is written (P22). */
export interface Admission {
  /** @throws {HttpError} 503 when there is no place, or the service stops */
  enter(caller: Caller): Entry;
  /**
   * Reserves a place for a caller that may wait for the end of an execution.
   *
   * @param holder - the company: one never takes all places of the others (P23)
   * @returns releases it, once; `undefined` when there is none
   */
  holdForFinish(holder: string): (() => void) | undefined;
}

type BoundName =
  | 'requestsInProgress'
  | 'bytesInProgress'
  | 'reservedShare'
  | 'holderShare'
  | 'anonymousRequests'
  | 'anonymousBytes'
  | 'requestsAwaitingFinish'
  | 'lanesAtWork';

interface AdmissionParts {
  readonly engine: Pick<Engine, 'activity'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly isAccepting: () => boolean;
}

/** How long a count of the engine's lanes is reused: it goes through all of them. */
const countMs = 100;

/**
 * Two bounds: one for all requests in progress, and a lower one for those that start something. The difference is reserved for
 * requests that continue something.
 */
export function createAdmission(
  { engine, clock, isAccepting }: AdmissionParts,
  bounds: { readonly [Name in BoundName]: number } = httpLimits,
): Admission {
  const { requestsInProgress, bytesInProgress, reservedShare, holderShare } = bounds;
  const createSharedPool = (part: number, share: number): Pool<'requests' | 'bytes'> =>
    createPool({ requests: requestsInProgress * part, bytes: bytesInProgress * part }, share);
  const starts = createSharedPool(1 - reservedShare, holderShare);
  const all = createSharedPool(1, holderShare * reservedShare); // a share of the reserve, when starts use all that they may
  const enterAnonymous = createAnonymousSlots({ requests: bounds.anonymousRequests, bytes: bounds.anonymousBytes });
  const awaiting = createPool({ places: bounds.requestsAwaitingFinish }, holderShare);
  let counted = { atMs: Number.NEGATIVE_INFINITY, lanes: 0 };

  const lanesAtWork = (): number => {
    const atMs = clock.now();
    if (Math.abs(atMs - counted.atMs) >= countMs) {
      const { working, blocked } = engine.activity();
      counted = { atMs, lanes: working + blocked };
    }
    return counted.lanes;
  };

  return {
    enter(caller) {
      if (!isAccepting()) throw unavailable('The service is stopping; send this again to the one that follows', 5);
      if (caller.kind === 'anonymous') return { ...enterAnonymous(), mayStart: () => false };
      const { kind, holder } = caller;
      const kindAndHolder = `${kind} ${holder}`; // a company's starts leave room for its continuations
      let held = { requests: 1, bytes: 0 };
      let isHere = all.take(kindAndHolder, held);
      let isStart = isHere && starts.take(holder, held);
      const leave = (): void => {
        if (isHere) all.give(kindAndHolder, held);
        if (isStart) starts.give(holder, held);
        isHere = isStart = false;
      };
      if (!isHere || (kind === 'new' && !isStart)) {
        leave();
        throw unavailable('Too many requests are in progress; send this again in a moment');
      }
      return {
        take(bytes) {
          if (!isHere) return;
          if (isStart && !starts.take(holder, { bytes })) {
            if (kind === 'new') throw tooLargeTogether();
            starts.give(holder, held); // it may still continue something
            isStart = false;
          }
          if (!all.take(kindAndHolder, { bytes })) {
            if (isStart) starts.give(holder, { bytes });
            throw tooLargeTogether();
          }
          held = { requests: 1, bytes: held.bytes + bytes };
        },
        mayStart: () => isStart && lanesAtWork() <= bounds.lanesAtWork,
        leave,
      };
    },
    holdForFinish(holder) {
      if (!awaiting.take(holder, onePlace)) return undefined;
      let isHeld = true;
      return () => {
        if (isHeld) awaiting.give(holder, onePlace);
        isHeld = false;
      };
    },
  };
}

const onePlace = { places: 1 };

const tooLargeTogether = () => unavailable('The requests in progress are too large together; send this again in a moment');

/**
 * Admits requests without a credential, apart from all others (P27). When full, evicts the oldest of them, so that slow bodies cannot
 * block others (P22): its `take` throws from then on.
 */
function createAnonymousSlots(size: Amounts<'requests' | 'bytes'>): () => Pick<Entry, 'take' | 'leave' | 'evicted'> {
  const here = new Map<symbol, { bytes: number; readonly reject: (refusal: HttpError) => void }>();
  let bytesHere = 0;

  const leave = (id: symbol): void => {
    bytesHere -= here.get(id)?.bytes ?? 0;
    here.delete(id);
  };
  const evictOldest = (): void => {
    const [oldest] = here;
    if (oldest === undefined) return;
    leave(oldest[0]);
    oldest[1].reject(noRoom());
  };

  return () => {
    const { promise: evicted, reject } = Promise.withResolvers<never>();
    evicted.catch(() => {}); // it may be evicted before a handler is attached
    const id = Symbol();
    if (here.size >= size.requests) evictOldest();
    const own = { bytes: 0, reject };
    here.set(id, own);
    return {
      take(bytes) {
        while (here.has(id) && bytesHere + bytes > size.bytes) evictOldest();
        if (!here.has(id)) throw noRoom();
        own.bytes += bytes;
        bytesHere += bytes;
      },
      leave: () => leave(id),
      evicted,
    };
  };
}

const noRoom = (): HttpError => unavailable('Too many requests are in progress, and this one took longest; send it again at once');
