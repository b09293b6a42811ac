// What a provider answers to a send: read as JSON, and judged by the provider's own codes of errors.
import { getPath, isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import type { DialerResponse } from '../dialer/dialer.ts';
import { type DialerErrorCode, isDialerError } from '../driver-error.ts';
import type { ChannelCall, ChannelContext, SendResult } from './channel-adapter.ts';

/** The meaning of a provider's error for the message. @property fate - whether it may be retried, or was perhaps sent (P5) */
export interface ProviderError {
  readonly fate: 'refused' | 'later' | 'unknown';
  readonly cause: string;
}

/** By the provider's code of an error. */
export type ProviderErrors = { readonly [code: string]: ProviderError };

/** The bot's own token or account is at fault: nothing can be sent with it until it is fixed. */
export const unauthorized: ProviderError = { fate: 'refused', cause: 'PROVIDER_UNAUTHORIZED' };
export const rateLimited: ProviderError = { fate: 'later', cause: 'PROVIDER_RATE_LIMITED' };
export const unavailable: ProviderError = { fate: 'later', cause: 'PROVIDER_UNAVAILABLE' };
/** The provider failed while processing: it may have accepted the message before. */
export const brokenOff: ProviderError = { fate: 'unknown', cause: 'PROVIDER_UNAVAILABLE' };
export const refusedAs = (cause: string): ProviderError => ({ fate: 'refused', cause });

/** The response to a call, with its body as JSON; null for anything else, such as a page of HTML. */
export interface ProviderAnswer extends Pick<DialerResponse, 'status' | 'headers' | 'retryAfterMs'> {
  readonly json: Json;
}

/** Calls a provider. @throws {DriverError} where there is no answer */
export async function callProvider(
  call: ChannelCall,
  { dialer }: Pick<ChannelContext<unknown, unknown>, 'dialer'>,
): Promise<ProviderAnswer> {
  const { status, headers, retryAfterMs, body } = await dialer.request(call);
  return { status, headers, retryAfterMs, json: jsonOf(body) };
}

interface JsonPost {
  readonly url: string;
  readonly accessToken: string;
  readonly body: JsonObject;
}

/** Posts JSON with a bearer token and lets `judge` read the response. A call without a response is judged by whether it was sent. */
export async function postJson(
  { url, accessToken, body }: JsonPost,
  context: Pick<ChannelContext<unknown, unknown>, 'dialer'>,
  judge: (answer: ProviderAnswer) => SendResult,
): Promise<SendResult> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` };
  try {
    return judge(await callProvider({ method: 'POST', url, headers, body: JSON.stringify(body) }, context));
  } catch (error) {
    return failedCall(error);
  }
}

/** A send that the provider refused with an error. @param said - the text of the error, without secrets */
export function failedSend({ fate, cause }: ProviderError, said: string, retryAfterMs?: number): SendResult {
  const message = `The provider refused the message: ${said}`;
  if (fate === 'later') return { kind: 'later', cause, message, retryAfterMs };
  if (fate === 'unknown') return { kind: 'unknown', cause, message: `The provider failed while it took the message: ${said}` };
  return { kind: 'refused', cause, message };
}

/**
 * An answer that names neither the message nor an error, such as a page of HTML. 429 and the refusals of 4xx are certain; of
 * anything else it is unknown whether the message was accepted (P5).
 */
export function unreadable({ status, retryAfterMs }: ProviderAnswer): SendResult {
  if (status === 429) return { kind: 'later', cause: rateLimited.cause, message: 'The provider answered 429', retryAfterMs };
  const message = `The provider answered ${status} with a body that names neither the message nor an error`;
  if (status === 401) return { kind: 'refused', cause: unauthorized.cause, message };
  return status >= 400 && status <= 499
    ? { kind: 'refused', cause: 'PROVIDER_REFUSED', message }
    : { kind: 'unknown', cause: 'PROVIDER_ANSWER_UNREADABLE', message };
}

export const isSuccess = ({ status }: Pick<ProviderAnswer, 'status'>): boolean => status >= 200 && status <= 299;

/** The JSON of a response; null when it has none. */
export function jsonOf(bytes: Uint8Array): Json {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Json;
  } catch {
    return null;
  }
}

/** A text of an answer or a delivery; `undefined` for anything else. */
export function textAt(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = getPath(value, path);
  return typeof found === 'string' ? found : undefined;
}

/** A text that is not empty, such as an id; `undefined` for anything else. */
export function nameAt(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = textAt(value, ...path);
  return found === '' ? undefined : found;
}

/** A number, or the one that a text spells; `undefined` for anything else. */
export function numberAt(value: Json | undefined, ...path: readonly string[]): number | undefined {
  const found = getPath(value, path);
  const read = typeof found === 'number' || (typeof found === 'string' && found.trim() !== '') ? Number(found) : Number.NaN;
  return Number.isFinite(read) ? read : undefined;
}

/** The last instant of a `Date`. */
const lastMs = 8.64e15;

/** When an event happened, in milliseconds since the Unix epoch; 0 where the provider tells no instant. */
export const instantOf = (ms: number | undefined): number => (ms !== undefined && ms >= 0 && ms <= lastMs ? Math.round(ms) : 0);

/** An id as part of the path of a URL, whatever is in it. */
export const pathPart = (id: string): string => encodeURIComponent(id.toWellFormed());

/** The objects of a list; none where there is no list. */
export function listAt(value: Json | undefined, name: string): readonly JsonObject[] {
  const list = getPath(value, [name]);
  return Array.isArray(list) ? (list as readonly Json[]).filter(isJsonObject) : [];
}

/** Without a slash at its end, so that paths can be put behind it. */
export const baseOf = (url: string): string => url.replace(/\/+$/, '');

/** Why nothing was sent, where it may be otherwise in a while. */
const passing: ReadonlySet<DialerErrorCode> = new Set<DialerErrorCode>([
  'DNS_FAILED',
  'CONNECT_FAILED',
  'TIMEOUT',
  'RESET',
  'DESTINATION_BUSY',
  'CIRCUIT_OPEN',
]);

/**
 * The result of a message whose call got no response: retried later when no byte was sent, refused when it cannot be sent, unknown when
 * it may have arrived (P5). A redirect that is not followed is a response: the message was not accepted.
 *
 * @throws any error other than a failed call
 */
export function failedCall(error: unknown): SendResult {
  if (!isDialerError(error)) throw error;
  const { code: cause, message, retryAfterMs, wasSent } = error;
  if (cause === 'TOO_MANY_REDIRECTS') return { kind: 'refused', cause, message };
  if (wasSent) return { kind: 'unknown', cause, message };
  return passing.has(cause) ? { kind: 'later', cause, message, retryAfterMs } : { kind: 'refused', cause, message };
}
