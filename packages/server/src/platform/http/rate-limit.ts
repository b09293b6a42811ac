import type { MiddlewareHandler } from 'hono';
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { HttpEnv } from './context.ts';
import type { DayCounts } from './day-counts.ts';
import { tooMany } from './errors.ts';
import { findNetwork } from './socket-address.ts';

/** Requests a second for each credential (LIM-09), each process on its own. */
export interface RateLimit {
  /** @throws {HttpError} 429 with `Retry-After` */
  consume(credential: string): Promise<void>;
}

/** A second's worth of requests may come on top, once in ten seconds. */
const burstS = 10;

/** Limits in memory; a burst may add one second of requests every ten seconds. @param name - of the bound, as metrics show it */
export function createRateLimit(requestsASecond: number, name = 'request-rate'): RateLimit {
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
        throw tooMany(
          { name, holder: credential },
          `More than ${requestsASecond} requests a second; send this again in ${retryAfterS} s`,
          retryAfterS,
        );
      }
    },
  };
}

/** What visitors of web chats send, by whichever door they come: anybody may be one. */
export interface VisitorLimit {
  /** @throws {HttpError} 429 with `Retry-After` */
  consume(botId: string, visitorId: string, address: string | undefined): Promise<void>;
  /**
   * Counts a message, which may begin an execution and make a contact.
   *
   * @throws {HttpError} 429 with `Retry-After`, where the anonymous visitors of a network have sent too many in a day
   */
  countMessage(visitorId: string, address: string | undefined): void;
}

/** How much visitors may send, each of them and all anonymous ones of a network together. */
export interface VisitorLimits {
  readonly ofVisitorASecond: number;
  readonly ofNetworkASecond: number;
  readonly messagesOfNetwork: DayCounts;
}

/** Visitors whom nobody knows have such ids, of which anybody gets as many as they ask for; others were named by the host of the bot. */
export const isAnonymousVisitor = (visitorId: string): boolean => visitorId.startsWith('web:');

/**
 * Limits each visitor, and all anonymous ones of a network together: one address makes fifty visitors a second, each of whom may send
 * as much as a person does, and each message starts work that the company pays, and leaves rows that are kept.
 */
export function createVisitorLimit({ ofVisitorASecond, ofNetworkASecond, messagesOfNetwork }: VisitorLimits): VisitorLimit {
  const visitors = createRateLimit(ofVisitorASecond, 'visitor-rate');
  const networks = createRateLimit(ofNetworkASecond, 'visitor-rate-of-network');
  return {
    async consume(botId, visitorId, address) {
      await visitors.consume(`${botId} ${visitorId}`);
      if (address !== undefined && isAnonymousVisitor(visitorId)) await networks.consume(findNetwork(address));
    },
    countMessage(visitorId, address) {
      if (address === undefined || !isAnonymousVisitor(visitorId)) return;
      const waitMs = messagesOfNetwork.take(address, 1);
      if (waitMs === 0) return;
      const limit = { name: 'visitor-messages-of-network', holder: findNetwork(address) };
      throw tooMany(limit, 'Too many messages came from this network in a day; send this again later', Math.ceil(waitMs / 1_000));
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
