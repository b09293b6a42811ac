import { asCondition, type Call, type GivenOf, integer, pick } from '@hilo/stores';
import { sql } from 'kysely';
import { companyQuery } from '../platform/database/schema.ts';
import { conversations } from '../platform/tables/conversations.ts';
import { active, activateConversation } from './sql.ts';
import { type BotUser, laneOf, nameLane } from '../platform/database/lanes.ts';

/** How long a conversation stays open without a message, by default (P13). */
export const usualIdleMs = 86_400_000;

/** How long the user waited for this answer; 0 when the clock was set back. */
const measureResponse = (atMs: number) => sql<number>`case when ${atMs} > waiting_since_ms then ${atMs} - waiting_since_ms else 0 end`;

/** A reply is never earlier than the start of its conversation, even when the clock is set back. */
const boundByStart = (atMs: number) => sql<number>`case when start_at_ms > ${atMs} then start_at_ms else ${atMs} end`;

/** What a message of a person who answers changes in its conversation. */
export const operatorWrites = (atMs: number) => ({
  last_message_by: 'operator',
  was_replied: 1,
  first_replied_at_ms: sql<number>`coalesce(first_replied_at_ms, ${boundByStart(atMs)})`,
  response_count: sql<number>`response_count + case when waiting_since_ms is null then 0 else 1 end`,
  response_total_ms: sql<number>`response_total_ms + case when waiting_since_ms is null then 0 else ${measureResponse(atMs)} end`,
  response_times_ms: sql<string | null>`case
        when waiting_since_ms is null then response_times_ms
        when response_times_ms is null then '[' || cast(${measureResponse(atMs)} as text) || ']'
        else substr(response_times_ms, 1, length(response_times_ms) - 1) || ',' || cast(${measureResponse(atMs)} as text) || ']' end`,
  waiting_since_ms: null,
  due_at_ms: sql<number>`${atMs} + idle_ms`,
});

const operatorWrote = companyQuery({ ...pick(conversations.columns, 'id'), atMs: integer() }, {}, (company, { id, atMs }) =>
  company
    .updateTable('conversations')
    .set(operatorWrites(atMs))
    .where('id', '=', id)
    .where('state', '=', active)
    .where('operator_id', 'is not', null)
    .returning('id'),
);

/** A conversation, by what never changes of it. */
export interface NotedConversation extends BotUser {
  readonly id: string;
}

/**
 * A message of the operator: the first one is the reply, and the waiting time of the user is measured at each (CON-13). An imported
 * conversation becomes active with it, so that the user's next message goes to the operator. The whole write is refused when the
 * conversation is not active or has no operator.
 */
export const noteOperator = ({ companyId, id, botId, userId }: NotedConversation, atMs: number): readonly Call[] => [
  asCondition(operatorWrote({ companyId, id, atMs })),
  activateConversation({
    companyId,
    id,
    activeKey: nameLane(laneOf({ companyId, botId, userId })),
    idleMs: usualIdleMs,
    dueAtMs: atMs + usualIdleMs,
  }),
];

/**
 * Activates imported conversations as if they had begun here: the user's messages go to the operator, and an idle one expires. One
 * that was idle for longer than that stays a record until its operator writes, so that it takes no messages away from workflows.
 */
export const activateImported = (brought: readonly GivenOf<typeof conversations.columns>[], nowMs: number): readonly Call[] =>
  brought.flatMap(({ companyId, id, botId, userId, state, startAtMs: startMs, firstRepliedAtMs }) => {
    const dueAtMs = Math.max(startMs, firstRepliedAtMs ?? startMs) + usualIdleMs;
    if (state !== 'active' || startMs > nowMs || dueAtMs <= nowMs) return [];
    return [
      activateConversation({
        companyId,
        id,
        activeKey: nameLane(laneOf({ companyId, botId, userId })),
        idleMs: usualIdleMs,
        dueAtMs,
      }),
    ];
  });
