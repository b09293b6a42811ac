import { keyOf, written } from '@hilo/stores';
import type { ConversationQuery } from './conversation-query.ts';
import type { Range } from './range.ts';

/** What conversations are looked for by, beside the company and the range. Several hold together (CON-05). */
export const filterColumns = {
  botId: 'conversations.bot_id',
  userKey: 'conversations.user_key',
  operatorId: 'conversations.operator_id',
  conversationId: 'conversations.id',
  state: 'conversations.state',
} as const;
export type FilterName = keyof typeof filterColumns;

/** Values of the filters; null for those that are not asked for. */
export interface ConversationFilter extends Range {
  readonly companyId: string;
  readonly values: {
    readonly botId: string | null;
    readonly userKey: string | null;
    readonly operatorId: number | null;
    readonly conversationId: string | null;
    readonly state: string | null;
  };
}

/** @returns which filters there are, always in the same order */
export const namesOf = ({ values }: Pick<ConversationFilter, 'values'>): readonly FilterName[] =>
  (Object.keys(filterColumns) as FilterName[]).filter((name) => values[name] !== null);

export function filterOf(
  companyId: string,
  { startAt, endAt, botId, userId, operatorId, conversationId, state }: ConversationQuery,
): ConversationFilter {
  return {
    companyId,
    fromMs: startAt,
    toMs: endAt,
    values: {
      botId: botId === undefined ? null : written(botId),
      userKey: userId === undefined ? null : keyOf(userId),
      operatorId: operatorId ?? null,
      conversationId: conversationId === undefined ? null : written(conversationId),
      state: state ?? null,
    },
  };
}
