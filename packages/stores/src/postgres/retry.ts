import { faultOf, unavailable } from './postgres-fault.ts';

/** How often something that failed in passing is tried, and how long the first pause is; each is twice the one before. */
const mostAttempts = 6;
const firstPauseMs = 30;

/** What has taken so long already is not tried again: whoever waits for it is told (P13, P26). */
const longestMs = 5_000;

/** Tries again what failed in passing: nothing of the attempt before may be left, or it must do no harm twice. */
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
