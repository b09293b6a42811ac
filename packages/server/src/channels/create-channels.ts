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
  const { bot, adapter } = receiverOf(c, service, adapters);
  const delivery: Delivery = { headers, body: await unprovenBody(c, admission) };
  if (!adapter.isAuthentic(bot, delivery)) throw unauthorized(`The signature in ${adapter.signatureHeader} is not that of this body`);
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

/** Answers a provider that asks whether this address is ours. Only here is 403 an answer. */
async function verifyAddress(c: Context<HttpEnv>, service: Service, adapters: InboundAdapters): Promise<Response> {
  const { bot, adapter } = receiverOf(c, service, adapters);
  if (adapter.verify === undefined) throw noSuchBot(bot.id);
  const challenge = adapter.verify(bot, new URL(c.req.url).searchParams);
  if (challenge === undefined) throw new Refusal(403, 'UNAUTHORIZED', 'This is not the verify token of the bot');
  return c.text(challenge);
}

function receiverOf(
  c: Context<HttpEnv>,
  { companies }: Service,
  adapters: InboundAdapters,
): { readonly bot: Bot; readonly adapter: InboundAdapter } {
  const botId = c.req.param('botId') ?? '';
  const bot = companies.bot(botId);
  const adapter = bot === undefined ? undefined : adapters.get(bot.provider.kind);
  if (bot === undefined || adapter === undefined) throw noSuchBot(botId);
  return { bot, adapter };
}

const noSuchBot = (botId: string): Refusal => notFound('BOT_NOT_FOUND', `There is no bot "${botId}" that takes messages here`);
