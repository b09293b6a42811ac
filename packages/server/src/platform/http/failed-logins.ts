import { type Clock, isWithin } from '@hilo/engine/contract';
import { createBoundedMap } from '../bounded-map.ts';
import { tooMany } from './errors.ts';
import { findNetwork } from './socket-address.ts';
import { pause } from '../waiting.ts';

/**
 * Makes guessing slow (T2). Our own, and not a limiter from a library: those read the machine's clock, this one the service's,
 * which tests turn.
 */
export interface FailedLogins {
  /**
   * Checks a credential of 16 characters or more: no number of guesses finds one. A right one is let in at once, whoever guesses from its
   * address, which behind a proxy may be everybody's. Refusals are delayed from the eleventh of a minute on, concurrent ones one after the
   * other.
   *
   * @param address - the caller's address; without one there is no delay
   * @returns when its answer may be sent
   * @throws {HttpError} 429 for a wrong one whose delay would exceed 10 s
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
  /** When the last refusal that waits is sent. */
  turnMs: number;
}

/** Counts failures in this process, for at most 10,000 pairs of address and name. */
export function createFailedLogins(clock: Clock): FailedLogins {
  const failures = createBoundedMap<Failures>(maxNames);

  /** The failures of an address and a name, with one more. */
  const countOne = (guesser: string): Failures => {
    const nowMs = clock.now();
    const known = failures.get(guesser);
    const isFresh = known !== undefined && isWithin(known.sinceMs, forgetAfterMs, nowMs);
    const now = isFresh ? known : { sinceMs: nowMs, count: 0, turnMs: Math.min(known?.turnMs ?? nowMs, nowMs + longestTurnMs) };
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
      if (isRight()) return true;
      if (address === undefined) return false;
      const known = countOne(`${findNetwork(address)} ${name}`);
      const delayMs = computeDelayMs(known);
      if (delayMs === 0) return false;
      const turnMs = Math.max(known.turnMs, clock.now()) + delayMs;
      const waitMs = turnMs - clock.now();
      if (waitMs > longestTurnMs) {
        known.count -= 1;
        const limit = { name: 'failed-logins', holder: findNetwork(address) };
        throw tooMany(limit, 'Too many wrong credentials came from this address; send this again in a moment', Math.ceil(waitMs / 1_000));
      }
      known.turnMs = turnMs;
      await wait(waitMs);
      return false;
    },
    async count(address, name) {
      if (address !== undefined) await wait(computeDelayMs(countOne(`${findNetwork(address)} ${name}`)));
    },
  };
}
