import { createHmac } from 'node:crypto';
import { type ChannelAnswer, type ConnectedChannel, CustomEvent, type Delivery } from '@hilo/drivers';
import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Admission } from '../platform/http/admission.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { envelope, withErrorHandler } from '../platform/http/envelope.ts';
import { notFound, HttpError, unauthorized } from '../platform/http/errors.ts';
import { ErrorBody, jsonResponse, otherCell } from '../platform/http/openapi.ts';
import { httpLimits } from '../platform/http/limits.ts';
import { parseJson } from '../platform/http/parse-json.ts';
import { readBody, utf8 } from '../platform/http/read-body.ts';
import { createTraffic, type Traffic } from '../platform/http/traffic.ts';
import { traceOf } from '../platform/tracing.ts';
import type { Bot } from '../tenants/companies.ts';
import type { BotChannel, ChannelParts } from './channels.ts';
import { type EventOutcome, takeEvent } from './provider-events.ts';

/** Writes the route of inbound messages into the description of the interface. */
function describeRoute(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerComponent('securitySchemes', 'providerSignature', {
    type: 'apiKey',
    in: 'header',
    name: 'X-Hub-Signature-256',
    description: 'Not a secret itself: made of one, and of the body',
  });
  registry.registerPath({
    method: 'post',
    path: '/channels/{botId}/webhook',
    tags: ['Channels'],
    security: [{ providerSignature: [] }],
    summary: "Takes a user's message for a bot of the kind log or custom",
    request: {
      params: z.object({ botId: z.string() }),
      headers: z.object({
        'x-hub-signature-256': z.string().openapi({ description: 'sha256= and the hex HMAC-SHA256 of the body under the appSecret' }),
      }),
      body: { content: { 'application/json': { schema: eventSchema() } } },
    },
    responses: {
      200: jsonResponse(
        'Durably accepted',
        z.object({
          success: z.literal(true),
          duplicate: z.literal(true).optional(),
          outcome: z
            .enum(['started', 'resumed', 'unmatched', 'held', 'queued', 'duplicate', 'noted'])
            .optional()
            .openapi({ description: 'What came of the one message by now; queued: it has its turn behind another' }),
        }),
      ),
      400: jsonResponse('Not an event, or its user id is not valid', ErrorBody),
      401: jsonResponse('Not signed, or not by the secret of this bot; the same where there is no such bot', ErrorBody),
      413: jsonResponse('The body is larger than 1 MB', ErrorBody),
      ...otherCell,
      429: jsonResponse('Too many requests: see Retry-After', ErrorBody),
      503: jsonResponse('Nothing was written: see Retry-After', ErrorBody),
    },
  });
}

/** The schema of an event. What refers to itself there is any JSON value: the document needs no name for it. */
function eventSchema(): object {
  const { $schema: _dialect, $defs: _names, ...schema } = z.toJSONSchema(CustomEvent, { io: 'input' });
  return JSON.parse(JSON.stringify(schema, (_key, value: unknown) => (isReference(value) ? {} : value))) as object;
}

const isReference = (value: unknown): boolean => typeof value === 'object' && value !== null && '$ref' in value;

const path = '/channels/:botId/webhook';

/** Where providers deliver what users write: `/channels/{botId}/webhook`. */
export function createChannels(service: ChannelParts, traffic: Traffic = createTraffic(service)): OpenAPIHono<HttpEnv> {
  const app = withErrorHandler(new OpenAPIHono<HttpEnv>(), service);
  describeRoute(app.openAPIRegistry);
  app.use('/channels/*', envelope(service, traffic, 'channels'));
  app.post(path, (c) => takeDelivery(c, service, traffic));
  app.get(path, (c) => verifyAddress(c, service));
  return app;
}

/** Processes a delivery: durable before the answer, and in order of arrival (P1, P9). */
async function takeDelivery(c: Context<HttpEnv>, service: ChannelParts, { admission, rateLimit }: Traffic): Promise<Response> {
  const { headers } = c.req.raw;
  if (!service.channels.isSigned(headers)) throw unauthorized('Sign the delivery: no header with a signature came with it');
  const body = await unprovenBody(c, admission);
  const delivery: Delivery = { headers, body, json: (text = utf8(body)) => parseJson(text, httpLimits.deliveryKeys) };
  const { bot, connected, host } = await senderOf(c, service, delivery);
  const entry = admission.enter({ kind: 'known', holder: bot.companyId });
  try {
    entry.take(body.byteLength);
    await rateLimit?.consume(`bot ${bot.id}`);
    const received = await connected.receive(delivery, host());
    if (received.kind === 'invalid') throw new HttpError(400, received.code, received.message);
    const outcomes: EventOutcome[] = [];
    for (const event of received.events) outcomes.push(await takeEvent(service, bot, event, traceOf(headers)));
    if (received.answer !== undefined) return answerWith(c, received.answer);
    const isRepeated = outcomes.length > 0 && outcomes.every((outcome) => outcome === 'duplicate');
    return c.json({ success: true, ...(isRepeated && { duplicate: true }), ...(outcomes.length === 1 && { outcome: outcomes[0] }) });
  } finally {
    entry.leave();
  }
}

/** Only the signature over the body proves the sender: until it is read, the request counts as unauthenticated. */
async function unprovenBody(c: Context<HttpEnv>, admission: Admission): Promise<Uint8Array> {
  const entry = admission.enter({ kind: 'anonymous' });
  try {
    return await readBody(c, entry);
  } finally {
    entry.leave();
  }
}

/**
 * The bot whose provider signed a delivery. An unknown bot, or one that takes no messages here, answers like a wrong secret, after
 * the same work: ids of bots cannot be enumerated without a credential (P28).
 *
 * @throws {HttpError} 401
 */
async function senderOf(c: Context<HttpEnv>, service: ChannelParts, delivery: Delivery): Promise<Receiver> {
  const receiver = receiverOf(c, service);
  if (receiver === undefined) createHmac('sha256', 'nobody').update(delivery.body).digest();
  if (receiver === undefined || !(await isAuthentic(receiver, delivery)))
    throw unauthorized('The signature is not that of this body under the secret of this address');
  return receiver;
}

/** An adapter that throws has not authenticated the delivery (T5). */
async function isAuthentic({ connected, host }: Receiver, delivery: Delivery): Promise<boolean> {
  try {
    return await connected.authenticate(delivery, host());
  } catch {
    return false;
  }
}

/**
 * Answers a provider's verification request for this address. Only here is 403 an answer, and the same one for any bot that does
 * not exist (P28); a request that is no verification gets 404.
 */
async function verifyAddress(c: Context<HttpEnv>, service: ChannelParts): Promise<Response> {
  const { searchParams: question } = new URL(c.req.url);
  if (question.size === 0) throw notFound('NOT_FOUND', 'There is nothing at this address; deliveries are posted to it');
  const receiver = receiverOf(c, service);
  const answer = receiver?.connected.verify?.(question, receiver.host());
  if (answer === undefined) throw new HttpError(403, 'UNAUTHORIZED', 'This is not the verify token of this address');
  return answerWith(c, answer);
}

const answerWith = (c: Context<HttpEnv>, answer: ChannelAnswer): Response => ('text' in answer ? c.text(answer.text) : c.json(answer.json));

interface Receiver extends Omit<BotChannel, 'connected'> {
  readonly bot: Bot;
  readonly connected: ConnectedChannel;
}

/** The bot of the path. A bot whose provider has no secret cannot authenticate deliveries, and accepts none (T5). */
function receiverOf(c: Context<HttpEnv>, { companies, channels }: ChannelParts): Receiver | undefined {
  const bot = companies.bot(c.req.param('botId') ?? '');
  const channel = bot === undefined ? undefined : channels.of(bot);
  if (bot === undefined || channel === undefined || 'unfitFields' in channel.connected) return undefined;
  return { bot, ...channel, connected: channel.connected };
}
