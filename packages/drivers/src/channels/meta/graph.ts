// What Meta's providers (WhatsApp, Messenger, Instagram) have in common: the Graph API and its deliveries.
import { createHash, timingSafeEqual } from 'node:crypto';
import { getPath, isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import type { ChannelAnswer, ChannelContext, SendResult } from '../channel-adapter.ts';
import { failedCall } from '../failed-call.ts';

/** What an error of a provider means for the message. @property fate - whether it may go another time */
export interface ProviderError {
  readonly fate: 'refused' | 'later';
  readonly cause: string;
}

/** By the code of an error, or by code and subcode as "100/2018001", which goes first. */
export type ProviderErrors = { readonly [code: string]: ProviderError };

/** The bot's own token or account is at fault: nothing that is sent through it goes out before somebody mends that. */
export const unauthorized: ProviderError = { fate: 'refused', cause: 'PROVIDER_UNAUTHORIZED' };
export const rateLimited: ProviderError = { fate: 'later', cause: 'PROVIDER_RATE_LIMITED' };
export const unavailable: ProviderError = { fate: 'later', cause: 'PROVIDER_UNAVAILABLE' };
export const refusedAs = (cause: string): ProviderError => ({ fate: 'refused', cause });

interface GraphCall {
  readonly url: string;
  readonly accessToken: string;
  readonly body: JsonObject;
  readonly errors: ProviderErrors;
  /** Where the answer names the message: a path such as `messages.0.id`. */
  readonly idPath: readonly string[];
}

/** Posts a message to the Graph API and says what became of it. Only an answer that names the message means that it was sent. */
export async function postMessage(
  { url, accessToken, body, errors, idPath }: GraphCall,
  { dialer }: Pick<ChannelContext<unknown, unknown>, 'dialer'>,
): Promise<SendResult> {
  try {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` };
    const { status, body: bytes, retryAfterMs } = await dialer.request({ method: 'POST', url, headers, body: JSON.stringify(body) });
    const answer = jsonOf(bytes);
    const error = getPath(answer, ['error']);
    if (error !== undefined && error !== null) return failureOf(error, status, retryAfterMs, errors);
    const id = getPath(answer, idPath);
    if (status >= 200 && status <= 299 && typeof id === 'string') return { kind: 'sent', providerMessageId: id };
    if (status === 429) return { kind: 'later', cause: rateLimited.cause, message: 'The provider answered 429', retryAfterMs };
    const said = `The provider answered ${status} with a body that names neither the message nor an error`;
    return status >= 400 && status <= 499
      ? { kind: 'refused', cause: 'PROVIDER_REFUSED', message: said }
      : { kind: 'unknown', cause: 'PROVIDER_ANSWER_UNREADABLE', message: said };
  } catch (error) {
    return failedCall(error);
  }
}

/** An error that the provider does not explain is judged by the status: its own trouble passes, another refusal stays. */
function failureOf(error: Json, status: number, retryAfterMs: number | undefined, errors: ProviderErrors): SendResult {
  const { fate, cause } =
    errorMeaning(error, errors) ?? (status === 429 ? rateLimited : status >= 500 ? unavailable : refusedAs('PROVIDER_REFUSED'));
  const message = `The provider refused the message: ${errorText(error)}`;
  return fate === 'later' ? { kind: 'later', cause, message, retryAfterMs } : { kind: 'refused', cause, message };
}

/** @returns `undefined` for a code that the table does not know */
export function errorMeaning(error: Json, errors: ProviderErrors): ProviderError | undefined {
  const [code, subcode] = [getPath(error, ['code']), getPath(error, ['error_subcode'])].map(String);
  const key = [`${code}/${subcode}`, `${code}`].find((candidate) => Object.hasOwn(errors, candidate));
  return key === undefined ? undefined : errors[key];
}

/** What an error says, for the record of the message. */
export function errorText(error: Json): string {
  const word = (...path: readonly string[]): string => {
    const value = getPath(error, path);
    return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 500) : '';
  };
  const details = word('error_data', 'details');
  return [`(${word('code')})`, word('message') || word('title'), details].filter((text) => text !== '').join(' ');
}

/** JSON of an answer; null for what is none, such as a page of HTML. */
export function jsonOf(bytes: Uint8Array): Json {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Json;
  } catch {
    return null;
  }
}

/** A text of a delivery; `undefined` for anything else. */
export function textAt(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = getPath(value, path);
  return typeof found === 'string' ? found : undefined;
}

/** The objects of a list of a delivery; none where there is no list. */
export function listAt(value: Json | undefined, name: string): readonly JsonObject[] {
  const list = getPath(value, [name]);
  return Array.isArray(list) ? (list as readonly Json[]).filter(isJsonObject) : [];
}

/** Answers the GET by which Meta asks whether the address is ours. */
export function challengeOf(query: URLSearchParams, verifyToken: string): ChannelAnswer | undefined {
  const isSubscription = query.get('hub.mode') === 'subscribe';
  const [given, expected] = [query.get('hub.verify_token') ?? '', verifyToken].map((token) => createHash('sha256').update(token).digest());
  if (!isSubscription || given === undefined || expected === undefined || !timingSafeEqual(given, expected)) return undefined;
  return { text: query.get('hub.challenge') ?? '' };
}

/** Without a slash at its end, so that paths can be put behind it. */
export const baseOf = (baseUrl: string | undefined): string => (baseUrl ?? 'https://graph.facebook.com').replace(/\/$/, '');
