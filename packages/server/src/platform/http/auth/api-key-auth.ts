import { hash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../context.ts';
import { httpLimits } from '../limits.ts';
import { unauthorized } from '../errors.ts';

/** Finds the company of an API key. */
interface KeyHolders {
  readonly companies: { companyOfApiKey(key: string): string | undefined };
}

/** Lets in who has an API key, in the header `x-api-key` and nowhere else (AUT-02, WEB-06). */
export const apiKeyAuth =
  (service: KeyHolders): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const key = c.req.header('x-api-key');
    c.set('companyId', authenticateKey(service, key));
    c.set('credential', labelKey(key));
    return next();
  };

/**
 * The company that an API key speaks for. Two headers with one reach us as one with a blank in it, which no key has.
 *
 * @throws {HttpError} 401
 */
export function authenticateKey({ companies }: KeyHolders, key = ''): string {
  const companyId = keyPattern.test(key) && key.length <= httpLimits.apiKeyChars ? companies.companyOfApiKey(key) : undefined;
  if (companyId === undefined) throw unauthorized('Send a valid API key in the header x-api-key');
  return companyId;
}

/** What a key is called where it is counted: nothing that could be used. */
export const labelKey = (key = ''): string => `key ${hash('sha256', key)}`;

const keyPattern = /^[\x21-\x7e]+$/;
