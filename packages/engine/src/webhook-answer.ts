import { isAnswerHeader } from './contract/answer-headers.ts';
import { isJsonObject, type Json } from './contract/json.ts';
import type { HistoryRecord } from './contract/store.ts';

/**
 * The answer of a canvas to the request that waits for it. A browser must not take it for a page of the host's own (T20): it has the headers
 * that its author may set, in lower case, and a type; a version that was published before a header was refused is answered without it.
 */
export interface WebhookResponse {
  /** The status of HTTP, 200 to 599. */
  readonly status: number;
  /** By name, in small letters. */
  readonly headers: { readonly [name: string]: string };
  /** What is sent as JSON. */
  readonly body: Json;
}

/** How an execution ended whose canvas gave no answer. */
export type Finish = WebhookResponse | { readonly ended: string };

/** The effect by which a canvas answers the request that is still open. */
export const respondEffect = 'webhook.respond';

/** Reads the answer in the request of an effect; `undefined` for another effect, and where its node keeps the request out of the history. */
export function readWebhookResponse(effect: { readonly type: string; readonly request?: Json } | undefined): WebhookResponse | undefined {
  if (effect?.type !== respondEffect || effect.request === undefined || !isJsonObject(effect.request)) return undefined;
  const { status, headers = {}, body = null } = effect.request;
  if (typeof status !== 'number' || !isJsonObject(headers)) return undefined;
  const kept: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && isAnswerHeader(name)) kept[name.toLowerCase()] = value;
  if (!isEmpty({ status, body })) kept['content-type'] ??= typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  return { status, headers: kept, body };
}

/** Whether an answer has no body. */
export const isEmpty = ({ status, body }: Pick<WebhookResponse, 'status' | 'body'>): boolean =>
  body === null || status === 204 || status === 205 || status === 304;

/**
 * The answer of an execution to the request that it began with; `undefined` when it has none. Answers after a further request are for
 * that one.
 */
export function findWebhookResponse(records: readonly HistoryRecord[]): WebhookResponse | undefined {
  for (const { event, entries } of records) {
    if (event.type === 'webhook.received' && event.isKept !== true) return undefined;
    for (const { effect } of entries) {
      const response = readWebhookResponse(effect);
      if (response !== undefined) return response;
    }
  }
  return undefined;
}
