import { hash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Service } from '../service/service.ts';
import type { HttpEnv } from './context.ts';
import { httpLimits } from './limits.ts';
import { unauthorized } from './refusal.ts';

/**
 * Lets in who has an API key, in the header `x-api-key` and nowhere else (AUT-02, WEB-06). Two such headers reach us as one
 * with a blank in it, which no key has.
 */
export const apiKeyDoor =
  ({ companies }: Pick<Service, 'companies'>): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const key = c.req.header('x-api-key') ?? '';
    const companyId = aKey.test(key) && key.length <= httpLimits.apiKeyChars ? companies.companyOfApiKey(key) : undefined;
    if (companyId === undefined) throw unauthorized('Send a valid API key in the header x-api-key');
    c.set('companyId', companyId);
    c.set('credential', `key ${hash('sha256', key)}`);
    return next();
  };

const aKey = /^[\x21-\x7e]+$/;
