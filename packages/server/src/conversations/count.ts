import { call, type Runner } from '@hilo/stores';
import { type ConversationFilter, namesOf, nobodys } from './filter.ts';
import { countConversations, countDays } from './list-sql.ts';

type Reader = Pick<Runner, 'readOne'>;

const dayMs = 86_400_000;

/**
 * How many conversations pass a filter. Whole days are known (`conversation_days`); only what a range has of its first and
 * last day is counted, or what it leaves of them, whichever is less. A user and a single conversation have few to count.
 */
export async function countOf(runner: Reader, filter: ConversationFilter): Promise<number> {
  const { fromMs, toMs, values } = filter;
  if (values.userKey !== null || values.conversationId !== null) return counted(runner, filter, fromMs, toMs);
  const endMs = toMs + 1;
  const whole = await inDays(runner, filter, dayOf(fromMs), dayOf(endMs) - 1);
  return whole + (await ofDayBefore(runner, filter, endMs)) - (await ofDayBefore(runner, filter, fromMs));
}

const dayOf = (atMs: number): number => Math.floor(atMs / dayMs);

/** How many began before an instant, on its day. */
async function ofDayBefore(runner: Reader, filter: ConversationFilter, atMs: number): Promise<number> {
  const day = dayOf(atMs);
  const firstMs = day * dayMs;
  if (atMs === firstMs) return 0;
  if (atMs - firstMs <= dayMs / 2) return counted(runner, filter, firstMs, atMs - 1);
  return (await inDays(runner, filter, day, day)) - (await counted(runner, filter, atMs, firstMs + dayMs - 1));
}

async function counted(runner: Reader, filter: ConversationFilter, fromMs: number, toMs: number): Promise<number> {
  const { companyId, values } = filter;
  const row = await runner.readOne(call(countConversations(namesOf(filter)), { ...values, companyId, fromMs, toMs }));
  return Number(row?.total ?? 0);
}

async function inDays(runner: Reader, { companyId, values }: ConversationFilter, fromDay: number, toDay: number): Promise<number> {
  const { botId, operatorId, state } = values;
  if (operatorId === nobodys) return 0; // there it stands for any operator
  const any = { botId: botId ?? '', operatorId: operatorId ?? 0, state: state ?? '' };
  const row = await runner.readOne(call(countDays, { ...any, companyId, fromDay, toDay }));
  return Number(row?.total ?? 0);
}
