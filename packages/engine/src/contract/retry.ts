import type { Clock } from './clock.ts';

/** The pauses between the attempts of one task: each is `factor` times the one before, up to a longest one. */
export interface Backoff {
  readonly firstMs: number;
  /** 2, when left out. */
  readonly factor?: number;
  readonly longestMs: number;
}

/**
 * The pause after an attempt that failed, in milliseconds. Every back-off of Hilo is computed here.
 *
 * @param attempt - the number of the attempt that failed, from 1
 * @param share - the part of the pause to take, from 0 to 1: drawn at random where many fail together, so that they do not return
 *   together (P24); all of it, when left out
 */
export const backoffMs = ({ firstMs, factor = 2, longestMs }: Backoff, attempt: number, share = 1): number =>
  Math.min(firstMs * factor ** (attempt - 1), longestMs) * share;

export interface RetryOptions {
  readonly backoff: Backoff;
  readonly clock: Pick<Clock, 'setTimeout'>;
  /** Called with each failure and the number of its attempt, from 1. What it throws ends the retries, and goes to the caller. */
  readonly onFailure: (error: unknown, attempt: number) => void;
}

/**
 * Repeats a task, with growing pauses, until it succeeds or `onFailure` throws. A failed attempt must leave nothing behind, or be
 * idempotent.
 */
export async function retryWithBackoff<Result>(task: () => Promise<Result>, { backoff, clock, onFailure }: RetryOptions): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await task();
    } catch (error) {
      onFailure(error, attempt);
      await new Promise<void>((resolve) => void clock.setTimeout(resolve, backoffMs(backoff, attempt)));
    }
  }
}
