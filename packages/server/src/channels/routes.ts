import { createHmac } from 'node:crypto';
import type { ChannelAnswer, ChannelEvent, ConnectedChannel, Delivery } from '@hilo/drivers';
import type { MessageOutcome } from '@hilo/engine';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Admission } from '../platform/http/admission.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { envelope, inShape } from '../platform/http/envelope.ts';
import { parseJson } from '../platform/http/parse-json.ts';
import { readBody, utf8 } from '../platform/http/read-body.ts';
import { notFound, Refusal, unauthorized } from '../platform/http/refusal.ts';
import { createTraffic, type Traffic } from '../platform/http/traffic.ts';
import type { Bot } from '../tenants/companies.ts';
import type { Service } from '../service.ts';
import { describeRoute } from './describe-route.ts';
import type { BotChannel } from './registry.ts';

const path = '/channels/:botId/webhook';

/** Where providers deliver what users write: `/channels/{botId}/webhook`. */
export function createChannels(service: Service, traffic: Traffic = createTraffic(service)): OpenAPIHono<HttpEnv> {
  const app = inShape(new OpenAPIHono<HttpEnv>(), service);
  describeRoute(app.openAPIRegistry);
  app.use('/channels/*', envelope(service, traffic, 'channels'));
  app.post(path, (c) => takeDelivery(c, service, traffic));
  app.get(path, (c) => verifyAddress(c, service));
  return app;
}

/** Takes a delivery: durable before it is answered, and in the order in which it came (P1, P9). */
async function takeDelivery(c: Context<HttpEnv>, service: Service, { admission, rateLimit }: Traffic): Promise<Response> {
  const { headers } = c.req.raw;
  if (!service.channels.isSigned(headers)) throw unauthorized('Sign the delivery: no header with a signature came with it');
  const body = await unprovenBody(c, admission);
  const delivery: Delivery = { headers, body, json: (text = utf8(body)) => parseJson(text) };
  const { bot, connected, host } = await senderOf(c, service, delivery);
  const entry = admission.enter({ kind: 'known', holder: bot.companyId });
  try {
    entry.take(body.byteLength);
    await rateLimit?.consume(`bot ${bot.id}`);
    const received = await connected.receive(delivery, host());
    if (received.kind === 'invalid') throw new Refusal(400, received.code, received.message);
    const outcomes: (MessageOutcome | 'noted')[] = [];
    for (const event of received.events) outcomes.push(await takeEvent(service, bot, event));
    if (received.answer !== undefined) return answerWith(c, received.answer);
    const isRepeated = outcomes.length > 0 && outcomes.every((outcome) => outcome === 'duplicate');
    return c.json({ success: true, ...(isRepeated && { duplicate: true }), ...(outcomes.length === 1 && { outcome: outcomes[0] }) });
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
async function senderOf(c: Context<HttpEnv>, service: Service, delivery: Delivery): Promise<Receiver> {
  const receiver = receiverOf(c, service);
  if (receiver === undefined) createHmac('sha256', 'nobody').update(delivery.body).digest();
  if (receiver === undefined || !(await isAuthentic(receiver, delivery)))
    throw unauthorized('The signature is not that of this body under the secret of this address');
  return receiver;
}

/** An adapter that cannot judge a delivery has not found it authentic (T5). */
async function isAuthentic({ connected, host }: Receiver, delivery: Delivery): Promise<boolean> {
  try {
    return await connected.authenticate(delivery, host());
  } catch {
    return false;
  }
}

/** Takes what a provider tells. @returns what came of it: `duplicate` for an event that was taken before (P10) */
async function takeEvent({ engine, log }: Service, { companyId, id: botId }: Bot, event: ChannelEvent): Promise<MessageOutcome | 'noted'> {
  if (event.kind === 'message') {
    const { eventId, user, message } = event;
    return (await engine.receiveMessage({ companyId, botId, eventId, user, message })).outcome;
  }
  const { kind, eventId } = event;
  log.info({ companyId, botId, event: kind, eventId }, `The provider of bot "${botId}" told of something that nothing acts on: ${kind}`);
  return 'noted';
}

/**
 * Answers a provider that asks whether this address is ours. Only here is 403 an answer, and the same one for whatever bot is not
 * there (P28); who asks nothing finds nothing.
 */
async function verifyAddress(c: Context<HttpEnv>, service: Service): Promise<Response> {
  const { searchParams: question } = new URL(c.req.url);
  if (question.size === 0) throw notFound('NOT_FOUND', 'There is nothing at this address; deliveries are posted to it');
  const receiver = receiverOf(c, service);
  const answer = receiver?.connected.verify?.(question, receiver.host());
  if (answer === undefined) throw new Refusal(403, 'UNAUTHORIZED', 'This is not the verify token of this address');
  return answerWith(c, answer);
}

const answerWith = (c: Context<HttpEnv>, answer: ChannelAnswer): Response => ('text' in answer ? c.text(answer.text) : c.json(answer.json));

interface Receiver extends Omit<BotChannel, 'connected'> {
  readonly bot: Bot;
  readonly connected: ConnectedChannel;
}

/** The bot of the path. One whose provider lacks a secret can prove no delivery, and takes none (T5). */
function receiverOf(c: Context<HttpEnv>, { companies, channels }: Service): Receiver | undefined {
  const bot = companies.bot(c.req.param('botId') ?? '');
  const channel = bot === undefined ? undefined : channels.of(bot);
  if (bot === undefined || channel === undefined || 'unfitFields' in channel.connected) return undefined;
  return { bot, ...channel, connected: channel.connected };
}
