// Management of messages.
import { z } from '@hono/zod-openapi';
import { errorResponses, Instant, formatInstant, Page, PageQuery, createRowCursor, Values } from '../platform/http/admin.ts';
import { QueryChoice, QueryInstant, QueryText } from '../platform/http/query.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { exampleUser } from '../platform/http/example-requests.ts';
import { permissions } from '../platform/http/context.ts';
import { HttpError } from '../platform/http/errors.ts';
import { jsonResponse } from '../platform/http/openapi.ts';
import { requireBotById } from '../tenants/companies.ts';
import type { LoggedMessage, MessageParts } from './messages.ts';

const statuses = ['queued', 'sent', 'delivered', 'read', 'failed', 'received'] as const;

const Message = z
  .object({
    messageId: z.string(),
    direction: z.enum(['outbound', 'inbound']),
    userId: z.string(),
    message: Values,
    idempotencyKey: z.string().nullable(),
    status: z.enum(statuses),
    createdAt: Instant,
    executionId: z.string().optional(),
    nodeId: z.string().optional(),
    cause: z.string().optional().openapi({ description: 'Why it failed, or why no workflow took it' }),
    explanation: z.string().optional().openapi({ description: 'Why it failed, in words', example: 'Message undeliverable' }),
  })
  .openapi('LoggedMessage');

const cursors = createRowCursor('messages');

const MessagesQuery = PageQuery.extend({
  userId: QueryText('userId', 128).optional(),
  conversationId: QueryText('conversationId', 128)
    .optional()
    .openapi({ description: 'Between the user and the bot of this conversation, from its start to its end' }),
  status: QueryChoice('status', statuses)
    .optional()
    .openapi({ description: 'How far they are; a page of a status that few messages have may be short, or empty, and go on' }),
  cause: QueryText('cause', 100).optional().openapi({ description: 'Why they failed, or why no workflow took them: a code' }),
  since: QueryInstant('since').optional().openapi({ description: 'Kept at this instant or later' }),
  order: QueryChoice('order', ['asc', 'desc'])
    .default('asc')
    .openapi({ description: 'asc for the oldest first, desc for the newest first; the same on each page of a list' }),
  cursor: cursors.query,
});

/** A message as management shows it, without the execution, the node and the cause when there are none. */
const messageView = ({ createdAtMs, executionId, nodeId, cause, explanation, ...message }: LoggedMessage) => ({
  messageId: message.messageId,
  direction: message.direction,
  userId: message.userId,
  message: message.message,
  idempotencyKey: message.idempotencyKey,
  status: message.status,
  createdAt: formatInstant(createdAtMs),
  ...(executionId !== null && { executionId }),
  ...(nodeId !== null && { nodeId }),
  ...(cause !== null && { cause }),
  ...(explanation !== undefined && explanation !== '' && { explanation }),
});

/** What was sent and received. */
export const listBotMessages = defineRoute({
  get: '/admin/v1/bots/{botId}/messages',
  operationId: 'listBotMessages',
  auth: 'operator',
  permission: 'view',
  forAnswering: true,
  tags: ['Messages'],
  summary: 'The messages that a bot sent and received, oldest or newest first',
  description:
    'All of them, or those of a user, of a conversation, with a status or a cause, or since an instant: `status=failed` lists what failed and why; the cursor continues where a page ended. Who may answer and not view names a conversation.',
  params: z.object({ botId: z.string() }),
  query: MessagesQuery,
  answer: jsonResponse('Messages', Page(Message)),
  refusals: errorResponses,
  example: {
    path: { botId: 'bot_wa' },
    query: { companyId: '1', userId: exampleUser.id, since: '2026-01-01T00:00:00Z', order: 'desc' },
  },
  first: (c, service: MessageParts) => void requireBotById(service, c.req.param('botId') ?? '', c.req.query('companyId')),
  async handle({ c, params: { botId }, query: { companyId, since, ...filter } }, service: MessageParts) {
    if (filter.conversationId === undefined && !(c.get('can') ?? permissions).includes('view'))
      throw new HttpError(403, 'FORBIDDEN', 'Name a conversationId: messages outside of conversations need the permission "view"');
    const bot = requireBotById(service, botId, companyId);
    const wanted = { ...filter, ...(since !== undefined && { sinceMs: Date.parse(since) }) };
    const { results, nextCursor } = await service.messages.list(bot.companyId, bot.id, wanted);
    return { results: results.map(messageView), nextCursor: cursors.write(nextCursor) };
  },
});
