import { type Backoff, backoffMs } from '@hilo/engine/contract';
import type { Tried } from './messages.ts';

/** The pauses between the tries of a message that did not arrive, or whose outcome is unknown (P5): 1, 5 and 25 s. */
const backoff: Backoff = { firstMs: 1_000, factor: 5, longestMs: 25_000 };

/** Other messages to the same user wait meanwhile (P9). */
const maxTries = 4;

/** A message is not tried again when its channel asks for a longer pause. */
const longestPauseMs = 60_000;

/** The pause of a message that got no turn at a busy channel. */
const busyPauseMs = 5_000;

/** How long a message waits for its next try, and how many tries it then has behind it. */
export interface NextTry {
  readonly pauseMs: number;
  readonly attempts: number;
}

/**
 * When a message is tried again.
 *
 * @param tried - the outcome of the last try; `undefined` when it failed without one, so that it is unknown whether the message arrived
 * @param attempts - the number of tries so far
 * @param jitter - from [0, 1): the share of the pause to wait, so that messages are not all retried at once (P24)
 * @returns `undefined` when there is no further try
 */
export function nextTry(tried: Tried | undefined, attempts: number, jitter: number): NextTry | undefined {
  if (tried?.kind === 'sent' || tried?.kind === 'refused') return undefined;
  // Not tried at all: a burst must not fail accepted messages (P22).
  if (tried?.cause === 'DESTINATION_BUSY') return { pauseMs: busyPauseMs, attempts: attempts - 1 };
  const askedMs = tried?.kind === 'later' ? (tried.retryAfterMs ?? 0) : 0;
  if (attempts >= maxTries || askedMs > longestPauseMs) return undefined;
  return { pauseMs: Math.max(Math.ceil(backoffMs(backoff, attempts, jitter)), askedMs), attempts };
}

/** The outcome of a message that is not tried again. One that is still unknown says why. */
export function finalOutcome(tried: Tried | undefined, attempts: number): Exclude<Tried, { readonly kind: 'later' | 'unknown' }> {
  if (tried !== undefined && tried.kind !== 'unknown')
    return tried.kind === 'later' ? { kind: 'refused', cause: tried.cause, message: tried.message } : tried;
  const reason = tried === undefined ? '' : `: ${tried.message}`;
  return {
    kind: 'refused',
    cause: 'OUTCOME_UNKNOWN',
    message: `After ${attempts} attempts it is unknown whether the message arrived${reason}`,
  };
}
