import { read } from '@hilo/stores';
import { z } from '@hono/zod-openapi';
import type { Companies, Company } from '../tenants/companies.ts';
import type { ConversationRow } from '../platform/database/attention-rows.ts';
import { type ConversationState, conversationStates } from './conversation-query.ts';

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

/** A row of the list, with the names that stand elsewhere. */
export interface ListedConversation
  extends Omit<ConversationRow, 'company_id' | 'room_id' | 'user_key' | 'response_times_ms' | 'last_message_by'> {
  readonly operator_names: string | null;
  readonly operator_email: string | null;
  readonly user_names: string | null;
}

/** @param nowMs - how long an active conversation lasts is counted to here */
export function conversationView(
  row: ListedConversation,
  company: Pick<Company, 'id' | 'name'>,
  companies: Pick<Companies, 'botOf'>,
  nowMs: number,
): z.output<typeof Conversation> {
  const { start_at_ms: startMs, end_at_ms: endMs, first_replied_at_ms: repliedMs, response_count: responses } = row;
  const botId = read(row.bot_id);
  return {
    _id: read(row.id),
    operator:
      row.operator_id === null
        ? null
        : { id: row.operator_id, names: read(row.operator_names ?? ''), email: read(row.operator_email ?? '') },
    user: { id: read(row.user_id), names: read(row.user_names ?? '') },
    bot: { id: botId, name: companies.botOf(company.id, botId)?.name ?? '' },
    company: { name: company.name },
    assignationMethod: { teamName: row.team_name === null ? null : read(row.team_name) },
    state: stateOf(row.state),
    wasReplied: row.was_replied === 1,
    childConversation: row.child_conversation,
    parentConversation: row.parent_conversation,
    endedReason: row.ended_reason === null ? null : read(row.ended_reason),
    startAt: moment(startMs),
    endAt: endMs === null ? null : moment(endMs),
    firstRepliedAtOperator: repliedMs === null ? null : moment(repliedMs),
    origin: read(row.origin),
    timeRepliedOperator: repliedMs === null ? null : repliedMs - startMs,
    conversationDuration: (endMs ?? Math.max(nowMs, startMs)) - startMs,
    avgOperatorResponseTime: responses === 0 ? null : row.response_total_ms / responses,
  };
}

/** `YYYY-MM-DD hh:mm:ss` in UTC (CON-14). */
const moment = (atMs: number): string => new Date(atMs).toISOString().slice(0, 19).replace('T', ' ');

/** Only these are ever written. */
const stateOf = (state: string): ConversationState => conversationStates.find((known) => known === state) ?? 'active';
