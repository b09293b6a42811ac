import { faultOf, unavailable } from './postgres-fault.ts';

/** How often something that failed in passing is tried, and how long the first pause is; each is twice the one before. */
const mostAttempts = 6;
const firstPauseMs = 30;

/**
 * Tries again what failed in passing: nothing of the attempt before may be left, or it must do no harm twice.
 *
 * @param attempt - is given its number, from 1
 */
export async function again<Result>(attempt: (number: number) => Promise<Result>): Promise<Result> {
  for (let number = 1; ; number += 1) {
    try {
      return await attempt(number);
    } catch (error) {
      if (faultOf(error) !== 'passing' || number === mostAttempts) throw unavailable(error);
      await new Promise((resolve) => setTimeout(resolve, firstPauseMs * 2 ** (number - 1)));
    }
  }
}
