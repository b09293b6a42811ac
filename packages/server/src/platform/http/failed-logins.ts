import type { Clock } from '@hilo/engine/contract';
import { LRUCache } from 'lru-cache';
import { HttpError } from './errors.ts';
import { findNetwork } from './socket-address.ts';
import { pause } from '../waiting.ts';

/**
 * Makes guessing slow (T2). Our own, and not a limiter from a library: those read the machine's clock, this one the service's,
 * which tests turn.
 */
export interface FailedLogins {
  /**
   * Checks a credential that may be a guess, and counts it before the check, so that concurrent guesses are as slow as sequential ones.
   * The first ten failures of a minute are not delayed; each further guess from that address, or from its IPv6 network, waits for its
   * own delay, whether it is right or wrong.
   *
   * @param address - the caller's address; without one there is no delay
   * @throws {HttpError} 429 without a check, when the delay would exceed 10 s
   */
  attempt(address: string | undefined, name: string, isRight: () => boolean): Promise<boolean>;
  /**
   * Counts a failure that was checked elsewhere; resolves when its answer may be sent.
   *
   * @param address - the caller's address; without one the failure is not counted
   */
  count(address: string | undefined, name: string): Promise<void>;
}

const freeFailures = 10;
const forgetAfterMs = 60_000;
const delayStepMs = 250;
const longestDelayMs = 2_000;
const longestTurnMs = 10_000;
/** Bounds the memory used by guesses under ever new names. */
const maxNames = 10_000;

interface Failures {
  sinceMs: number;
  count: number;
  /** When the last guess that waits is judged. */
  turnMs: number;
}

/** Counts failures in this process, for at most 10,000 pairs of address and name. */
export function createFailedLogins(clock: Clock): FailedLogins {
  const failures = new LRUCache<string, Failures>({ max: maxNames });

  /** The failures of an address and a name, with one more. */
  const countOne = (guesser: string): Failures => {
    const nowMs = clock.now();
    const known = failures.get(guesser);
    const isFresh = known !== undefined && nowMs - known.sinceMs < forgetAfterMs;
    const now = isFresh ? known : { sinceMs: nowMs, count: 0, turnMs: known?.turnMs ?? nowMs };
    now.count += 1;
    failures.set(guesser, now);
    return now;
  };
  const computeDelayMs = ({ count }: Failures): number => Math.max(0, Math.min((count - freeFailures) * delayStepMs, longestDelayMs));
  const wait = async (delayMs: number): Promise<void> => {
    if (delayMs > 0) await pause(clock, delayMs);
  };

  return {
    async attempt(address, name, isRight) {
      if (address === undefined) return isRight();
      const guesser = `${findNetwork(address)} ${name}`;
      const known = countOne(guesser);
      const takeBack = (): void => {
        known.count -= 1;
        if (known.count === 0 && failures.get(guesser) === known) failures.delete(guesser);
      };
      const delayMs = computeDelayMs(known);
      const turnMs = Math.max(known.turnMs, clock.now()) + delayMs;
      const waitMs = delayMs === 0 ? 0 : turnMs - clock.now();
      if (waitMs > longestTurnMs) {
        takeBack();
        throw new HttpError(429, 'TOO_MANY_REQUESTS', 'Too many wrong credentials came from this address; send this again in a moment', {
          headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
        });
      }
      if (delayMs > 0) known.turnMs = turnMs;
      if (waitMs > 0) await wait(waitMs); // without a delay the guess is judged in this turn, so that right ones never add up
      const isLetIn = isRight();
      if (isLetIn) takeBack();
      return isLetIn;
    },
    async count(address, name) {
      if (address !== undefined) await wait(computeDelayMs(countOne(`${findNetwork(address)} ${name}`)));
    },
  };
}
