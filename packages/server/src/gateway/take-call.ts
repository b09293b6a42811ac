import { HiloError, NodeId, WorkflowId } from '@hilo/engine/contract';
import type { WebhookCall } from '@hilo/engine';
import type { Context } from 'hono';
import type { Entry } from '../http/admission.ts';
import type { HttpEnv } from '../http/context.ts';
import { unavailable } from '../http/refusal.ts';
import type { Traffic } from '../http/traffic.ts';
import type { Service } from '../service/service.ts';
import { answerAccepted } from './answer-accepted.ts';
import { deliveryKey } from './delivery-key.ts';
import { webhookAt, wouldStart } from './webhook-at.ts';
import { readRequest } from './read-request.ts';
import type { Target } from './target.ts';
import { takeTestUser } from './test-user.ts';

/** Takes a call: its answer is written only when its consequence is durable (P1, WEB-24). */
export async function takeCall(c: Context<HttpEnv>, service: Service, traffic: Traffic, target: Target): Promise<Response> {
  const { companyId, route, workflowId, nodeId, bot } = target;
  // No canvas has such an id, and no store is asked for one.
  if (!WorkflowId.safeParse(workflowId).success) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
  if (!NodeId.safeParse(nodeId).success) throw new HiloError('NODE_NOT_FOUND', { workflowId, nodeId });
  const mayStart = c.req.query('executionId') === undefined;
  const entry = traffic.admission.enter({ kind: mayStart ? 'unknown' : 'known', holder: companyId });
  try {
    const call = await readCall(c, service, entry, target);
    if (!entry.mayStart() && (await wouldStart(service, target, call.request)))
      throw unavailable('Too much is in progress to start anything new; send this again in a moment');
    const accepted = await service.engine.receiveWebhook({
      companyId,
      workflowId,
      nodeId,
      route,
      channel: bot.channel,
      botId: bot.id,
      ...call,
    });
    entry.leave();
    return await answerAccepted(c, service, traffic, companyId, accepted);
  } finally {
    entry.leave();
  }
}

type Read = Pick<WebhookCall, 'request' | 'testUserId' | 'idempotencyKey' | 'userIdFormat'>;

/** Reads what the caller sent. What cannot be read is told only to who called an existing webhook as it may be called (GEN-09). */
async function readCall(c: Context<HttpEnv>, service: Service, entry: Entry, target: Target): Promise<Read> {
  const { userIdFormat } = target.bot.settings;
  try {
    const request = await readRequest(c, entry);
    const idempotencyKey = deliveryKey(c.req.raw.headers);
    const tester = target.route === 'test' ? takeTestUser(request, target.bot) : { request };
    return { ...tester, userIdFormat, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
  } catch (error) {
    const webhook = await webhookAt(service, target);
    if (!webhook.methods.includes(c.req.method))
      throw new HiloError('METHOD_NOT_ALLOWED', { method: c.req.method, allowed: webhook.methods });
    throw error;
  }
}
