// The responses of providers to a message: parsed as JSON, and classified by their error codes.
import { getPath, isJsonObject, type Json, type JsonObject, limits, parseForeignJson } from '@hilo/engine/contract';
import { type DialerErrorCode, type DialerResponse, isDialerError } from '@hilo/drivers';
import type { ChannelCall, ChannelContext, SendResult } from './channel-adapter.ts';

/** The meaning of a provider's error for the message. @property fate - whether it may be retried, or was perhaps sent (P5) */
export interface ProviderError {
  readonly fate: 'refused' | 'later' | 'unknown';
  readonly cause: string;
  /** The status of the template, where that is what it refuses. */
  readonly templateStatus?: string;
}

/** The meaning of errors by the provider's codes. */
export type ProviderErrors = { readonly [code: string]: ProviderError };

/** The bot's own token or account is at fault: nothing can be sent with it until it is fixed. */
export const unauthorized: ProviderError = { fate: 'refused', cause: 'PROVIDER_UNAUTHORIZED' };
export const rateLimited: ProviderError = { fate: 'later', cause: 'PROVIDER_RATE_LIMITED' };
export const unavailable: ProviderError = { fate: 'later', cause: 'PROVIDER_UNAVAILABLE' };
/** The provider failed while processing: it may have accepted the message before that. */
export const interrupted: ProviderError = { fate: 'unknown', cause: 'PROVIDER_UNAVAILABLE' };
export const refusedAs = (cause: string): ProviderError => ({ fate: 'refused', cause });
/** The template has another status for the provider than here: nothing is sent into it. */
export const templateIs = (templateStatus: string): ProviderError => ({ ...refusedAs('INVALID_TEMPLATE'), templateStatus });

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
  return { status, headers, retryAfterMs, json: parseBody(body) };
}

interface JsonPost {
  readonly url: string;
  readonly accessToken: string;
  readonly body: JsonObject;
}

/** Posts JSON with a bearer token and lets `judge` classify the response. A call without a response is classified by {@link failedCall}. */
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

/** Properties of a response beside its status. */
interface AnswerSigns {
  /** Whether it holds an error in the provider's own form, and not a page of a gateway in front of it. Default: false. */
  readonly namesError?: boolean;
  /** Whether it has a `Retry-After`. Default: false. */
  readonly asksToWait?: boolean;
  /** Whether the provider drops a second message of the same key. Default: false. */
  readonly takesIdempotencyKey?: boolean;
}

/**
 * Classifies a response by its status when the provider's table has no code for it: one rule for all adapters (P2, P5).
 *
 * - 401: the credentials are refused
 * - 429: later
 * - 503 in the provider's own form, or with `Retry-After`: the provider declined the request, so later
 * - any other 5xx: unknown, since the provider may have accepted the message before it failed; later where a second message of the same
 *   key is dropped
 * - 2xx without an error: unknown, since nothing in it confirms or refuses the message
 * - anything else: refused
 */
export function classifyStatus(
  status: number,
  { namesError = false, asksToWait = false, takesIdempotencyKey = false }: AnswerSigns = {},
): ProviderError {
  if (status === 401) return unauthorized;
  if (status === 429) return rateLimited;
  if (status >= 500) return takesIdempotencyKey || (status === 503 && (namesError || asksToWait)) ? unavailable : interrupted;
  return isSuccess({ status }) && !namesError ? { fate: 'unknown', cause: 'PROVIDER_ANSWER_UNREADABLE' } : refusedAs('PROVIDER_REFUSED');
}

/** An error in a response. */
interface AnsweredError {
  /** Its text, without secrets. */
  readonly text: string;
  /** Its row in the provider's table; {@link classifyStatus} decides where there is none. */
  readonly meaning: ProviderError | undefined;
}

/** The result of a send whose response does not confirm the message. @param error - left out when the response has none, such as a page of HTML */
export function describeFailedSend(
  { status, retryAfterMs }: Pick<ProviderAnswer, 'status' | 'retryAfterMs'>,
  error?: AnsweredError,
): SendResult {
  const signs = { namesError: error !== undefined, asksToWait: retryAfterMs !== undefined };
  const { fate, cause, templateStatus } = error?.meaning ?? classifyStatus(status, signs);
  const message =
    error === undefined
      ? `The provider answered ${status} with a body that names neither the message nor an error`
      : `The provider ${fate === 'unknown' ? 'failed while it took' : 'refused'} the message: ${error.text}`;
  if (fate === 'refused' && templateStatus !== undefined) return { kind: fate, cause, message, templateStatus };
  return fate === 'later' ? { kind: fate, cause, message, retryAfterMs } : { kind: fate, cause, message };
}

/** Whether a response has a status from 200 to 299. */
export const isSuccess = ({ status }: Pick<ProviderAnswer, 'status'>): boolean => status >= 200 && status <= 299;

/** What the JSON of a response may have: lists of a provider, such as that of templates, have many small objects. */
const answerBounds = { depth: limits.depth, keys: 40_000, values: 100_000 };

/** The JSON of a response; null when it has none, or more than any answer needs. */
export const parseBody = (bytes: Uint8Array): Json => parseForeignJson(new TextDecoder().decode(bytes), answerBounds) ?? null;

/** What JSON in a text of a delivery may have. It is inside of a message, and of an event. */
const innerBounds = { depth: limits.depth - 4, keys: limits.keys, values: 2 * limits.keys };

/** The JSON in a text of a delivery, such as the answers of a form, which its user wrote; `undefined` when it has none, or too much. */
export const parseInner = (text: string): Json | undefined => parseForeignJson(text, innerBounds);

/** The text at a path of a response or delivery; `undefined` for anything else. */
export function textAt(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = getPath(value, path);
  return typeof found === 'string' ? found : undefined;
}

/**
 * The text at a path that is not empty, such as an id; `undefined` for anything else. Providers and what is between them and here write
 * some ids as numbers: these are their digits, and one whose digits a number does not keep is a text before it comes here.
 */
export function nameAt(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = getPath(value, path);
  if (typeof found === 'number') return Number.isSafeInteger(found) && found >= 0 ? String(found) : undefined;
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** The number at a path, also as a text; `undefined` for anything else. */
export function numberAt(value: Json | undefined, ...path: readonly string[]): number | undefined {
  const found = getPath(value, path);
  const read = typeof found === 'number' || (typeof found === 'string' && found.trim() !== '') ? Number(found) : Number.NaN;
  return Number.isFinite(read) ? read : undefined;
}

/** The years 2000 and 2200: seconds that are read as milliseconds are before them, and milliseconds that are read as seconds behind. */
const [earliestMs, lastMs] = [946_684_800_000, 7_258_118_400_000];

/** The instant of an event, in milliseconds since the Unix epoch; 0 when the provider gives no credible one, such as one in another unit. */
export const normalizeInstant = (ms: number | undefined): number =>
  ms !== undefined && ms >= earliestMs && ms <= lastMs ? Math.round(ms) : 0;

/** Encodes an id as one segment of a URL's path. */
export const pathPart = (id: string): string => encodeURIComponent(id.toWellFormed());

/** The objects in the list of this name, where an object alone is a list of one; none when there is no list. */
export function listAt(value: Json | undefined, name: string): readonly JsonObject[] {
  const list = getPath(value, [name]);
  if (isJsonObject(list)) return [list];
  return Array.isArray(list) ? (list as readonly Json[]).filter(isJsonObject) : [];
}

/** Removes the slashes at the end of a base URL. */
export const trimSlashes = (url: string): string => url.replace(/(?<!\/)\/+$/, '');

/** Failures before anything was sent that may not occur again. */
const temporary: ReadonlySet<DialerErrorCode> = new Set<DialerErrorCode>([
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
export function failedCall(error: unknown): Exclude<SendResult, { readonly kind: 'sent' }> {
  if (!isDialerError(error)) throw error;
  const { code: cause, message, retryAfterMs, wasSent } = error;
  if (cause === 'TOO_MANY_REDIRECTS') return { kind: 'refused', cause, message };
  if (wasSent) return { kind: 'unknown', cause, message };
  return temporary.has(cause) ? { kind: 'later', cause, message, retryAfterMs } : { kind: 'refused', cause, message };
}
