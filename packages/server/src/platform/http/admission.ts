import { createPool, type Pool } from '@hilo/drivers';
import type { Engine } from '@hilo/engine';
import type { Clock } from '@hilo/engine/contract';
import { httpLimits } from './limits.ts';
import { unavailable } from './errors.ts';
import { createAnonymousSlots } from './anonymous-slots.ts';

/** Who sends a request, and what is known of it before its body is read. */
export type Caller =
  | {
      /** `new`: something new. `unknown`: new or not, as the body says. `known`: it goes on with what is there. */
      readonly kind: 'new' | 'unknown' | 'known';
      /** The company: none takes the places of all others (P23). */
      readonly holder: string;
    }
  /** It has no credential, or one that is judged with the body. */
  | { readonly kind: 'nobody' };

/** A request that is being read or committed. */
export interface Entry {
  /**
   * Counts bytes of its body as they come.
   *
   * @throws {HttpError} 503 when requests together hold too many
   */
  take(bytes: number): void;
  /** Whether something new may be started: not from the reserved share, nor while the engine has its hands full. */
  mayStart(): boolean;
  /** Gives its place back. Only the first call counts. */
  leave(): void;
  /** Rejects with the refusal when another takes its place; not there where none may. */
  readonly evicted?: Promise<never>;
}

/** Keeps the work at hand within bounds: what is over them is refused before anything is written (P22). */
export interface Admission {
  /** @throws {HttpError} 503 when there is no place, or the service stops */
  enter(caller: Caller): Entry;
  /** A place among those who wait for the end of an execution, given back by calling what is returned; `undefined` without one. */
  holdForFinish(): (() => void) | undefined;
}

type BoundName =
  | 'requestsInProgress'
  | 'bytesInProgress'
  | 'reservedShare'
  | 'holderShare'
  | 'requestsOfNobody'
  | 'bytesOfNobody'
  | 'requestsAwaitingFinish'
  | 'lanesAtWork';

interface Surroundings {
  readonly engine: Pick<Engine, 'activity'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly isAccepting: () => boolean;
}

/** How long a look at the engine's lanes serves: it goes through all of them. */
const lookMs = 100;

export function createAdmission(
  { engine, clock, isAccepting }: Surroundings,
  bounds: { readonly [Name in BoundName]: number } = httpLimits,
): Admission {
  type RequestPool = Pool<'requests' | 'bytes'>;
  const poolOf = (part: number): RequestPool =>
    createPool({ requests: bounds.requestsInProgress * part, bytes: bounds.bytesInProgress * part }, bounds.holderShare);
  const open = poolOf(1 - bounds.reservedShare);
  // What may yet turn out to be a start has a reserve of its own: bodies that never come leave the other one free.
  const [unknown, known] = [poolOf(bounds.reservedShare / 2), poolOf(bounds.reservedShare / 2)];
  const anonymousSlots = createAnonymousSlots({ requests: bounds.requestsOfNobody, bytes: bounds.bytesOfNobody });
  /** Where a request looks for a place, one after the other. */
  const pools = { new: [open], unknown: [open, unknown], known: [open, known] } as const;
  let awaiting = 0;
  let looked = { atMs: Number.NEGATIVE_INFINITY, lanes: 0 };

  const lanesAtWork = (): number => {
    const atMs = clock.now();
    if (Math.abs(atMs - looked.atMs) >= lookMs) {
      const { working, blocked } = engine.activity();
      looked = { atMs, lanes: working + blocked };
    }
    return looked.lanes;
  };

  return {
    enter(caller) {
      if (!isAccepting()) throw unavailable('The service is stopping; send this again to the one that follows', 5);
      if (caller.kind === 'nobody') return { ...anonymousSlots.enter(), mayStart: () => false };
      const { kind, holder } = caller;
      const places: readonly RequestPool[] = pools[kind];
      let held = { requests: 1, bytes: 0 };
      let pool = places.find((candidate) => candidate.take(holder, held));
      if (pool === undefined) throw unavailable('Too many requests are in progress; send this again in a moment');
      return {
        take(bytes) {
          if (pool === undefined) return;
          const all = { requests: 1, bytes: held.bytes + bytes };
          if (!pool.take(holder, { bytes })) {
            const current = pool;
            const next = places.find((candidate) => candidate !== current && candidate.take(holder, all));
            if (next === undefined) throw unavailable('The requests in progress are too large together; send this again in a moment');
            pool.give(holder, held);
            pool = next;
          }
          held = all;
        },
        mayStart: () => pool === open && lanesAtWork() <= bounds.lanesAtWork,
        leave() {
          pool?.give(holder, held);
          pool = undefined;
        },
      };
    },
    holdForFinish() {
      if (awaiting >= bounds.requestsAwaitingFinish) return undefined;
      awaiting += 1;
      return () => {
        awaiting -= 1;
      };
    },
  };
}
