import { type Amounts, createPool, type Pool } from '@hilo/drivers';
import type { Engine } from '@hilo/engine';
import type { Clock } from '@hilo/engine/contract';
import { type HttpError, tooBusy, unavailable } from './errors.ts';
import { httpLimits } from './limits.ts';
import { findNetwork } from './socket-address.ts';

/** The sender of a request, as known before its body is read. */
export type Caller =
  | {
      /** `new`: starts something. `unknown`: the body decides. `known`: continues something that exists. */
      readonly kind: 'new' | 'unknown' | 'known';
      /** The company: one company never takes all places of the others (P23). */
      readonly holder: string;
    }
  /** Without a credential, or with one that only the body can prove. One address never takes all places of the others. */
  | { readonly kind: 'anonymous'; readonly address: string | undefined };

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
  const enterAnonymous = createAnonymousSlots({ requests: bounds.anonymousRequests, bytes: bounds.anonymousBytes }, holderShare);
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

  const mayStartMore = (): boolean => lanesAtWork() <= bounds.lanesAtWork;

  return {
    enter(caller) {
      if (!isAccepting()) throw unavailable('The service is stopping; send this again to the one that follows', 5);
      if (caller.kind === 'anonymous') return { ...enterAnonymous(caller.address), mayStart: () => false };
      return new AdmittedRequest(caller, { all, starts }, mayStartMore);
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

/** What requests that are admitted share: places for all, and fewer for those that start something. */
interface Places {
  readonly all: Pool<'requests' | 'bytes'>;
  readonly starts: Pool<'requests' | 'bytes'>;
}

/** The request of a company, with its places. */
class AdmittedRequest implements Entry {
  readonly #kind: 'new' | 'unknown' | 'known';
  readonly #holder: string;
  /** A company's starts leave room for its continuations. */
  readonly #kindAndHolder: string;
  readonly #places: Places;
  readonly #mayStartMore: () => boolean;
  #bytes = 0;
  #isHere: boolean;
  #isStart: boolean;

  /** @throws {HttpError} 503 when there is no place */
  constructor({ kind, holder }: Exclude<Caller, { readonly kind: 'anonymous' }>, places: Places, mayStartMore: () => boolean) {
    this.#kind = kind;
    this.#holder = holder;
    this.#kindAndHolder = `${kind} ${holder}`;
    this.#places = places;
    this.#mayStartMore = mayStartMore;
    this.#isHere = places.all.take(this.#kindAndHolder, oneRequest);
    this.#isStart = this.#isHere && places.starts.take(holder, oneRequest);
    if (this.#isHere && (kind !== 'new' || this.#isStart)) return;
    this.leave();
    throw tooBusy({ name: 'requests', holder }, 'Too many requests are in progress; send this again in a moment');
  }

  take(bytes: number): void {
    if (!this.#isHere) return;
    const { all, starts } = this.#places;
    if (this.#isStart && !starts.take(this.#holder, { bytes })) {
      if (this.#kind === 'new') throw tooLargeTogether(this.#holder);
      starts.give(this.#holder, this.#held()); // it may still continue something
      this.#isStart = false;
    }
    if (!all.take(this.#kindAndHolder, { bytes })) {
      if (this.#isStart) starts.give(this.#holder, { bytes });
      throw tooLargeTogether(this.#holder);
    }
    this.#bytes += bytes;
  }

  mayStart(): boolean {
    return this.#isStart && this.#mayStartMore();
  }

  leave(): void {
    if (this.#isHere) this.#places.all.give(this.#kindAndHolder, this.#held());
    if (this.#isStart) this.#places.starts.give(this.#holder, this.#held());
    this.#isHere = this.#isStart = false;
  }

  #held(): Slots {
    return { requests: 1, bytes: this.#bytes };
  }
}

const oneRequest = { requests: 1 };

const onePlace = { places: 1 };

const tooLargeTogether = (holder: string) =>
  tooBusy({ name: 'request-bytes', holder }, 'The requests in progress are too large together; send this again in a moment');

type Slots = Amounts<'requests' | 'bytes'>;

/** A request without a credential. */
interface Anonymous {
  /** Who shares with others; one whose address is not known shares as a network of its own. */
  readonly network: string;
  bytes: number;
  readonly reject: (refusal: HttpError) => void;
}

/**
 * Admits requests without a credential, apart from all others (P27). When there is no room, evicts the oldest request: of this network,
 * where it would have more than its share, else of the network that has most. So slow bodies cannot block others (P22), and one network
 * blocks itself. The `take` of an evicted request throws from then on.
 */
function createAnonymousSlots(size: Slots, share: number): (address: string | undefined) => Pick<Entry, 'take' | 'leave' | 'evicted'> {
  const here = new Set<Anonymous>();
  const pool = createPool(size, share);
  let unnamed = 0;

  const leave = (one: Anonymous): void => {
    if (here.delete(one)) pool.give(one.network, { requests: 1, bytes: one.bytes });
  };
  const takeEvicting = (network: string, thing: keyof Slots, amount: number, isHere: () => boolean): void => {
    while (isHere() && !pool.take(network, { [thing]: amount })) {
      const victim = findVictim(here, thing, (held) => ((held.get(network) ?? 0) + amount > size[thing] * share ? network : undefined));
      if (victim === undefined) throw noRoom(network);
      leave(victim);
      victim.reject(noRoom(victim.network));
    }
    if (!isHere()) throw noRoom(network);
  };

  return (address) => {
    const { promise: evicted, reject } = Promise.withResolvers<never>();
    evicted.catch(() => {}); // it may be evicted before a handler is attached
    const network = address === undefined ? `unknown ${(unnamed += 1)}` : findNetwork(address);
    const own: Anonymous = { network, bytes: 0, reject };
    takeEvicting(network, 'requests', 1, () => true);
    here.add(own);
    return {
      take(bytes) {
        takeEvicting(network, 'bytes', bytes, () => here.has(own));
        own.bytes += bytes;
      },
      leave: () => leave(own),
      evicted,
    };
  };
}

/**
 * The oldest request of a network.
 *
 * @param choose - the network, by what each has; `undefined` for the one that has most
 */
function findVictim(
  here: ReadonlySet<Anonymous>,
  thing: keyof Slots,
  choose: (held: ReadonlyMap<string, number>) => string | undefined,
): Anonymous | undefined {
  const held = new Map<string, number>();
  for (const { network, bytes } of here) held.set(network, (held.get(network) ?? 0) + (thing === 'bytes' ? bytes : 1));
  const most = Math.max(...held.values());
  const chosen = choose(held);
  return [...here].find(({ network }) => (chosen === undefined ? held.get(network) === most : network === chosen));
}

const noRoom = (holder: string): HttpError =>
  tooBusy({ name: 'anonymous-requests', holder }, 'Too many requests are in progress, and this one took longest; send it again at once');
