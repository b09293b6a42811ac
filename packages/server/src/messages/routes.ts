// The routes by which messages are sent.
import { z } from '@hono/zod-openapi';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { exampleUser } from '../platform/http/example-requests.ts';
import { meetPeople } from '../platform/database/people.ts';
import { notFound } from '../platform/http/errors.ts';
import { jsonResponse } from '../platform/http/openapi.ts';
import type { RestTraffic } from '../platform/http/rest.ts';
import {
  recordedResponse,
  checkForBot,
  checkWindow,
  findBot,
  keyTaken,
  prepareFiles,
  readSend,
  sendKeyOf,
  withSendBody,
  sendHeaders,
  sendBody,
  Sent,
  sendErrorResponses,
} from './send-request.ts';
import type { MessageParts } from './messages.ts';
import { withShare } from '../tenants/company-limits.ts';

/** `POST /v1/bots/{botId}/messages` (MSG-01 to MSG-43). Its checks come in the order of GEN-09. */
const sendMessage = defineRoute({
  post: '/v1/bots/{botId}/messages',
  operationId: 'sendMessage',
  tags: ['Messages'],
  summary: 'Sends a message to a user of a bot',
  description: 'Of any type that the channel of the bot has; messages to the same user leave in the order in which they were accepted.',
  auth: 'basic',
  params: z.object({ botId: z.string() }),
  headers: sendHeaders,
  body: { required: true, ...sendBody },
  answer: jsonResponse('Durably accepted; messages to the same user are sent in order', Sent),
  refusals: sendErrorResponses,
  example: { path: { botId: 'bot_wa' }, body: { type: 'text', userId: exampleUser.id, text: 'Your order is ready.' } },
  handle({ c }, service: MessageParts & RestTraffic) {
    const bot = findBot(c, service);
    const at = { companyId: bot.companyId, botId: bot.id };
    return withSendBody(c, service.traffic, async (body) => {
      const { userId, request, message: content } = readSend(body, bot);
      const key = sendKeyOf(c, body);
      const before = await recordedResponse(service.outbox, at, key);
      if (before !== undefined) return { success: true, messageId: before };
      checkForBot(service, bot, request);
      const contact = await service.store.executions.contact(bot.companyId, bot.id, [userId]);
      await checkWindow(service, bot, userId, contact);
      const message = await prepareFiles(service, request, content, bot);
      await checkWindow(service, bot, userId, contact); // the window may have closed while the file was checked (WIN-04)
      const guard = contact === undefined ? meetPeople(at, [userId]) : [];
      const send = { ...at, userId, knownAs: contact?.userId ?? userId, message, guard, ...(key !== undefined && { key }) };
      const acceptance = await withShare(
        service.shares?.takeMessage(bot.companyId),
        () => service.outbox.accept(send),
        ({ kind }) => kind === 'accepted',
      );
      if (acceptance.kind !== 'accepted' && acceptance.kind !== 'repeated') throw keyTaken();
      return { success: true, messageId: acceptance.messageId };
    });
  },
});

const Status = z
  .object({
    messageId: z.string(),
    status: z.enum(['queued', 'sent', 'delivered', 'read', 'failed']),
    error: z.object({ code: z.string(), message: z.string() }).optional().openapi({ description: 'Why it failed' }),
    updatedAt: z.string().openapi({ format: 'date-time' }),
  })
  .openapi('MessageStatus');

const { 400: _noBody, ...errorResponses } = sendErrorResponses;

/** `GET /v1/bots/{botId}/messages/{messageId}` (MSG-42). */
const getMessageStatus = defineRoute({
  get: '/v1/bots/{botId}/messages/{messageId}',
  operationId: 'getMessageStatus',
  tags: ['Messages'],
  summary: 'The status of a sent message',
  description: 'How far the message has come: queued, sent, delivered, read, or failed with the error.',
  auth: 'basic',
  params: z.object({ botId: z.string(), messageId: z.string() }),
  answer: jsonResponse('The status of the message', Status),
  refusals: errorResponses,
  example: { path: { botId: 'bot_wa', messageId: 'MESSAGE_ID' } },
  async handle({ c, params: { messageId } }, service: MessageParts) {
    const bot = findBot(c, service);
    const found = await service.outbox.find(bot.companyId, bot.id, messageId);
    if (found === undefined) throw notFound('MESSAGE_NOT_FOUND', `Bot "${bot.id}" has sent no message "${messageId}"`);
    const { error, updatedAtMs } = found;
    const status = Status.shape.status.parse(found.status);
    return { messageId, status, ...(error !== undefined && { error }), updatedAt: new Date(updatedAtMs).toISOString() };
  },
});

/** Sending a message, and what became of it (MSG-01 to MSG-43). */
export const sendRoutes: readonly Route<MessageParts & RestTraffic>[] = [sendMessage, getMessageStatus];
