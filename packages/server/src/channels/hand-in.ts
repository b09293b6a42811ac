// Hands a message in again that was set aside, since it could not be processed (P17).
import { InboundMessage } from '@hilo/nodes/effects';
import { z } from '@hono/zod-openapi';
import type { Conversations } from '../conversations/conversations.ts';
import { acceptancesOf, mostAcceptances } from '../messages/messages.ts';
import { noteAct } from '../platform/http/acts.ts';
import { bodyErrorResponses, CompanyQuery } from '../platform/http/admin.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { HttpError, notFound } from '../platform/http/errors.ts';
import { ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { requireBotById } from '../tenants/companies.ts';
import type { ChannelParts } from './channels.ts';
import { takeEvent } from './provider-events.ts';

type HandInParts = ChannelParts & { readonly conversations: Pick<Conversations, 'isActive'> };

/** The cause of what was set aside. */
const setAside = 'NOT_PROCESSABLE';

/**
 * Takes the message up as if its user had written it now: of two at once one is a duplicate, since both have the name of the acceptance that
 * they repeat.
 */
export const handInMessage = defineRoute({
  post: '/admin/v1/bots/{botId}/messages/{messageId}/again',
  operationId: 'handInMessage',
  auth: 'operator',
  permission: 'operate',
  forAnswering: true,
  tags: ['Messages'],
  summary: 'Hands a message of a user in again that was set aside',
  description:
    'For use after the cause was mended: a message whose cause is NOT_PROCESSABLE goes to the workflows once more, and is listed once more. One that is set aside again can be handed in again.',
  params: z.object({ botId: z.string(), messageId: z.string() }),
  query: CompanyQuery,
  answer: jsonResponse(
    'What became of it',
    z.object({
      messageId: z.string(),
      outcome: z
        .enum(['started', 'resumed', 'unmatched', 'held', 'queued', 'duplicate', 'noted'])
        .openapi({ description: 'queued: it waits behind another one; duplicate: it was handed in at the same time' }),
    }),
  ),
  refusals: {
    ...bodyErrorResponses,
    409: jsonResponse('It was not set aside, or an operator has its user: the code says which', ErrorBody),
  },
  example: { path: { botId: 'bot_wa', messageId: 'MESSAGE_ID' }, query: { companyId: '1' } },
  async handle({ c, params: { botId, messageId }, query: { companyId } }, service: HandInParts) {
    const bot = requireBotById(service, botId, companyId);
    noteAct(c, { companyId: bot.companyId, kind: 'message', id: messageId });
    const accepted = await service.store.runner.read(acceptancesOf({ companyId: bot.companyId, botId: bot.id, messageId }));
    const last = accepted.at(-1);
    if (last === undefined)
      throw notFound(
        'MESSAGE_NOT_FOUND',
        `Bot "${bot.id}" has received no message "${messageId}": its list of messages has their ids, with the cause ${setAside} of those that were set aside`,
      );
    if (last.cause !== setAside || accepted.length === mostAcceptances)
      throw new HttpError(
        409,
        'MESSAGE_NOT_SET_ASIDE',
        `Message "${messageId}" was not set aside: only one whose cause is ${setAside} can be handed in again, as the list of messages of its bot shows it`,
      );
    const userId = last.userId;
    if (await service.conversations.isActive(bot.companyId, bot.id, userId))
      throw new HttpError(
        409,
        'CONVERSATION_ACTIVE',
        `An operator has the user "${userId}": end the conversation, and hand the message in then`,
      );
    const message = InboundMessage.parse(last.message);
    const event = {
      kind: 'message',
      eventId: `again:${accepted.length}:${messageId}`,
      atMs: last.createdAtMs,
      user: { id: userId },
      message,
      isAgain: true,
      ...(message.type === 'referral' && { isOpening: true as const }),
    } as const;
    const { files: _named, ...parts } = service; // its file has its handle
    const outcome = await takeEvent(parts, bot, event);
    noteAct(c, { after: { outcome } });
    return { messageId, outcome };
  },
});
