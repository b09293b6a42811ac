import type { Engine } from '@hilo/engine';
import type { Clock } from '@hilo/engine/contract';
import { httpLimits } from './limits.ts';
import { unavailable } from './refusal.ts';

/** A request that is being read or committed. */
export interface Entry {
  /**
   * Counts bytes of its body, before they are kept.
   *
   * @throws {Refusal} 503 when all requests together hold too many
   */
  take(bytes: number): void;
  /** Gives its place back. Only the first call counts. */
  leave(): void;
}

/** Keeps the work at hand within bounds: what is over them is refused before anything is written (P22). */
export interface Admission {
  /** @throws {Refusal} 503 when there is no place, or the service stops */
  enter(): Entry;
  /** Whether only the reserved share is left: then nothing new is started, and what goes on is still taken. */
  isBusy(): boolean;
  /** A place among those who wait for the end of an execution, given back by calling what is returned; `undefined` without one. */
  holdForFinish(): (() => void) | undefined;
}

type Bounds = Pick<
  typeof httpLimits,
  'requestsInProgress' | 'bytesInProgress' | 'reservedShare' | 'requestsAwaitingFinish' | 'lanesAtWork'
>;

interface Surroundings {
  readonly engine: Pick<Engine, 'activity'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly isAccepting: () => boolean;
}

/** How long a look at the engine's lanes serves: it goes through all of them. */
const lookMs = 100;

export function createAdmission(
  { engine, clock, isAccepting }: Surroundings,
  bounds: { readonly [Name in keyof Bounds]: number } = httpLimits,
): Admission {
  const share = 1 - bounds.reservedShare;
  let requests = 0;
  let bytes = 0;
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
    enter() {
      if (!isAccepting()) throw unavailable('The service is stopping; send this again to the one that follows', 5);
      if (requests >= bounds.requestsInProgress) throw unavailable('Too many requests are in progress; send this again in a moment');
      let held = 0;
      let isIn = true;
      requests += 1;
      return {
        take(more) {
          if (bytes + more > bounds.bytesInProgress)
            throw unavailable('The requests in progress are too large together; send this again in a moment');
          held += more;
          bytes += more;
        },
        leave() {
          if (!isIn) return;
          isIn = false;
          requests -= 1;
          bytes -= held;
        },
      };
    },
    isBusy: () =>
      requests > bounds.requestsInProgress * share || bytes > bounds.bytesInProgress * share || lanesAtWork() > bounds.lanesAtWork,
    holdForFinish() {
      if (awaiting >= bounds.requestsAwaitingFinish) return undefined;
      awaiting += 1;
      return () => {
        awaiting -= 1;
      };
    },
  };
}
