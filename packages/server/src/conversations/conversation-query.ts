import { z } from '@hono/zod-openapi';
import { PageQuery } from '../platform/http/page-query.ts';
import { inOrder, OperatorId, UtcInstant } from '../platform/http/date-range.ts';

/** The states of a conversation; all but the first are final (CON-17). */
export const conversationStates = ['active', 'closed', 'resolved', 'expired', 'transferred'] as const;
export type ConversationState = (typeof conversationStates)[number];

/** A filter of texts: never empty, given once. */
const Filter = (field: string) =>
  z.string(`${field} stands in the query once`).min(1, `${field} is empty`).max(256, `${field} is longer than 256 characters`);

/** What conversations are listed by (CON-02 to CON-06). */
export const ConversationQuery = inOrder(
  PageQuery.extend({
    startAt: UtcInstant('startAt'),
    endAt: UtcInstant('endAt'),
    botId: Filter('botId').optional(),
    userId: Filter('userId').optional(),
    operatorId: OperatorId.optional(),
    conversationId: Filter('conversationId').optional(),
    state: z.enum(conversationStates, `state is ${conversationStates.join(', ')}`).optional(),
  }),
);
export type ConversationQuery = z.output<typeof ConversationQuery>;

/** The filters in the order in which addresses name them (CON-09). */
export const filterNames = ['startAt', 'endAt', 'botId', 'userId', 'operatorId', 'conversationId', 'state'] as const;
