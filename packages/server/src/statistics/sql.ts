import { type RawBuilder, sql } from 'kysely';
import { statement } from '../conversations/rows.ts';

/** What is added up of conversations. Times are milliseconds here. */
export interface Figures {
  readonly total: number;
  readonly actual: number;
  readonly attended: number;
  readonly expired: number;
  readonly transferred: number;
  readonly last_operator: number;
  readonly last_user: number;
  readonly last_bot: number;
  readonly replied: number;
  readonly reply_ms: number;
  readonly responses: number;
  readonly response_ms: number;
  readonly ended: number;
  readonly duration_ms: number;
}

const times = (condition: RawBuilder<unknown>) => sql<number>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`;
/** As a floating number: times from the whole calendar add up to more than the whole numbers that can be read. */
const sum = (value: RawBuilder<unknown>) => sql<number>`coalesce(sum(cast(${value} as double precision)), 0)`;

/** Everything in them stands in the index `conversations_figures`: no row is fetched. */
const figures = [
  sql<number>`count(*)`.as('total'),
  times(sql`state = 'active'`).as('actual'),
  times(sql`was_replied = 1`).as('attended'),
  times(sql`state = 'expired' and was_replied = 0`).as('expired'),
  times(sql`state = 'transferred'`).as('transferred'),
  times(sql`last_message_by = 'operator'`).as('last_operator'),
  times(sql`last_message_by = 'user'`).as('last_user'),
  times(sql`last_message_by = 'bot'`).as('last_bot'),
  sql<number>`count(first_replied_at_ms)`.as('replied'),
  sum(sql`first_replied_at_ms - start_at_ms`).as('reply_ms'),
  sum(sql`response_count`).as('responses'),
  sum(sql`response_total_ms`).as('response_ms'),
  sql<number>`count(end_at_ms)`.as('ended'),
  sum(sql`end_at_ms - start_at_ms`).as('duration_ms'),
] as const;

type Range = { readonly companyId: string; readonly fromMs: number; readonly toMs: number };

/** Of the conversations of one operator that began in a range. */
export const figuresOfOperator = statement<Range & { readonly operatorId: number }>()((db, given) =>
  db
    .selectFrom('conversations')
    .select(figures)
    .where('company_id', '=', given.companyId)
    .where('operator_id', '=', given.operatorId)
    .where('start_at_ms', '>=', given.fromMs)
    .where('start_at_ms', '<=', given.toMs),
);

/** Of those that nobody attends. */
export const figuresOfNobody = statement<Range>()((db, given) =>
  db
    .selectFrom('conversations')
    .select(figures)
    .where('company_id', '=', given.companyId)
    .where('operator_id', 'is', null)
    .where('start_at_ms', '>=', given.fromMs)
    .where('start_at_ms', '<=', given.toMs),
);
