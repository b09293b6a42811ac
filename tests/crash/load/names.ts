// The company, the bot and the users of the campaigns of crashes.
import type { Directory, WebhookCall } from '@hilo/engine';
import type { JsonObject, Origin } from '@hilo/engine/contract';

export const companyId = 'c1';
export const botId = 'b1';

/** The bot's channel has no session window. */
export const directory: Directory = {
  company: () => ({ id: companyId }),
  bot: () => ({ id: botId, channel: 'custom' }),
};

/** The origin of executions without a user. */
export const system: Origin = { companyId, route: 'production' };

/** Users of the conversations. */
export const users: readonly string[] = ['593900000001', '593900000002', '593900000003'];

/** Stands in the credential header of every webhook request, and nowhere else (P31). */
export const secret = 'canary-7f3d9b21c4';

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
