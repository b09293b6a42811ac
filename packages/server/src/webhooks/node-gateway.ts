import { companyOfKey, keyCredential } from '../platform/http/auth/api-key-auth.ts';
import type { HttpAnswer, HttpCall } from '../platform/http/call.ts';
import { createNodeHandler, type NodeHandler, plainQuery, plainSegment } from '../platform/http/node-frame.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import { type Target, targetOf } from './find-webhook.ts';
import { handleWebhook } from './handle-webhook.ts';
import type { WebhookParts } from './read-request.ts';

/** The gateway's two webhook routes on Node's own server: the same authentication and handler as in the framework. */
export const createNodeGateway = (service: WebhookParts, traffic: Traffic): NodeHandler =>
  createNodeHandler(service, traffic, {
    surface: 'gateway',
    find: addressOf,
    handle: (call, address) => handleAuthenticated(service, traffic, call, address),
  });

interface Address extends Pick<Target, 'route' | 'workflowId' | 'nodeId'> {
  readonly channel: string;
}

const webhookUrl = new RegExp(`^/workflows/v2/webhooks/skill/(${plainSegment})/([\\w-]+)/(test/)?(${plainSegment})${plainQuery}$`);

function addressOf(url: string): Address | undefined {
  const [, workflowId, channel, test, nodeId] = webhookUrl.exec(url) ?? [];
  if (workflowId === undefined || channel === undefined || nodeId === undefined) return undefined;
  return { workflowId, channel, nodeId, route: test === undefined ? 'production' : 'test' };
}

/** Behind the doors of every gateway route: the key, then how often it comes. */
async function handleAuthenticated(service: WebhookParts, traffic: Traffic, call: HttpCall, address: Address): Promise<HttpAnswer> {
  const key = call.headers['x-api-key'];
  const companyId = companyOfKey(service, key);
  if (traffic.rateLimit !== undefined) await traffic.rateLimit.consume(keyCredential(key));
  return handleWebhook(service, traffic, call, targetOf(service, companyId, address));
}
