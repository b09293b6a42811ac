// How a request over HTTP becomes what a webhook node gets: one reading for the service's gateway and for hosts that hand requests over.
import { checkBounds, parseJson } from './bounded-json.ts';
import { HiloError } from './contract/errors.ts';
import type { Json, JsonObject } from './contract/json.ts';
import { limits } from './contract/limits.ts';
import type { WebhookRequest } from './contract/webhook.ts';
import { containsText } from './expressions/text-search.ts';

const refuse = (reason: string): never => {
  throw new HiloError('INVALID_REQUEST', { reason });
};

type Headers = WebhookRequest['headers'];

/** A request whose body is in memory, within the limit of its size. */
interface RawRequest {
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Headers;
  readonly query: URLSearchParams;
  /** Looked at where the method has one. */
  readonly body: Uint8Array;
}

/**
 * Reads a request as the webhook node gets it: the body by its type, and the API key of the request taken out of its query and its other
 * headers. The node itself hides the headers that carry credentials (VAR-03). Removing the key reveals nothing: the caller has just sent it.
 *
 * @throws {HiloError} `INVALID_REQUEST` for a body that cannot be read
 */
export const readWebhookRequest = ({ method, headers, query, body }: RawRequest): WebhookRequest => ({
  method,
  headers: hideKeyInHeaders(headers),
  query: query.size === 0 ? {} : groupFields(hideKeyInQuery(headers, query)),
  body: takesBody(method) ? parseBody(body, headers['content-type']) : null,
});

/**
 * The same of a request that a host has parsed.
 *
 * @throws {HiloError} `INVALID_REQUEST` for a body over the limits
 */
export function readParsedRequest({ method, headers, query, body }: WebhookRequest): WebhookRequest {
  if (takesBody(method)) checkBounds(JSON.stringify(body));
  return {
    method,
    headers: hideKeyInHeaders(headers),
    query: Object.fromEntries(hideKeyInQuery(headers, Object.entries(query))),
    body: takesBody(method) ? body : null,
  };
}

/** Whether a request with this method has a body; what others bring is not looked at. */
export const takesBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

/** Removes headers other than `x-api-key` that repeat its key. Most requests have none: then nothing is copied. */
function hideKeyInHeaders(headers: Headers): Headers {
  const key = headers['x-api-key'];
  const repeatsKey = (name: string) => key !== undefined && name !== 'x-api-key' && containsText(headers[name] ?? '', key);
  const names = Object.keys(headers);
  if (!names.some(repeatsKey)) return headers;
  return Object.fromEntries(names.filter((name) => !repeatsKey(name)).map((name) => [name, headers[name] ?? '']));
}

/** Removes `x-api-key`, which is no credential in a query (WEB-06), and every parameter that repeats the key of the header. */
function hideKeyInQuery<Value extends Json>(
  { 'x-api-key': key }: Headers,
  query: Iterable<readonly [string, Value]>,
): (readonly [string, Value])[] {
  const repeatsKey = (value: Json) => key !== undefined && containsText(typeof value === 'string' ? value : JSON.stringify(value), key);
  return [...query].filter(([name, value]) => name.toLowerCase() !== 'x-api-key' && !repeatsKey(name) && !repeatsKey(value));
}

/** Why a body in this `Content-Encoding` is refused; `undefined` for one that is taken. */
export const encodingProblem = (encoding: string | null | undefined): string | undefined =>
  encoding === null || encoding === undefined || encoding.toLowerCase() === 'identity'
    ? undefined
    : 'Bodies are taken as they are: send this one without Content-Encoding';

/**
 * Parses a body by its type: JSON and forms are parsed, other types are kept as text (WEB-26). A body without a type is JSON (GEN-02).
 *
 * @throws {HiloError} `INVALID_REQUEST` for a body that is not what its type says, or over the limits
 */
export function parseBody(bytes: Uint8Array, contentType = 'application/json'): Json {
  if (bytes.byteLength === 0) return null;
  if (contentType === 'application/json') return parseJson(utf8(bytes)); // the usual spelling has no parameters to parse
  const [type = ''] = contentType.split(';', 1);
  const parameters = contentType.slice(type.length);
  const mediaType = type.trim().toLowerCase();
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(parameters)?.[1]?.toLowerCase() ?? 'utf-8';
  if (/^application\/(?:[\w.+-]+\+)?json$/.test(mediaType)) return parseJson(decodeJsonText(bytes, charset));
  const text = decodeBytes(bytes, charset);
  return mediaType === 'application/x-www-form-urlencoded' ? parseForm(text) : text;
}

/** Fields are counted before they are parsed: Node takes seconds for half a million. */
function parseForm(text: string): JsonObject {
  let fields = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) fields += 1;
  if (fields > limits.keys) refuse(`The form has more than ${limits.keys} fields`);
  return groupFields(new URLSearchParams(text));
}

function decodeJsonText(bytes: Uint8Array, charset: string): string {
  if (charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii')
    refuse('JSON is accepted in UTF-8 only: send the body in UTF-8, without another charset in its Content-Type');
  return utf8(bytes);
}

/**
 * Decodes bytes as UTF-8.
 *
 * @throws {HiloError} `INVALID_REQUEST` for bytes that are no UTF-8
 */
export function utf8(bytes: Uint8Array): string {
  try {
    return strictly.decode(bytes);
  } catch {
    return refuse('The body is not valid UTF-8');
  }
}

const strictly = new TextDecoder('utf-8', { fatal: true });

function decodeBytes(bytes: Uint8Array, charset: string): string {
  const decoder = createDecoder(charset) ?? refuse('The charset of the body is not known here: send it in UTF-8');
  try {
    return decoder.decode(bytes);
  } catch {
    return refuse(`The body is not valid ${decoder.encoding.toUpperCase()}: send it in the charset that its Content-Type names`);
  }
}

/** A decoder that refuses bytes which are not of its charset; `undefined` for an unknown charset. */
function createDecoder(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return undefined;
  }
}

/** A name that appears once is a text, a repeated one a list of texts. */
function groupFields(given: Iterable<readonly [string, string]>): JsonObject {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of given) {
    if (name === '__proto__') continue;
    const known = fields.get(name);
    if (known === undefined) fields.set(name, value);
    else if (typeof known === 'string') fields.set(name, [known, value]);
    else known.push(value);
  }
  return Object.fromEntries(fields);
}

/** The form of keys that identify repeated requests: letters, digits and signs of ASCII, without blanks. */
export const deliveryKey = /^[!-~]+$/;

/** The longest such key, in characters. */
export const deliveryKeyChars = 128;

/**
 * The key that identifies repeated deliveries (WEB-27, P10): `webhook-id` of Standard Webhooks, or `Idempotency-Key`.
 *
 * @throws {HiloError} `INVALID_REQUEST` for a malformed key, and for two that differ
 */
export function readDeliveryKey(headers: { readonly [name: string]: string | undefined }): string | undefined {
  const { 'webhook-id': standard, 'idempotency-key': other } = headers;
  const key = standard ?? other;
  if (key !== (other ?? standard)) refuse('webhook-id and Idempotency-Key differ: send one of them');
  if (key !== undefined && (key.length > deliveryKeyChars || !deliveryKey.test(key)))
    refuse(`webhook-id or Idempotency-Key must be 1 to ${deliveryKeyChars} letters, digits or signs, without blanks`);
  return key;
}
