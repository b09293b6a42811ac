import { createHash } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../platform/http/context.ts';
import { httpLimits } from '../platform/http/limits.ts';
import { HttpError } from '../platform/http/errors.ts';
import type { Functions, FunctionParts } from './functions.ts';

/** AUT-06. What is longer is refused as it is, without a look at it. */
const mostTokenChars = 4 * 1024;

/**
 * Lets in who has an API key of the platform, as `Authorization: Bearer` (AUT-03), or a runtime token of this very function,
 * as `X-Service-Token` and nowhere else (AUT-04, AUT-05). With both headers the first one decides. A header that comes twice
 * reaches us with a blank in it, which neither has.
 */
export const functionAuth =
  (
    companies: Pick<FunctionParts['companies'], 'companyOfApiKey'>,
    functions: Pick<Functions, 'companyOfToken'>,
  ): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const { kind, secret } = credentialOf(c);
    const companyId =
      kind === 'key'
        ? companies.companyOfApiKey(secret)
        : kind === 'token'
          ? await functions.companyOfToken(c.req.param('functionId') ?? '', secret)
          : undefined;
    if (companyId === undefined) throw unauthorizedCall();
    c.set('companyId', companyId);
    c.set('credential', `${kind} ${createHash('sha256').update(secret).digest('base64url')}`);
    return next();
  };

type Shown = { readonly kind: 'key' | 'token' | 'none'; readonly secret: string };

function credentialOf(c: Context<HttpEnv>): Shown {
  const authorization = c.req.header('authorization');
  if (authorization !== undefined) {
    const [, key = ''] = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization) ?? [];
    return key !== '' && key.length <= httpLimits.apiKeyChars ? { kind: 'key', secret: key } : none;
  }
  const token = c.req.header('x-service-token') ?? '';
  return token.length <= mostTokenChars && /^[a-z]+_rt_[\x21-\x7e]+$/.test(token) ? { kind: 'token', secret: token } : none;
}

const none: Shown = { kind: 'none', secret: '' };

/** AUT-07: the body is `{ "error": "Unauthorized" }`. */
const unauthorizedCall = (): HttpError => new HttpError(401, 'UNAUTHORIZED', '', { headers: { 'www-authenticate': 'Bearer' } });
