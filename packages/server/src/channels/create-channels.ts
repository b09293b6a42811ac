import { createHmac } from 'node:crypto';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Admission } from '../http/admission.ts';
import type { HttpEnv } from '../http/context.ts';
import { envelope, inShape } from '../http/envelope.ts';
import { readBody } from '../http/read-body.ts';
import { notFound, Refusal, unauthorized } from '../http/refusal.ts';
import { createTraffic, type Traffic } from '../http/traffic.ts';
import type { Bot } from '../service/companies.ts';
import type { Service } from '../service/service.ts';
import type { Delivery, InboundAdapter, InboundAdapters } from './adapter.ts';
import { describeRoute } from './describe-route.ts';
import { inboundAdapters } from './inbound-adapters.ts';

const path = '/channels/:botId/webhook';

/** Where providers deliver what users write: `/channels/{botId}/webhook`. */
export function createChannels(
  service: Service,
  traffic: Traffic = createTraffic(service),
  adapters: InboundAdapters = inboundAdapters,
): OpenAPIHono<HttpEnv> {
  const app = inShape(new OpenAPIHono<HttpEnv>(), service);
  describeRoute(app.openAPIRegistry);
  app.use('/channels/*', envelope(service, traffic, 'channels'));
  app.post(path, (c) => takeDelivery(c, service, traffic, adapters));
  app.get(path, (c) => verifyAddress(c, service, adapters));
  return app;
}

/** Takes a delivery: durable before it is answered, and in the order in which it came (P1, P9). */
async function takeDelivery(c: Context<HttpEnv>, service: Service, { admission, rateLimit }: Traffic, adapters: InboundAdapters) {
  const { headers } = c.req.raw;
  const isSigned = [...adapters.values()].some(({ signatureHeader }) => headers.has(signatureHeader));
  if (!isSigned) throw unauthorized('Sign the delivery: no header with a signature came with it');
  const delivery: Delivery = { headers, body: await unprovenBody(c, admission) };
  const { bot, adapter } = senderOf(c, service, adapters, delivery);
  const entry = admission.enter({ kind: 'known', holder: bot.companyId });
  try {
    entry.take(delivery.body.byteLength);
    await rateLimit?.consume(`bot ${bot.id}`);
    let isNew = false;
    for (const message of adapter.messages(bot, delivery)) isNew = !(await service.engine.receiveMessage(message)).isDuplicate || isNew;
    return c.json(isNew ? { success: true } : { success: true, duplicate: true });
  } finally {
    entry.leave();
  }
}

/** Whose a delivery is says the signature of its body: until that has come, it has a place among those of nobody. */
async function unprovenBody(c: Context<HttpEnv>, admission: Admission): Promise<Uint8Array> {
  const entry = admission.enter({ kind: 'nobody' });
  try {
    return await readBody(c, entry);
  } finally {
    entry.leave();
  }
}

/**
 * The bot whose provider signed a delivery. A bot that does not exist, or takes no messages here, answers as one whose secret is
 * another, and after the same work: ids of bots cannot be listed without a credential (P28).
 *
 * @throws {Refusal} 401
 */
function senderOf(c: Context<HttpEnv>, service: Service, adapters: InboundAdapters, delivery: Delivery): Receiver {
  const receiver = receiverOf(c, service, adapters);
  if (receiver === undefined) createHmac('sha256', 'nobody').update(delivery.body).digest();
  if (receiver?.adapter.isAuthentic(receiver.bot, delivery) !== true)
    throw unauthorized('The signature is not that of this body under the secret of this address');
  return receiver;
}

/**
 * Answers a provider that asks whether this address is ours. Only here is 403 an answer, and the same one for whatever bot is not
 * there (P28); who asks nothing finds nothing.
 */
async function verifyAddress(c: Context<HttpEnv>, service: Service, adapters: InboundAdapters): Promise<Response> {
  const { searchParams: question } = new URL(c.req.url);
  if (question.size === 0) throw notFound('NOT_FOUND', 'There is nothing at this address; deliveries are posted to it');
  const receiver = receiverOf(c, service, adapters);
  const challenge = receiver?.adapter.verify?.(receiver.bot, question);
  if (challenge === undefined) throw new Refusal(403, 'UNAUTHORIZED', 'This is not the verify token of this address');
  return c.text(challenge);
}

interface Receiver {
  readonly bot: Bot;
  readonly adapter: InboundAdapter;
}

function receiverOf(c: Context<HttpEnv>, { companies }: Service, adapters: InboundAdapters): Receiver | undefined {
  const bot = companies.bot(c.req.param('botId') ?? '');
  const adapter = bot === undefined ? undefined : adapters.get(bot.provider.kind);
  return bot === undefined || adapter === undefined ? undefined : { bot, adapter };
}
