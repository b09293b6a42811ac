import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpEnv } from '../platform/http/context.ts';
import { notFound } from '../platform/http/errors.ts';
import { jsonResponse } from '../platform/http/openapi.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import {
  recordedResponse,
  checkForBot,
  checkMedia,
  checkWindow,
  findBot,
  keyTaken,
  readSend,
  sendKeyOf,
  withSendBody,
  sendHeaders,
  sendBody,
  Sent,
  sendErrorResponses,
} from './send-request.ts';
import type { MessageParts } from './messages.ts';

const sendMessageRoute = createRoute({
  method: 'post',
  path: '/v1/bots/{botId}/messages',
  operationId: 'sendMessage',
  tags: ['Messages'],
  summary: 'Sends a message to a user of a bot',
  description: 'Of any type that the channel of the bot has; messages to the same user leave in the order in which they were accepted.',
  security: [{ basic: [] }],
  request: { params: z.object({ botId: z.string() }), headers: sendHeaders, body: { required: true, ...sendBody } },
  responses: { 200: jsonResponse('Durably accepted; messages to the same user are sent in order', Sent), ...sendErrorResponses },
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
      const before = await recordedResponse(service.outbox, at, key);
      if (before !== undefined) return c.json({ success: true, messageId: before });
      checkForBot(service, bot, request);
      const contact = await service.store.executions.contact(bot.companyId, bot.id, [userId]);
      await checkWindow(service, bot, userId, contact);
      await checkMedia(service.media, request, bot);
      await checkWindow(service, bot, userId, contact); // the window may have closed while the file was checked (WIN-04)
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

const { 400: _noBody, ...errorResponses } = sendErrorResponses;

const messageStatusRoute = createRoute({
  method: 'get',
  path: '/v1/bots/{botId}/messages/{messageId}',
  operationId: 'getMessageStatus',
  tags: ['Messages'],
  summary: 'The status of a sent message',
  description: 'How far the message has come: queued, sent, delivered, read, or failed with the error.',
  security: [{ basic: [] }],
  request: { params: z.object({ botId: z.string(), messageId: z.string() }) },
  responses: { 200: jsonResponse('The status of the message', Status), ...errorResponses },
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
