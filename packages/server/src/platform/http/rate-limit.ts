import type { MiddlewareHandler } from 'hono';
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { HttpEnv } from './context.ts';
import { HttpError } from './errors.ts';

/** Requests a second for each credential (LIM-09), each process on its own. */
export interface RateLimit {
  /** @throws {HttpError} 429 with `Retry-After` */
  consume(credential: string): Promise<void>;
}

/** A second's worth of requests may come on top, once in ten seconds. */
const burstS = 10;

/** Limits in memory; a burst may add one second of requests every ten seconds. */
export function createRateLimit(requestsASecond: number): RateLimit {
  const limiter = new BurstyRateLimiter(
    new RateLimiterMemory({ points: requestsASecond, duration: 1 }),
    new RateLimiterMemory({ keyPrefix: 'burst', points: requestsASecond, duration: burstS }),
  );
  return {
    async consume(credential) {
      try {
        await limiter.consume(credential);
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        const retryAfterS = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
        throw new HttpError(
          429,
          'TOO_MANY_REQUESTS',
          `More than ${requestsASecond} requests a second; send this again in ${retryAfterS} s`,
          {
            headers: { 'retry-after': String(retryAfterS) },
          },
        );
      }
    },
  };
}

/** Counts a request of an authenticated credential. */
export const limitRate =
  (rateLimit: RateLimit | undefined): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    if (rateLimit !== undefined) await rateLimit.consume(c.get('credential'));
    return next();
  };
