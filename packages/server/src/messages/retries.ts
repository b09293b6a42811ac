import type { Delivered, Tried } from './messages.ts';

/**
 * How often one message is handed over that did not arrive, or of which nobody knows whether it did (P5), and how long at
 * most before it is tried again. The others to its user wait as long (P9).
 */
const pausesMs = [1_000, 5_000, 25_000];

/** A channel that asks for more time than this gets no further try. */
const longestPauseMs = 60_000;

/** How long a message rests whose turn at its channel did not come. */
const busyPauseMs = 5_000;

/** How long a message waits for its next try, and how many tries it then has behind it. */
export interface NextTry {
  readonly pauseMs: number;
  readonly attempts: number;
}

/**
 * When a message is tried again.
 *
 * @param tried - what came of the last try; `undefined` when nobody knows whether the message arrived
 * @param attempts - how many there were
 * @param jitter - drawn from [0, 1): the part of the pause that is waited, so that not all messages come back at once (P24)
 * @returns `undefined` for a message that gets no further try
 */
export function nextTry(tried: Tried | undefined, attempts: number, jitter: number): NextTry | undefined {
  if (tried?.kind === 'sent' || tried?.kind === 'refused') return undefined;
  // Its turn did not come, so that it was not tried: what was accepted does not fail because much came at once (P22).
  if (tried?.cause === 'DESTINATION_BUSY') return { pauseMs: busyPauseMs, attempts: attempts - 1 };
  const longestMs = pausesMs[attempts - 1];
  const askedMs = tried?.retryAfterMs ?? 0;
  if (longestMs === undefined || askedMs > longestPauseMs) return undefined;
  return { pauseMs: Math.max(Math.ceil(longestMs * jitter), askedMs), attempts };
}

/** What is said of a message that is not tried again. */
export function finalOutcome(tried: Tried | undefined, attempts: number): Delivered {
  if (tried === undefined)
    return { kind: 'refused', cause: 'OUTCOME_UNKNOWN', message: `After ${attempts} attempts nobody knows whether the message arrived` };
  return tried.kind === 'later' ? { kind: 'refused', cause: tried.cause, message: tried.message } : tried;
}
