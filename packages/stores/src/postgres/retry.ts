import { faultOf, unavailable } from './postgres-fault.ts';

/** The most attempts, and the first pause; each pause is twice the one before. */
const mostAttempts = 6;
const firstPauseMs = 30;

/** No retry once so much time has passed; the error goes to the caller (P13, P26). */
const longestMs = 5_000;

/** Retries transient failures with doubled pauses: an attempt must leave nothing behind when it fails, or be idempotent. */
export async function retry<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const beganMs = performance.now();
  for (let number = 1; ; number += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isOver = number === mostAttempts || performance.now() - beganMs >= longestMs;
      if (faultOf(error) !== 'passing' || isOver) throw unavailable(error);
      await new Promise((resolve) => setTimeout(resolve, firstPauseMs * 2 ** (number - 1)));
    }
  }
}
