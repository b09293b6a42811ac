import { call, type Runner } from '@hilo/stores';
import { type RawBuilder, sql } from 'kysely';
import { ofCompany } from '../platform/database/schema.ts';
import type { Range } from '../platform/http/date-range.ts';

/** Operators whose conversations are read in one query: more would block other requests (P20). */
const atOnce = 20;

/** Adds up the conversations of these operators that began in a range; `withUnassigned` those without an operator, too. */
export async function readFigures(
  runner: Runner,
  companyId: string,
  { fromMs, toMs }: Range,
  operatorIds: readonly number[],
  withUnassigned: boolean,
): Promise<Figures> {
  const range = { companyId, fromMs, toMs };
  let total: Figures = nothing;
  for (let first = 0; first < operatorIds.length; first += atOnce) {
    const some = operatorIds.slice(first, first + atOnce).map((operatorId) => call(figuresOfOperator, { ...range, operatorId }));
    const found = await runner.readEach(some);
    total = found.flat().reduce(addFigures, total);
  }
  return withUnassigned ? (await runner.read(call(figuresWithoutOperator, range))).reduce(addFigures, total) : total;
}

/** Sums over conversations. Times are in milliseconds. */
export type Figures = Readonly<typeof nothing>;

const nothing = {
  total: 0,
  actual: 0,
  attended: 0,
  expired: 0,
  transferred: 0,
  last_operator: 0,
  last_user: 0,
  last_bot: 0,
  replied: 0,
  reply_ms: 0,
  responses: 0,
  response_ms: 0,
  ended: 0,
  duration_ms: 0,
};

/** PostgreSQL returns large sums as text. */
const addFigures = (left: Figures, right: Figures): Figures => {
  const addUp = (name: keyof Figures): number => left[name] + Number(right[name]);
  return {
    total: addUp('total'),
    actual: addUp('actual'),
    attended: addUp('attended'),
    expired: addUp('expired'),
    transferred: addUp('transferred'),
    last_operator: addUp('last_operator'),
    last_user: addUp('last_user'),
    last_bot: addUp('last_bot'),
    replied: addUp('replied'),
    reply_ms: addUp('reply_ms'),
    responses: addUp('responses'),
    response_ms: addUp('response_ms'),
    ended: addUp('ended'),
    duration_ms: addUp('duration_ms'),
  };
};

const times = (condition: RawBuilder<unknown>) => sql<number>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`;
/** As a floating number: times from the whole calendar add up to more than the whole numbers that can be read. */
const sum = (value: RawBuilder<unknown>) => sql<number>`coalesce(sum(cast(${value} as double precision)), 0)`;

/** All columns are in the index `conversations_figures`: no row is fetched. */
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

type Period = { readonly companyId: string; readonly fromMs: number; readonly toMs: number };

/** Figures of one operator's conversations that began in a range. */
export const figuresOfOperator = ofCompany<Period & { readonly operatorId: number }>()((company, given) =>
  company
    .selectFrom('conversations')
    .select(figures)
    .where('operator_id', '=', given.operatorId)
    .where('start_at_ms', '>=', given.fromMs)
    .where('start_at_ms', '<=', given.toMs),
);

/** Of those without an operator. */
export const figuresWithoutOperator = ofCompany<Period>()((company, given) =>
  company
    .selectFrom('conversations')
    .select(figures)
    .where('operator_id', 'is', null)
    .where('start_at_ms', '>=', given.fromMs)
    .where('start_at_ms', '<=', given.toMs),
);
