// Credentials of kind `oauth2` become the access token that their server gives for them: for the client itself (RFC 6749 4.4), or for the person
// who has logged in (6). Drivers sign calls in with a token, as with any other. A token is kept in the memory of this process until shortly
// before it ends.
import { createHash } from 'node:crypto';
import { type Dialer, type DialerResponse, DriverError, type FindCredential } from '@hilo/drivers';
import { type Clock, isJsonObject, isWithin, type Json, type JsonObject, parseJsonText } from '@hilo/engine/contract';
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
  authorizationUrl: z.string().exactOptional(),
  refreshToken: z.string().exactOptional(),
  clientId: z.string(),
  clientSecret: z.string(),
  scope: z.string().exactOptional(),
  audience: z.string().exactOptional(),
  clientAuth: z.enum(['header', 'body']).default('header'),
});
export type OAuth2 = z.output<typeof OAuth2>;

/** A credential with which a person logs in. */
export type LoginCredential = OAuth2 & { readonly authorizationUrl: string };

/** Reads it; undefined for a credential of another kind, or one that needs no login. */
export function readLoginCredential(credential: JsonObject | undefined): LoginCredential | undefined {
  const { data } = OAuth2.safeParse(credential);
  return data?.authorizationUrl === undefined ? undefined : { ...data, authorizationUrl: data.authorizationUrl };
}

interface Token {
  readonly value: string;
  readonly beganMs: number;
  readonly freshForMs: number;
}

/** Keeps another refresh token: servers may take one once. */
export type KeepRefreshToken = (credential: { readonly companyId: string; readonly id: string }, token: string) => Promise<void>;

interface ExchangeParts {
  readonly dialer: Pick<Dialer, 'request'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly keep: KeepRefreshToken;
  /** Reads anew what another process may have kept a moment ago. */
  readonly refresh: () => Promise<unknown>;
}

/** Finds credentials as drivers use them. @throws {DriverError} where no token is given */
export function exchangeTokens(find: FindCredential, { dialer, clock, keep, refresh }: ExchangeParts): FindCredential {
  const tokens = new LRUCache<string, Token>({ max: maxTokens });
  /** Requests under way: a burst of calls makes one. */
  const pending = new Map<string, Promise<Token>>();
  const read = async (companyId: string, id: string): Promise<OAuth2> => {
    const { data } = OAuth2.safeParse(await find(companyId, id));
    if (data === undefined) throw new DriverError('CREDENTIAL_INVALID', `The credential "${id}" is incomplete: save it again`);
    return data;
  };
  /** Another secret, scope, login or address is another token. */
  const keyOf = (companyId: string, id: string, credential: OAuth2): string =>
    createHash('sha256')
      .update(JSON.stringify([companyId, id, credential]))
      .digest('base64');
  const ask = async (companyId: string, id: string, credential: OAuth2): Promise<Token> => {
    const parts = { dialer, clock, companyId, credentialId: id };
    const { token, refreshToken } = await requestToken(credential, grantOf(credential, id), parts);
    tokens.set(keyOf(companyId, id, credential), token);
    if (refreshToken === undefined || refreshToken === credential.refreshToken) return token;
    tokens.set(keyOf(companyId, id, { ...credential, refreshToken }), token);
    await keep({ companyId, id }, refreshToken);
    return token;
  };
  return async (companyId, id) => {
    const found = await find(companyId, id);
    if (found?.['kind'] !== 'oauth2') return found;
    const credential = await read(companyId, id);
    const key = keyOf(companyId, id, credential);
    const known = tokens.get(key);
    if (known !== undefined && isWithin(known.beganMs, known.freshForMs, clock.now())) return { kind: 'bearer', token: known.value };
    const asking =
      pending.get(key) ??
      ask(companyId, id, credential)
        .catch(async (error: unknown) => {
          // Another process may have used this refresh token, and have kept the next one.
          if (credential.refreshToken === undefined) throw error;
          await refresh();
          const now = await read(companyId, id);
          if (now.refreshToken === credential.refreshToken) throw error;
          return ask(companyId, id, now);
        })
        .finally(() => void pending.delete(key));
    pending.set(key, asking);
    return { kind: 'bearer', token: (await asking).value };
  };
}

/** What is asked for a token with. @throws {DriverError} where nobody has logged in */
function grantOf({ authorizationUrl, refreshToken, scope, audience }: OAuth2, credentialId: string): { readonly [name: string]: string } {
  const wanted = { ...(scope !== undefined && { scope }), ...(audience !== undefined && { audience }) };
  if (authorizationUrl === undefined) return { grant_type: 'client_credentials', ...wanted };
  if (refreshToken === undefined)
    throw new DriverError('CREDENTIAL_INVALID', `Nobody has logged in with the credential "${credentialId}" yet: an operator does so once`);
  return { grant_type: 'refresh_token', refresh_token: refreshToken, ...wanted };
}

interface Asking extends Pick<ExchangeParts, 'dialer' | 'clock'> {
  readonly companyId: string;
  readonly credentialId: string;
}

/** Asks the server of a credential. @throws {DriverError} for a refusal, with the word of the server */
export async function requestToken(
  credential: OAuth2,
  grant: { readonly [name: string]: string },
  { dialer, clock, companyId, credentialId }: Asking,
): Promise<{ readonly token: Token; readonly refreshToken: string | undefined }> {
  const { tokenUrl, clientId, clientSecret, clientAuth } = credential;
  const form = new URLSearchParams({
    ...grant,
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
  const [value, seconds, next] = [given['access_token'], Number(given['expires_in'] ?? Number.NaN), given['refresh_token']];
  if (answer.status !== 200 || typeof value !== 'string' || value === '') throw refusal(answer, given, { tokenUrl, credentialId });
  const lastsMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : usualMs;
  return {
    token: { value, beganMs, freshForMs: Math.max(lastsMs / 2, lastsMs - earlyMs) },
    refreshToken: typeof next === 'string' && next !== '' ? next : undefined,
  };
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
