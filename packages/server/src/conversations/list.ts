import { phoneSpellings } from '@hilo/engine/contract';
import { encodeKey, type Value, encodeText, type Runner, call } from '@hilo/stores';
import { type RawBuilder, sql } from 'kysely';
import { type Range, roundRange } from '../platform/http/date-range.ts';
import type { ConversationQuery } from './schema.ts';
import { isContactOf, isPersonOf } from '../platform/database/people.ts';
import { ofCompany, statement } from '../platform/database/schema.ts';

/** The filters of conversations besides the company and the range, with their columns; all of them must match (CON-05). */
export const filterColumns = {
  botId: 'conversations.bot_id',
  userKey: 'conversations.user_key',
  operatorId: 'conversations.operator_id',
  conversationId: 'conversations.id',
  state: 'conversations.state',
} as const;
/** The user's further keys are `userKey2` and so on, beside `userKey`. */
export type FilterName = keyof typeof filterColumns | UserAlias;
type UserAlias = `userKey${number}`;

/** Values of the filters; null for those that are not set. */
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
export const listNames = ({ values }: Pick<ConversationFilter, 'values'>): readonly FilterName[] =>
  (Object.keys(values) as FilterName[]).filter((name) => values[name] !== null);

/** @param userKeys - those of the user in the query, or none */
export function buildFilter(
  companyId: string,
  { startAt, endAt, botId, operatorId, conversationId, state }: ConversationQuery,
  [userKey, ...others]: readonly string[],
): ConversationFilter {
  return {
    companyId,
    ...roundRange({ startAt, endAt }),
    values: {
      botId: botId === undefined ? null : encodeText(botId),
      userKey: userKey ?? null,
      operatorId: operatorId === undefined ? null : isPossibleId(operatorId) ? operatorId : ofUnknown,
      conversationId: conversationId === undefined ? null : encodeText(conversationId),
      state: state ?? null,
      ...Object.fromEntries(padKeys(others).map((key, index) => [`userKey${index + 2}`, key])),
    },
  };
}

/** Whether an operator may have this number. */
const isPossibleId = (operatorId: number): boolean => operatorId > 0 && Number.isSafeInteger(operatorId);

/** An operator id that no operator has: matches conversations without one. */
const ofUnknown = 0;

/** With the last one repeated until there are 1, 3, 7 or so: few numbers of keys are few statements. */
function padKeys(keys: readonly string[]): readonly string[] {
  const last = keys.at(-1);
  if (last === undefined) return [];
  const places = 2 ** Math.ceil(Math.log2(keys.length + 1)) - 1;
  return [...keys, ...Array.from({ length: places - keys.length }, () => last)];
}

type Period = { readonly companyId: string; readonly fromMs: number; readonly toMs: number };
/** Filters that are not set are null, and absent from the statement. */
type Filtered = Period & { readonly [Name in FilterName]: Value };

/** Prepares one statement for each combination of filters, on first use. */
function forFilters<Made>(make: (names: readonly FilterName[]) => Made): (names: readonly FilterName[]) => Made {
  const all = new Map<string, Made>();
  return (names) => {
    const key = names.join(' ');
    const made = all.get(key) ?? make(names);
    all.set(key, made);
    return made;
  };
}

/** Conversations that began in a range and pass the filters. */
const passing = (names: readonly FilterName[], given: Filtered): RawBuilder<boolean> => {
  const { companyId, fromMs, toMs } = given;
  const [own, aliases] = [names.filter(isColumn), names.filter((name) => !isColumn(name))];
  const filters = own.map((name) =>
    name === 'userKey' && aliases.length > 0
      ? sql`and conversations.user_key in (${sql.join([name, ...aliases].map((key) => sql`${given[key]}`))})`
      : sql`and ${sql.ref(filterColumns[name])} = ${given[name]}`,
  );
  return sql<boolean>`conversations.company_id = ${companyId} and conversations.start_at_ms between ${fromMs} and ${toMs} ${sql.join(filters, sql` `)}`;
};

const isColumn = (name: FilterName): name is keyof typeof filterColumns => Object.hasOwn(filterColumns, name);

/** How many conversations of a company match the filters. */
export const countConversations = forFilters((names) =>
  statement<Filtered>()((db, given) =>
    db
      .selectFrom('conversations')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where(passing(names, given)),
  ),
);

/** Counts by day; a filter that is not set matches all. */
export const countDays = ofCompany<{
  readonly botId: string;
  readonly operatorId: number;
  readonly state: string;
  readonly fromDay: number;
  readonly toDay: number;
}>()((company, given) =>
  company
    .selectFrom('conversation_days')
    .select(sql<number>`coalesce(sum(number), 0)`.as('total'))
    .where('bot_id', '=', given.botId)
    .where('operator_id', '=', given.operatorId)
    .where('state', '=', given.state)
    .where('day', '>=', given.fromDay)
    .where('day', '<=', given.toDay),
);

/**
 * A page, the newest first; of the same age, by id (CON-19). Rows before the page are skipped in an index; only the rows of the page
 * are fetched.
 */
export const pageOfConversations = forFilters((names) =>
  statement<Filtered & { readonly limit: number; readonly offset: number }>()((db, given) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('conversations')
          .select(['conversations.company_id', 'conversations.id', 'conversations.start_at_ms'])
          .where(passing(names, given))
          .orderBy('conversations.start_at_ms', 'desc')
          .orderBy('conversations.id')
          .limit(given.limit)
          .offset(given.offset)
          .as('page'),
      )
      .innerJoin('conversations as found', (join) =>
        join.onRef('found.company_id', '=', 'page.company_id').onRef('found.id', '=', 'page.id'),
      )
      .leftJoin('operators', (join) =>
        join.onRef('operators.company_id', '=', 'found.company_id').onRef('operators.id', '=', 'found.operator_id'),
      )
      .leftJoin('contacts', (join) => join.on(isContactOf('found')))
      .leftJoin('people', (join) => join.on(isPersonOf('found')))
      .select([
        'found.id',
        'found.bot_id',
        'found.user_id',
        'found.operator_id',
        'found.team_name',
        'found.state',
        'found.was_replied',
        'found.ended_reason',
        'found.origin',
        'found.start_at_ms',
        'found.end_at_ms',
        'found.first_replied_at_ms',
        'found.response_count',
        // A file may bring times that add up to more than the whole numbers that can be read.
        sql<number>`cast(found.response_total_ms as double precision)`.as('response_total_ms'),
        'found.child_conversation',
        'found.parent_conversation',
        'operators.names as operator_names',
        'operators.email as operator_email',
        // The names that the bot learned, else those of the workspace.
        ({ fn, ref }) => fn.coalesce(ref('contacts.names'), ref('people.names')).as('user_names'),
      ])
      .orderBy('found.start_at_ms', 'desc')
      .orderBy('found.id'),
  ),
);

type Reader = Pick<Runner, 'readOne'>;

const dayMs = 86_400_000;

/**
 * How many conversations match a filter. Counts of whole days are kept (`conversation_days`); of the first and the last day either
 * the rows inside the range or those outside it are counted, whichever are fewer. A user or a single conversation has few to count.
 */
export async function countMatches(runner: Reader, filter: ConversationFilter): Promise<number> {
  const { fromMs, toMs, values } = filter;
  if (values.userKey !== null || values.conversationId !== null) return countDaysPart(runner, filter, fromMs, toMs);
  const endMs = toMs + 1;
  const whole = await countInDays(runner, filter, findDay(fromMs), findDay(endMs) - 1);
  return whole + (await countOnDayBefore(runner, filter, endMs)) - (await countOnDayBefore(runner, filter, fromMs));
}

const findDay = (atMs: number): number => Math.floor(atMs / dayMs);

/** How many began before an instant, on its day. */
async function countOnDayBefore(runner: Reader, filter: ConversationFilter, atMs: number): Promise<number> {
  const day = findDay(atMs);
  const firstMs = day * dayMs;
  if (atMs === firstMs) return 0;
  if (atMs - firstMs <= dayMs / 2) return countDaysPart(runner, filter, firstMs, atMs - 1);
  return (await countInDays(runner, filter, day, day)) - (await countDaysPart(runner, filter, atMs, firstMs + dayMs - 1));
}

async function countDaysPart(runner: Reader, filter: ConversationFilter, fromMs: number, toMs: number): Promise<number> {
  const { companyId, values } = filter;
  const row = await runner.readOne(call(countConversations(listNames(filter)), { ...values, companyId, fromMs, toMs }));
  return Number(row?.total ?? 0);
}

async function countInDays(runner: Reader, { companyId, values }: ConversationFilter, fromDay: number, toDay: number): Promise<number> {
  const { botId, operatorId, state } = values;
  if (operatorId === ofUnknown) return 0; // the statement reads it as any operator
  const any = { botId: botId ?? '', operatorId: operatorId ?? 0, state: state ?? '' };
  const row = await runner.readOne(call(countDays, { ...any, companyId, fromDay, toDay }));
  return Number(row?.total ?? 0);
}

/** Users with this id in one of its three forms, each with its own index: those of aliases leave out a user's own id. */
export const contactKeys = ofCompany<{ readonly botId: string; readonly key: string }>()((company, { botId, key }) => {
  const contactsBy = (column: 'user_key' | 'phone_key' | 'bsuid_key') =>
    company.selectFrom('contacts').select(['user_key', 'phone_key', 'bsuid_key']).where('bot_id', '=', botId).where(column, '=', key);
  return contactsBy('user_key')
    .unionAll(contactsBy('phone_key').whereRef('phone_key', '<>', 'user_key'))
    .unionAll(contactsBy('bsuid_key').whereRef('bsuid_key', '<>', 'user_key'));
});

/** All keys of a user: a person known to a bot by a phone number, in any spelling, and by a business-scoped id is one user (UID-04, UID-07). */
export async function findUserKeys(
  runner: Pick<Runner, 'readEach'>,
  companyId: string,
  botIds: readonly string[],
  userId: string,
): Promise<readonly string[]> {
  const keys = phoneSpellings(userId).map(encodeKey);
  const contacts = await runner.readEach(
    botIds.flatMap((botId) => keys.map((key) => call(contactKeys, { companyId: encodeText(companyId), botId: encodeText(botId), key }))),
  );
  const isOf = ({ user_key, phone_key, bsuid_key }: (typeof contacts)[number][number]): boolean =>
    [user_key, phone_key, bsuid_key].includes(encodeKey(userId)) || keys.some((key) => key === phone_key);
  const known = contacts.flat().flatMap((row) => (isOf(row) ? [row.user_key, row.phone_key, row.bsuid_key] : []));
  return [...new Set([encodeKey(userId), ...known.filter((each) => each !== null)])];
}
