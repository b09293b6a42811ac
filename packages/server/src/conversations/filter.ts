import { written } from '@hilo/stores';
import type { ConversationQuery } from './conversation-query.ts';
import { type Range, rangeOf } from '../platform/http/date-range.ts';

/** What conversations are looked for by, beside the company and the range. Several hold together (CON-05). */
export const filterColumns = {
  botId: 'conversations.bot_id',
  userKey: 'conversations.user_key',
  operatorId: 'conversations.operator_id',
  conversationId: 'conversations.id',
  state: 'conversations.state',
} as const;
/** The other keys of the same user stand beside `userKey`, as `userKey2` and so on. */
export type FilterName = keyof typeof filterColumns | UserAlias;
type UserAlias = `userKey${number}`;

/** Values of the filters; null for those that are not asked for. */
export interface ConversationFilter extends Range {
  readonly companyId: string;
  readonly values: {
    readonly botId: string | null;
    readonly userKey: string | null;
    readonly operatorId: number | null;
    readonly conversationId: string | null;
    readonly state: string | null;
    readonly [alias: UserAlias]: string;
  };
}

/** @returns which filters there are, always in the same order */
export const namesOf = ({ values }: Pick<ConversationFilter, 'values'>): readonly FilterName[] =>
  (Object.keys(values) as FilterName[]).filter((name) => values[name] !== null);

/** @param userKeys - those of the user in the query, or none */
export function filterOf(
  companyId: string,
  { startAt, endAt, botId, operatorId, conversationId, state }: ConversationQuery,
  [userKey, ...others]: readonly string[],
): ConversationFilter {
  return {
    companyId,
    ...rangeOf({ startAt, endAt }),
    values: {
      botId: botId === undefined ? null : written(botId),
      userKey: userKey ?? null,
      operatorId: operatorId === undefined ? null : isAnybodys(operatorId) ? operatorId : nobodys,
      conversationId: conversationId === undefined ? null : written(conversationId),
      state: state ?? null,
      ...Object.fromEntries(padded(others).map((key, index) => [`userKey${index + 2}`, key])),
    },
  };
}

/** Whether an operator may have this number. */
const isAnybodys = (operatorId: number): boolean => operatorId > 0 && Number.isSafeInteger(operatorId);

/** The number that stands for all that no operator can have. */
export const nobodys = 0;

/** With the last one repeated until there are 1, 3, 7 or so: few numbers of keys are few statements. */
function padded(keys: readonly string[]): readonly string[] {
  const last = keys.at(-1);
  if (last === undefined) return [];
  const places = 2 ** Math.ceil(Math.log2(keys.length + 1)) - 1;
  return [...keys, ...Array.from({ length: places - keys.length }, () => last)];
}
