// The list of conversations: its filters, its pages, how many there are, and the keys by which a user is found in it.
import { phoneSpellings } from '@hilo/engine/contract';
import {
  type Column,
  encodeKey,
  integer,
  lookup,
  optional,
  type Parametered,
  type Places,
  plain,
  type Runner,
  selected,
  sum,
} from '@hilo/stores';
import { type RawBuilder, sql } from 'kysely';
import { type Range, roundRange } from '../platform/http/date-range.ts';
import { conversations } from '../platform/tables/conversations.ts';
import { type ConversationQuery, listedColumns, shownColumns } from './schema.ts';
import { isContactOf, isPersonOf } from '../platform/database/people.ts';
import { companyQuery } from '../platform/database/schema.ts';

/** The filters of conversations besides the company and the range, with their columns; all of them must match (CON-05). */
export const filterColumns = {
  botId: 'conversations.bot_id',
  userKey: 'conversations.user_key',
  operatorId: 'conversations.operator_id',
  conversationId: 'conversations.id',
  state: 'conversations.state',
} as const;

const { botId, id, startAtMs, operatorId, state } = conversations.columns;
/** How the values of filters are stored; one that is not set is absent, and no part of the statement. */
const filterValues = {
  botId: optional(botId),
  userKey: optional(plain()),
  operatorId,
  conversationId: optional(id),
  state: optional(state),
};
/** The user's further keys are `userKey2` and so on, beside `userKey`. */
export type FilterName = keyof typeof filterColumns | UserAlias;
type UserAlias = `userKey${number}`;

/** Values of the filters; undefined for those that are not set. */
export interface ConversationFilter extends Range {
  readonly companyId: string;
  readonly values: Parametered<typeof filterValues> & { readonly [alias: UserAlias]: string };
}

/** @returns which filters there are, always in the same order */
export const listNames = ({ values }: Pick<ConversationFilter, 'values'>): readonly FilterName[] =>
  (Object.keys(values) as FilterName[]).filter((name) => values[name] !== undefined);

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
      botId,
      userKey,
      operatorId: operatorId === undefined || isPossibleId(operatorId) ? operatorId : ofUnknown,
      conversationId,
      state,
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

const filtered = { ...filterValues, fromMs: startAtMs, toMs: startAtMs };
type Filtered = Places<typeof filtered> & { readonly companyId: string; readonly [alias: UserAlias]: string };

/** The parameters of a statement with these filters. */
const parametersOf = (names: readonly FilterName[]): typeof filtered & { readonly [alias: UserAlias]: Column<string, string> } => ({
  ...filtered,
  ...Object.fromEntries(names.filter((name) => !isColumn(name)).map((name) => [name, plain()])),
});

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
  companyQuery(parametersOf(names), { total: sum() }, (_company, given, db) =>
    db
      .selectFrom('conversations')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where(passing(names, given)),
  ),
);

/** Counts by day; a filter that is not set matches all. */
export const countDays = companyQuery(
  { botId, operatorId: integer(), state, fromDay: integer(), toDay: integer() },
  { total: sum() },
  (company, given) =>
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
  companyQuery({ ...parametersOf(names), limit: integer(), offset: integer() }, listedColumns, (_company, given, db) =>
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
      .select(selected('found', shownColumns))
      .select([
        // A file may bring times that add up to more than the whole numbers that can be read.
        sql<number>`cast(found.response_total_ms as double precision)`.as('response_total_ms'),
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
  if (values.userKey !== undefined || values.conversationId !== undefined) return countDaysPart(runner, filter, fromMs, toMs);
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
  const row = await runner.readOne(countConversations(listNames(filter))({ ...values, companyId, fromMs, toMs }));
  return row?.total ?? 0;
}

async function countInDays(runner: Reader, { companyId, values }: ConversationFilter, fromDay: number, toDay: number): Promise<number> {
  const { botId, operatorId, state } = values;
  if (operatorId === ofUnknown) return 0; // the statement reads it as any operator
  const any = { botId: botId ?? '', operatorId: operatorId ?? 0, state: state ?? '' };
  const row = await runner.readOne(countDays({ ...any, companyId, fromDay, toDay }));
  return row?.total ?? 0;
}

/** Users with this id in one of its three forms, each with its own index: those of aliases leave out a user's own id. */
export const contactKeys = companyQuery(
  { botId, key: lookup() },
  { userKey: plain(), phoneKey: optional(plain()), bsuidKey: optional(plain()) },
  (company, { botId, key }) => {
    const contactsBy = (column: 'user_key' | 'phone_key' | 'bsuid_key') =>
      company.selectFrom('contacts').select(['user_key', 'phone_key', 'bsuid_key']).where('bot_id', '=', botId).where(column, '=', key);
    return contactsBy('user_key')
      .unionAll(contactsBy('phone_key').whereRef('phone_key', '<>', 'user_key'))
      .unionAll(contactsBy('bsuid_key').whereRef('bsuid_key', '<>', 'user_key'));
  },
);

/** All keys of a user: a person known to a bot by a phone number, in any spelling, and by a business-scoped id is one user (UID-04, UID-07). */
export async function findUserKeys(
  runner: Pick<Runner, 'readEach'>,
  companyId: string,
  botIds: readonly string[],
  userId: string,
): Promise<readonly string[]> {
  const spellings = phoneSpellings(userId);
  const contacts = await runner.readEach(botIds.flatMap((botId) => spellings.map((key) => contactKeys({ companyId, botId, key }))));
  const [own, keys] = [encodeKey(userId), new Set(spellings.map(encodeKey))];
  const known = contacts.flat().flatMap(({ userKey, phoneKey, bsuidKey }) => {
    const isOf = [userKey, phoneKey, bsuidKey].includes(own) || (phoneKey !== undefined && keys.has(phoneKey));
    return isOf ? [userKey, phoneKey, bsuidKey] : [];
  });
  return [...new Set([own, ...known.filter((each) => each !== undefined)])];
}
