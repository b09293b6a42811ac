import type { WebhookCall } from '@hilo/engine';
import type { JsonObject } from '@hilo/engine/contract';
import { botId, companyId, secret } from './names.ts';

/** A request to the webhook of "order": a start, or a payment when its body names an execution. */
export const orderCall = (body: JsonObject): WebhookCall => ({
  companyId,
  botId,
  workflowId: 'order',
  nodeId: 'hook',
  route: 'production',
  channel: 'custom',
  userIdFormat: 'open',
  request: { method: 'POST', headers: { 'x-api-key': secret }, query: {}, body },
});
