// Credentials of kind `oauth2` become the access token that their server gives for them (client credentials, RFC 6749 4.4): drivers sign calls
// in with a token, as with any other. A token is kept in the memory of this process until shortly before it ends.
import { createHash } from 'node:crypto';
import { type Dialer, type DialerResponse, DriverError, type FindCredential } from '@hilo/drivers';
import { type Clock, isJsonObject, type Json, type JsonObject, parseJsonText } from '@hilo/engine/contract';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

const timeoutMs = 15_000;
/** Tokens of all companies. */
const maxTokens = 10_000;
/** A token is renewed this long before it ends, or after half of its time, where that is less. */
const earlyMs = 60_000;
/** Where the server does not say how long a token is good. */
const usualMs = 300_000;

const OAuth2 = z.object({
  kind: z.literal('oauth2'),
  tokenUrl: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  scope: z.string().exactOptional(),
  audience: z.string().exactOptional(),
  clientAuth: z.enum(['header', 'body']).default('header'),
});
type OAuth2 = z.output<typeof OAuth2>;

interface Token {
  readonly value: string;
  readonly freshUntilMs: number;
}

/** Finds credentials as drivers use them. @throws {DriverError} where no token is given */
export function exchangeTokens(
  find: FindCredential,
  { dialer, clock }: { readonly dialer: Pick<Dialer, 'request'>; readonly clock: Pick<Clock, 'now'> },
): FindCredential {
  const tokens = new LRUCache<string, Token>({ max: maxTokens });
  /** Requests under way: a burst of calls makes one. */
  const pending = new Map<string, Promise<Token>>();
  return async (companyId, credentialId) => {
    const found = await find(companyId, credentialId);
    if (found?.['kind'] !== 'oauth2') return found;
    const { data } = OAuth2.safeParse(found);
    if (data === undefined) throw new DriverError('CREDENTIAL_INVALID', `The credential "${credentialId}" is incomplete: save it again`);
    // Another secret, scope or address is another token.
    const key = createHash('sha256')
      .update(JSON.stringify([companyId, credentialId, data]))
      .digest('base64');
    const known = tokens.get(key);
    if (known !== undefined && clock.now() < known.freshUntilMs) return { kind: 'bearer', token: known.value };
    const asking =
      pending.get(key) ?? requestToken(data, { dialer, clock, companyId, credentialId }).finally(() => void pending.delete(key));
    pending.set(key, asking);
    const token = await asking;
    tokens.set(key, token);
    return { kind: 'bearer', token: token.value };
  };
}

interface Asking {
  readonly dialer: Pick<Dialer, 'request'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly companyId: string;
  readonly credentialId: string;
}

async function requestToken(credential: OAuth2, { dialer, clock, companyId, credentialId }: Asking): Promise<Token> {
  const { tokenUrl, clientId, clientSecret, scope, audience, clientAuth } = credential;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope !== undefined && { scope }),
    ...(audience !== undefined && { audience }),
    ...(clientAuth === 'body' && { client_id: clientId, client_secret: clientSecret }),
  });
  const beganMs = clock.now();
  const answer = await dialer.request({
    method: 'POST',
    url: tokenUrl,
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(clientAuth === 'header' && {
        authorization: `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`,
      }),
    },
    body: form.toString(),
    timeoutMs,
    maxBytes: 100_000,
    maxRedirects: 0,
    bodyStaysHome: true,
    scope: companyId,
  });
  const given = readAnswer(answer);
  const [value, seconds] = [given['access_token'], Number(given['expires_in'] ?? Number.NaN)];
  if (answer.status !== 200 || typeof value !== 'string' || value === '') throw refusal(answer, given, { tokenUrl, credentialId });
  const lastsMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : usualMs;
  return { value, freshUntilMs: beganMs + Math.max(lastsMs / 2, lastsMs - earlyMs) };
}

/** A user name and a password of this grant are encoded as a form encodes them (RFC 6749 2.3.1). */
const encode = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);

function readAnswer({ body }: Pick<DialerResponse, 'body'>): JsonObject {
  try {
    const parsed: Json = parseJsonText(Buffer.from(body).toString('utf8'));
    return isJsonObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** What a server says of a refusal is a word of its own, which is no secret; its sentences stay away. */
function refusal(
  { status, retryAfterMs }: DialerResponse,
  { error }: JsonObject,
  { tokenUrl, credentialId }: { readonly tokenUrl: string; readonly credentialId: string },
): DriverError {
  const word = typeof error === 'string' && /^[\w-]{1,60}$/.test(error) ? ` ${error}` : '';
  const message = `${URL.parse(tokenUrl)?.host ?? 'The server'} gave no token for the credential "${credentialId}": it answered ${status}${word}`;
  const isLater = status >= 500 || status === 429;
  return isLater
    ? new DriverError('CONNECT_FAILED', message, { ...(retryAfterMs !== undefined && { retryAfterMs }) })
    : new DriverError('CREDENTIAL_INVALID', message);
}
