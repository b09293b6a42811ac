import { type Backoff, retryWithBackoff } from '@hilo/engine/contract';
import { faultOf, unavailable } from './postgres-fault.ts';

const mostAttempts = 6;
const backoff: Backoff = { firstMs: 30, longestMs: 1_000 };

/** No retry once so much time has passed; the error goes to the caller (P13, P26). */
const longestMs = 5_000;

/** Node's own timer. */
const clock = { setTimeout: (callback: () => void, delayMs: number) => setTimeout(callback, delayMs) };

/** Retries transient failures: an attempt must leave nothing behind when it fails, or be idempotent. */
export function retry<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const beganMs = performance.now();
  const onFailure = (error: unknown, number: number): void => {
    const isOver = number === mostAttempts || performance.now() - beganMs >= longestMs;
    if (faultOf(error) !== 'passing' || isOver) throw unavailable(error);
  };
  return retryWithBackoff(attempt, { backoff, clock, onFailure });
}
