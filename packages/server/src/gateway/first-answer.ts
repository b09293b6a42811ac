import type { HistoryRecord } from '@hilo/engine/contract';
import { respondWebhook } from '@hilo/nodes/effects';
import type { WebhookResponse } from '../service/webhook-responses.ts';

/**
 * What an execution answered the request that it began with; `undefined` where it has not, or where the node keeps it out of the
 * history. What follows a further request answers that one.
 */
export function firstAnswer(records: readonly HistoryRecord[]): WebhookResponse | undefined {
  for (const { event, entries } of records) {
    if (event.type === 'webhook.received') return undefined;
    const asked = entries.find(({ effect }) => effect?.type === respondWebhook.type && effect.request !== undefined);
    if (asked !== undefined) return respondWebhook.request.safeParse(asked.effect?.request).data;
  }
  return undefined;
}
