import type { Clock } from '../contract/clock.ts';
import { HiloError } from '../contract/errors.ts';
import { isWithin } from '../contract/within.ts';
import { systemTurn } from '../node.ts';

/** The recoveries that are under way. Their work takes turns, between which the event loop continues (P20). */
export interface Recoveries {
  /** Whether one is under way. */
  isUnderWay(): boolean;
  /** Counts a recovery as under way until this promise settles. */
  follow(recovery: Promise<unknown>): void;
  /** Calls on lanes wait for this promise, whose settling says that unfinished work is known and comes first. */
  holdCalls(listed: Promise<unknown>): void;
  /**
   * What calls on lanes wait for; `undefined` when nothing is listed.
   *
   * @throws {HiloError} `STORE_UNAVAILABLE` when it takes longer than callers wait
   */
  whenListed(): Promise<void> | undefined;
  /** Resolves when none is under way. */
  whenDone(): Promise<void>;
  /**
   * Waits for the turn of a piece of synchronous work: the one before it is over, and the event loop has continued when that took long.
   *
   * @returns `undefined` when no recovery is under way
   */
  turn(): Promise<void> | undefined;
}

/** How long calls wait until unfinished work is known: about as long as their callers wait for an answer. */
const longestWaitMs = 10_000;

/** Work of recoveries after which the event loop continues. */
const longestTurnMs = 8;

export function createRecoveries(clock: Clock): Recoveries {
  const underWay = new Set<Promise<unknown>>();
  let listing: Promise<void> | undefined;
  let latest = Promise.resolve();
  let sinceMs = Number.NEGATIVE_INFINITY;

  const pauseWhenLong = (): Promise<void> | undefined =>
    isWithin(sinceMs, longestTurnMs, clock.now())
      ? undefined
      : new Promise((resolve) => {
          const goOn = (): void => {
            sinceMs = clock.now();
            resolve();
          };
          clock.setTimeout(goOn, 0);
          systemTurn(goOn); // a clock that stands still has turns of the event loop, too
        });

  const forget = (recovery: Promise<unknown>) => (): void => void underWay.delete(recovery);

  return {
    isUnderWay: () => underWay.size > 0,
    follow(recovery) {
      underWay.add(recovery);
      recovery.then(forget(recovery), forget(recovery));
    },
    holdCalls(listed) {
      const held: Promise<void> = listed.then(
        () => undefined,
        () => undefined,
      );
      listing = held.finally(() => (listing = undefined));
    },
    whenListed: () => (listing === undefined ? undefined : atMost(clock, longestWaitMs, listing)),
    async whenDone() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
    turn() {
      if (underWay.size === 0) return undefined;
      latest = latest.then(pauseWhenLong);
      return latest;
    },
  };
}

/** @throws {HiloError} `STORE_UNAVAILABLE` after this time */
async function atMost(clock: Clock, limitMs: number, waiting: Promise<void>): Promise<void> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const reason = 'The engine has just started, and still looks for what an earlier process left unfinished';
  const timer = clock.setTimeout(() => reject(new HiloError('STORE_UNAVAILABLE', { reason })), limitMs);
  await Promise.race([waiting, tooLate]).finally(() => clock.clearTimeout(timer));
}
