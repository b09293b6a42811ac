import { hash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../context.ts';
import { httpLimits } from '../limits.ts';
import { unauthorized } from '../errors.ts';

/** Finds the company of an API key. */
interface KeyHolders {
  readonly companies: { companyOfApiKey(key: string): string | undefined };
}

/** Authenticates callers by their API key, in the header `x-api-key` and nowhere else (AUT-02, WEB-06). */
export const apiKeyAuth =
  (service: KeyHolders): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const key = c.req.header('x-api-key');
    c.set('companyId', authenticateKey(service, key));
    c.set('credential', labelKey(key));
    return next();
  };

/**
 * Finds the company of an API key. Repeated headers arrive joined with a comma and a blank, which no key contains.
 *
 * @throws {HttpError} 401
 */
export function authenticateKey({ companies }: KeyHolders, key = ''): string {
  const companyId = keyPattern.test(key) && key.length <= httpLimits.apiKeyChars ? companies.companyOfApiKey(key) : undefined;
  if (companyId === undefined) throw unauthorized('Send a valid API key in the header x-api-key');
  return companyId;
}

/** Names a key where requests are counted, by its hash, which is no credential. */
export const labelKey = (key = ''): string => `key ${hash('sha256', key)}`;

const keyPattern = /^[\x21-\x7e]+$/;
