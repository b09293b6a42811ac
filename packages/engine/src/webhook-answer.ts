import { isJsonObject, type Json } from './contract/json.ts';
import type { HistoryRecord } from './contract/store.ts';

/** The answer of a canvas to the request that waits for it. */
export interface WebhookResponse {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: Json;
}

/** The effect by which a canvas answers the request that is still open. */
const respondEffect = 'webhook.respond';

/** Reads the answer in the request of an effect; `undefined` for another effect, and where its node keeps the request out of the history. */
export function readWebhookResponse(effect: { readonly type: string; readonly request?: Json } | undefined): WebhookResponse | undefined {
  if (effect?.type !== respondEffect || effect.request === undefined || !isJsonObject(effect.request)) return undefined;
  const { status, headers = {}, body = null } = effect.request;
  if (typeof status !== 'number' || !isJsonObject(headers)) return undefined;
  const texts = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  return { status, headers: Object.fromEntries(texts), body };
}

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
