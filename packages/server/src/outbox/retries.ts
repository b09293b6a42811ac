import type { Delivered, Tried } from '../drivers/delivery.ts';

/**
 * How often one message is handed over that did not arrive, or of which nobody knows whether it did (P5), and how long before
 * it is tried again. The others to its user wait as long (P9).
 */
const pausesMs = [1_000, 5_000, 25_000];

/** A channel that asks for more time than this gets no further try. */
const longestPauseMs = 60_000;

/**
 * How long a message waits for its next try.
 *
 * @param tried - what came of the last one; `undefined` when nobody knows whether the message arrived
 * @param attempts - how many there were
 * @returns milliseconds; `undefined` for a message that gets no further try
 */
export function pauseBehind(tried: Tried | undefined, attempts: number): number | undefined {
  const pauseMs = pausesMs[attempts - 1];
  if (pauseMs === undefined || tried?.kind === 'sent' || tried?.kind === 'refused') return undefined;
  const askedMs = tried?.retryAfterMs ?? 0;
  return askedMs > longestPauseMs ? undefined : Math.max(pauseMs, askedMs);
}

/** What is said of a message that is not tried again. */
export function inTheEnd(tried: Tried | undefined, attempts: number): Delivered {
  if (tried === undefined)
    return { kind: 'refused', cause: 'OUTCOME_UNKNOWN', message: `After ${attempts} attempts nobody knows whether the message arrived` };
  return tried.kind === 'later' ? { kind: 'refused', cause: tried.cause, message: tried.message } : tried;
}
