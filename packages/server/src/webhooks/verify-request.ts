// Whether a request is signed, or carries a secret, as the webhook node that it is for asks.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { JsonObject } from '@hilo/engine/contract';
import type { WebhookAuth } from '@hilo/nodes';

/** A request with its body as it came. */
export interface UnprovenRequest {
  readonly headers: { readonly [name: string]: string };
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
  /** As the caller has it, with its query. */
  readonly url: string;
}

/** What is proved. `signature`: what a repetition of the same request has as well, where it is signed. */
export type Proof = { readonly signature?: string };

type Own = Exclude<WebhookAuth, { readonly kind: 'apiKey' }>;
type Signed = Extract<WebhookAuth, { readonly kind: 'hmac' }>;

/**
 * Verifies a request, comparing in constant time.
 *
 * @param credential - the values of the credential that the node names
 * @returns `undefined` when it is not proved, or its signature is too old
 */
export function verifyRequest(auth: Own, credential: JsonObject, request: UnprovenRequest, nowMs: number): Proof | undefined {
  const secret = readSecret(credential);
  if (secret === '') return undefined;
  switch (auth.kind) {
    case 'query':
      return isSame(request.query.get(auth.name) ?? '', secret) ? {} : undefined;
    case 'basic': {
      const { username, password } = credential;
      if (typeof username !== 'string' || typeof password !== 'string') return undefined;
      const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
      return isSame(request.headers['authorization'] ?? '', expected) ? {} : undefined;
    }
    case 'hmac': {
      const signature = verifySigned(auth, secret, request, Math.floor(nowMs / 1_000));
      return signature === undefined ? undefined : { signature };
    }
  }
}

/** The secret of a credential, by the field that its kind has. */
function readSecret({ webhookSecret, token, value, password }: JsonObject): string {
  const secret = webhookSecret ?? token ?? value ?? password;
  return typeof secret === 'string' ? secret : '';
}

type Verify = (secret: string, request: UnprovenRequest, isFresh: (seconds: string) => boolean) => string | undefined;

/** @returns what was signed with, where it is right */
function verifySigned(auth: Signed, secret: string, request: UnprovenRequest, nowS: number): string | undefined {
  const isFresh = (seconds: string): boolean => /^\d{1,12}$/.test(seconds) && Math.abs(nowS - Number(seconds)) <= auth.toleranceS;
  if (auth.preset !== undefined) return presets[auth.preset](secret, request, isFresh);
  const { header = '', algorithm, encoding, prefix = '', timestamp } = auth;
  const at = timestamp === undefined ? undefined : (request.headers[timestamp.toLowerCase()] ?? '');
  if (at !== undefined && !isFresh(at)) return undefined;
  const hmac = createHmac(algorithm, secret);
  if (at !== undefined) hmac.update(`${at}.`);
  return matching([request.headers[header.toLowerCase()] ?? ''], prefix + hmac.update(request.body).digest(encoding));
}

const presets: { readonly [Name in NonNullable<Signed['preset']>]: Verify } = {
  stripe(secret, { headers, body }, isFresh) {
    const parts = (headers['stripe-signature'] ?? '').split(',').map((part) => part.split('='));
    const valuesOf = (name: string) => parts.flatMap(([key, value = '']) => (key === name ? [value] : []));
    const [at = ''] = valuesOf('t');
    if (!isFresh(at)) return undefined;
    return matching(valuesOf('v1'), createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex'));
  },
  github: (secret, { headers, body }) =>
    matching([headers['x-hub-signature-256'] ?? ''], `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`),
  shopify: (secret, { headers, body }) =>
    matching([headers['x-shopify-hmac-sha256'] ?? ''], createHmac('sha256', secret).update(body).digest('base64')),
  /** It signs the address as the provider has it, followed by each field of a form with its value, by name. */
  twilio(secret, { headers, body, url }) {
    const isForm = (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
    const fields = isForm ? [...new URLSearchParams(Buffer.from(body).toString('utf8'))] : [];
    const signed =
      url +
      fields
        .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
        .flat()
        .join('');
    if (!isForm && body.length > 0 && !isBodyOf(url, body)) return undefined;
    return matching([headers['x-twilio-signature'] ?? ''], createHmac('sha1', secret).update(signed).digest('base64'));
  },
  'standard-webhooks'(secret, { headers, body }, isFresh) {
    const at = headers['webhook-timestamp'] ?? '';
    const id = headers['webhook-id'] ?? '';
    if (!isFresh(at) || id === '') return undefined;
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const expected = `v1,${createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest('base64')}`;
    return matching((headers['webhook-signature'] ?? '').split(' '), expected);
  },
};

/** A body that is no form is signed by its hash in the address. */
const isBodyOf = (url: string, body: Uint8Array): boolean =>
  isSame(new URL(url).searchParams.get('bodySHA256') ?? '', createHash('sha256').update(body).digest('hex'));

const matching = (given: readonly string[], expected: string): string | undefined =>
  given.some((one) => isSame(one, expected)) ? expected : undefined;

/** Compares hashes, which have one length, so that the time tells nothing of the texts. */
const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(expected).digest());
