import { askOne, type Steps } from '@hilo/stores';
import { type ConversationFilter, namesOf, nobodys } from './filter.ts';
import { countConversations, countDays } from './list-sql.ts';

const dayMs = 86_400_000;

/**
 * How many conversations pass a filter. Whole days are known (`conversation_days`); only what a range has of its first and
 * last day is counted, or what it leaves of them, whichever is less. A user and a single conversation have few to count.
 */
export function* countOf(filter: ConversationFilter): Steps<number> {
  const { fromMs, toMs, values } = filter;
  if (values.userKey !== null || values.conversationId !== null) return yield* counted(filter, fromMs, toMs);
  const endMs = toMs + 1;
  const whole = yield* inDays(filter, dayOf(fromMs), dayOf(endMs) - 1);
  return whole + (yield* ofDayBefore(filter, endMs)) - (yield* ofDayBefore(filter, fromMs));
}

const dayOf = (atMs: number): number => Math.floor(atMs / dayMs);

/** How many began before an instant, on its day. */
function* ofDayBefore(filter: ConversationFilter, atMs: number): Steps<number> {
  const day = dayOf(atMs);
  const firstMs = day * dayMs;
  if (atMs === firstMs) return 0;
  if (atMs - firstMs <= dayMs / 2) return yield* counted(filter, firstMs, atMs - 1);
  return (yield* inDays(filter, day, day)) - (yield* counted(filter, atMs, firstMs + dayMs - 1));
}

function* counted(filter: ConversationFilter, fromMs: number, toMs: number): Steps<number> {
  const { companyId, values } = filter;
  const row = yield* askOne(countConversations(namesOf(filter)), { ...values, companyId, fromMs, toMs });
  return Number(row?.total ?? 0);
}

function* inDays({ companyId, values }: ConversationFilter, fromDay: number, toDay: number): Steps<number> {
  const { botId, operatorId, state } = values;
  if (operatorId === nobodys) return 0; // there it stands for any operator
  const any = { botId: botId ?? '', operatorId: operatorId ?? 0, state: state ?? '' };
  const row = yield* askOne(countDays, { ...any, companyId, fromDay, toDay });
  return Number(row?.total ?? 0);
}
