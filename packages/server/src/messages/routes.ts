import { JsonObject } from '@hilo/engine/contract';
import { SendRequest } from '@hilo/nodes';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpEnv } from '../platform/http/context.ts';
import { notFound } from '../platform/http/errors.ts';
import { ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { anyRefusals } from '../platform/http/rest.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import { checkMedia, checkWindow } from './send-checks.ts';
import { answerBefore, checkForChannel, findBot, keyTaken, readSend, sendKeyOf, withSendBody } from './send-request.ts';
import type { MessageParts } from './messages.ts';

/** What a message that was accepted is answered (MSG-02). */
export const Sent = z.object({ success: z.literal(true), messageId: z.string() }).openapi('Sent');

/** The body, by the very schema that judges it. It is judged by hand, so that checks keep their order (GEN-09). */
const describedSend = { content: { 'application/json': { schema: bodySchema() } } };

function bodySchema(): JsonObject {
  const { $schema: _dialect, ...schema } = JsonObject.parse(z.toJSONSchema(SendRequest, { io: 'input', unrepresentable: 'any' }));
  return schema;
}

export const sendHeaders = z.object({
  'idempotency-key': z.string().max(128).optional().openapi({ description: 'The same key and body within 24 hours is one message' }),
});

export const sendRefusals = {
  ...anyRefusals,
  400: jsonResponse('A field, the user, the file or the window: see error', ErrorBody),
  404: jsonResponse('No such bot, campaign or user: see error', ErrorBody),
};

const sendMessageRoute = createRoute({
  method: 'post',
  path: '/v1/bots/{botId}/messages',
  tags: ['Messages'],
  summary: 'Sends a message to a user of a bot',
  security: [{ basic: [] }],
  request: { params: z.object({ botId: z.string() }), headers: sendHeaders, body: { required: true, ...describedSend } },
  responses: { 200: jsonResponse('Durably accepted; it leaves in the order of its user', Sent), ...sendRefusals },
});

/** `POST /v1/bots/{botId}/messages` (MSG-01 to MSG-43). Its checks come in the order of GEN-09. */
function sendRoute(app: OpenAPIHono<HttpEnv>, service: MessageParts, traffic: Pick<Traffic, 'admission'>): void {
  app.openAPIRegistry.registerPath(sendMessageRoute);
  app.post('/v1/bots/:botId/messages', (c) => {
    const bot = findBot(c, service);
    const at = { companyId: bot.companyId, botId: bot.id };
    return withSendBody(c, traffic, async (body) => {
      const { userId, request, message } = readSend(body, bot);
      const key = sendKeyOf(c, body);
      const before = await answerBefore(service.outbox, at, key);
      if (before !== undefined) return c.json({ success: true, messageId: before });
      checkForChannel(request, bot);
      const contact = await service.store.executions.contact(bot.companyId, bot.id, [userId]);
      await checkWindow(service, bot, userId, contact);
      await checkMedia(service.media, request, bot);
      await checkWindow(service, bot, userId, contact); // the look at a file takes its time (WIN-04)
      const send = { ...at, userId, knownAs: contact?.userId ?? userId, message, ...(key !== undefined && { key }) };
      const acceptance = await service.outbox.accept(send);
      if (acceptance.kind !== 'accepted' && acceptance.kind !== 'repeated') throw keyTaken();
      return c.json({ success: true, messageId: acceptance.messageId });
    });
  });
}

const Status = z
  .object({
    messageId: z.string(),
    status: z.enum(['queued', 'sent', 'delivered', 'read', 'failed']),
    error: z.object({ code: z.string(), message: z.string() }).optional().openapi({ description: 'Why it failed' }),
    updatedAt: z.string().openapi({ format: 'date-time' }),
  })
  .openapi('MessageStatus');

const { 400: _noBody, ...refusals } = sendRefusals;

const messageStatusRoute = createRoute({
  method: 'get',
  path: '/v1/bots/{botId}/messages/{messageId}',
  tags: ['Messages'],
  summary: 'What became of a message that was sent',
  security: [{ basic: [] }],
  request: { params: z.object({ botId: z.string(), messageId: z.string() }) },
  responses: { 200: jsonResponse('Where it stands', Status), ...refusals },
});

/** `GET /v1/bots/{botId}/messages/{messageId}` (MSG-42). */
function statusRoute(app: OpenAPIHono<HttpEnv>, service: MessageParts): void {
  app.openapi(messageStatusRoute, async (c) => {
    const bot = findBot(c, service);
    const { messageId } = c.req.valid('param');
    const found = await service.outbox.find(bot.companyId, bot.id, messageId);
    if (found === undefined) throw notFound('MESSAGE_NOT_FOUND', `Bot "${bot.id}" has sent no message "${messageId}"`);
    const { error, updatedAtMs } = found;
    const status = Status.shape.status.parse(found.status);
    return c.json({ messageId, status, ...(error !== undefined && { error }), updatedAt: new Date(updatedAtMs).toISOString() }, 200);
  });
}

/** Sending a message, and what became of it (MSG-01 to MSG-43). */
export function createMessages(service: MessageParts, traffic: Pick<Traffic, 'admission'>): OpenAPIHono<HttpEnv> {
  const app = new OpenAPIHono<HttpEnv>();
  sendRoute(app, service, traffic);
  statusRoute(app, service);
  return app;
}
