import type { Json, JsonObject, WebhookRequest } from '@hilo/engine/contract';
import type { Entry } from '../platform/http/admission.ts';
import type { HttpCall } from '../platform/http/call.ts';
import { invalidRequest } from '../platform/http/errors.ts';
import { httpLimits } from '../platform/http/limits.ts';
import { parseJson } from '../platform/http/parse-json.ts';
import { utf8 } from '../platform/http/read-body.ts';
import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenants/companies.ts';
import type { WebhookResponses } from './webhook-responses.ts';

/** What the surface of webhooks works with. */
export type WebhookParts = Pick<Platform, 'settings' | 'engine' | 'clock' | 'isAccepting' | 'log' | 'store'> &
  Tenancy & { readonly responses: WebhookResponses };

/**
 * A call with its parsed body, as the webhook node gets it: the API key of the call is taken out of its query and its other headers. The node
 * itself hides the headers that carry credentials (VAR-03). Removing the key reveals nothing: the caller has just sent it.
 *
 * @throws {HttpError} 400, 413, 503 for a refused body
 */
export async function readRequest(call: HttpCall, entry: Pick<Entry, 'take'>): Promise<WebhookRequest> {
  const { method, headers, query } = call;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? await readPayload(call, entry) : null;
  const key = headers['x-api-key'];
  return {
    method,
    headers: removeFromHeaders(key, headers),
    query: query.size === 0 ? {} : groupFields(removeFromQuery(key, query)),
    body,
  };
}

/** Removes headers other than `x-api-key` that repeat its key. Most calls have none: then nothing is copied. */
function removeFromHeaders(key: string | undefined, headers: HttpCall['headers']): HttpCall['headers'] {
  const repeatsKey = (name: string) => key !== undefined && name !== 'x-api-key' && headers[name]?.includes(key) === true;
  const names = Object.keys(headers);
  if (!names.some(repeatsKey)) return headers;
  return Object.fromEntries(names.filter((name) => !repeatsKey(name)).map((name) => [name, headers[name] ?? '']));
}

/** Removes `x-api-key`, which is no credential in a query (WEB-06), and every parameter that repeats the key of the header. */
function removeFromQuery(key: string | undefined, query: URLSearchParams): Iterable<readonly [string, string]> {
  const isCredential = (text: string) => key !== undefined && text.includes(key);
  return [...query].filter(([name, value]) => name.toLowerCase() !== 'x-api-key' && !isCredential(name) && !isCredential(value));
}

/**
 * The body of a call, by its type.
 *
 * @throws {HttpError} 400, 413, 503 for a refused body
 */
export const readPayload = async ({ readBody, headers }: HttpCall, entry: Pick<Entry, 'take'>): Promise<Json> =>
  parsePayload(await readBody(entry), headers['content-type']);

/** JSON and forms are parsed, other types are kept as text (WEB-26). A body without a type is JSON (GEN-02). */
function parsePayload(bytes: Uint8Array, contentType = 'application/json'): Json {
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
  if (fields > httpLimits.keys) throw invalidRequest(`The form has more than ${httpLimits.keys} fields`);
  return groupFields(new URLSearchParams(text));
}

function decodeJsonText(bytes: Uint8Array, charset: string): string {
  if (charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii')
    throw invalidRequest('JSON is accepted in UTF-8 only: send the body in UTF-8, without another charset in its Content-Type');
  return utf8(bytes);
}

function decodeBytes(bytes: Uint8Array, charset: string): string {
  const decoder = createDecoder(charset);
  if (decoder === undefined) throw invalidRequest('The charset of the body is not known here: send it in UTF-8');
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalidRequest(`The body is not valid ${decoder.encoding.toUpperCase()}: send it in the charset that its Content-Type names`);
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
