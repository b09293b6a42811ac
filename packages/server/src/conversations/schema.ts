// Conversations as routes show them, and the bodies by which operators change them.
import { optional, pick, type ReadOf, text } from '@hilo/stores';
import { z } from '@hono/zod-openapi';
import { conversations, operators } from '../platform/tables/conversations.ts';
import { requireOrder, OperatorId, UtcInstant } from '../platform/http/date-range.ts';
import { QueryChoice, QueryText } from '../platform/http/query.ts';
import { PageQuery } from '../platform/http/rest.ts';
import type { Companies, Company } from '../tenants/companies.ts';
import { asSeenText } from '../platform/shown-names.ts';
import { isPlain } from '../tenants/workspace/fields.ts';

/** The states of a conversation; all but the first are final (CON-17). */
export const conversationStates = ['active', 'closed', 'resolved', 'expired', 'transferred'] as const;
export type ConversationState = (typeof conversationStates)[number];

const Filter = (field: string) => QueryText(field, 256);

/** What conversations are listed by (CON-02 to CON-06). */
export const ConversationQuery = requireOrder(
  PageQuery.extend({
    startAt: UtcInstant('startAt'),
    endAt: UtcInstant('endAt'),
    botId: Filter('botId').optional(),
    userId: Filter('userId').optional(),
    operatorId: OperatorId.optional(),
    conversationId: Filter('conversationId').optional(),
    state: QueryChoice('state', conversationStates).optional(),
  }),
);
export type ConversationQuery = z.output<typeof ConversationQuery>;

/** The filters in the order in which addresses name them (CON-09). */
export const filterNames = ['startAt', 'endAt', 'botId', 'userId', 'operatorId', 'conversationId', 'state'] as const;

const Moment = z.string().openapi({ example: '2026-01-05 10:00:00', description: 'YYYY-MM-DD hh:mm:ss, in UTC' });

/** A conversation as the API shows it (CON-11 to CON-18). Durations are milliseconds, unlike those of statistics. */
export const Conversation = z
  .object({
    _id: z.string(),
    operator: z.object({ id: z.int(), names: z.string(), email: z.string() }).nullable(),
    user: z.object({ id: z.string(), names: z.string() }),
    bot: z.object({ id: z.string(), name: z.string() }),
    company: z.object({ name: z.string() }),
    assignationMethod: z.object({ teamName: z.string().nullable() }),
    state: z.enum(conversationStates),
    wasReplied: z.boolean(),
    childConversation: z.string().nullable(),
    parentConversation: z.string().nullable(),
    endedReason: z.string().nullable(),
    startAt: Moment,
    endAt: Moment.nullable(),
    firstRepliedAtOperator: Moment.nullable(),
    origin: z.string(),
    timeRepliedOperator: z.number().nullable(),
    conversationDuration: z.number(),
    avgOperatorResponseTime: z.number().nullable(),
  })
  .openapi('Conversation');

const { columns } = conversations;

/** What is read of a conversation to show it. */
export const shownColumns = {
  ...pick(columns, 'id', 'botId', 'userId', 'operatorId', 'teamName', 'state', 'wasReplied', 'endedReason', 'origin', 'startAtMs'),
  ...pick(columns, 'endAtMs', 'firstRepliedAtMs', 'responseCount', 'childConversation', 'parentConversation'),
};

/** The same with what belongs to it in other tables. */
export const listedColumns = {
  ...shownColumns,
  ...pick(columns, 'responseTotalMs'),
  operatorNames: optional(operators.columns.names),
  operatorEmail: optional(operators.columns.email),
  userNames: optional(text()),
};
export type ListedConversation = ReadOf<typeof listedColumns>;

/** @param nowMs - how long an active conversation lasts is counted to here */
export function describeConversation(
  row: ListedConversation,
  company: Pick<Company, 'id' | 'name'>,
  companies: Pick<Companies, 'botOf'>,
  nowMs: number,
): z.output<typeof Conversation> {
  const { id, botId, startAtMs: startMs, endAtMs: endMs, firstRepliedAtMs: repliedMs, responseCount: responses } = row;
  return {
    _id: id,
    operator: row.operatorId === undefined ? null : { id: row.operatorId, names: row.operatorNames ?? '', email: row.operatorEmail ?? '' },
    user: { id: row.userId, names: row.userNames ?? '' },
    bot: { id: botId, name: companies.botOf(company.id, botId)?.name ?? '' },
    company: { name: company.name },
    assignationMethod: { teamName: row.teamName ?? null },
    state: readState(row.state),
    wasReplied: row.wasReplied,
    childConversation: row.childConversation ?? null,
    parentConversation: row.parentConversation ?? null,
    endedReason: row.endedReason ?? null,
    startAt: formatMoment(startMs),
    endAt: endMs === undefined ? null : formatMoment(endMs),
    firstRepliedAtOperator: repliedMs === undefined ? null : formatMoment(repliedMs),
    origin: row.origin,
    timeRepliedOperator: repliedMs === undefined ? null : repliedMs - startMs,
    conversationDuration: (endMs ?? Math.max(nowMs, startMs)) - startMs,
    avgOperatorResponseTime: responses === 0 ? null : row.responseTotalMs / responses,
  };
}

/** `YYYY-MM-DD hh:mm:ss` in UTC (CON-14). */
const formatMoment = (atMs: number): string => new Date(atMs).toISOString().slice(0, 19).replace('T', ' ');

/** Narrows the type: only these states are ever written. */
const readState = (state: string): ConversationState => conversationStates.find((known) => known === state) ?? 'active';

const Text = (field: string, maxChars: number) =>
  asSeenText(
    field,
    z
      .string(`${field} is a text`)
      .trim()
      .min(1, `${field} is empty`)
      .max(maxChars, `${field} is longer than ${maxChars} characters`)
      .refine(isPlain, `${field} holds NUL or half a character`),
  );
const Number = (field: string) => z.int(`${field} is a whole number`).positive(`${field} is above zero`);

const wanted = { operatorId: Number('operatorId').optional(), teamId: Number('teamId').optional() };

/** An operator begins a conversation. */
export const OpenBody = z.object({
  botId: Text('botId', 128),
  // Unchanged: whether it is a valid id depends on the bot (UID-03).
  userId: z.string('userId is a text').min(1, 'userId is empty').max(256, 'userId is longer than 256 characters'),
  ...wanted,
  origin: Text('origin', 500).default('induced_by_operator'),
});

/** The operator or the team that takes a conversation over. */
export const WantedBody = z
  .object(wanted)
  .refine(({ operatorId, teamId }) => operatorId !== undefined || teamId !== undefined, 'give "operatorId", "teamId" or both');

/** Why a conversation ends, in free text (CON-15). */
export const EndBody = z.object({ reason: Text('reason', 500).optional() });
