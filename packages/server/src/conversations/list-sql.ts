import type { Value } from '@hilo/stores';
import { type RawBuilder, sql } from 'kysely';
import { statement } from './rows.ts';
import { filterColumns, type FilterName } from './filter.ts';

type Range = { readonly companyId: string; readonly fromMs: number; readonly toMs: number };
/** Filters that are not asked for are null, and in no statement. */
type Filtered = Range & { readonly [Name in FilterName]: Value };

/** Each combination of filters is a statement of its own, made once. */
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

export const countConversations = forFilters((names) =>
  statement<Filtered>()((db, given) =>
    db
      .selectFrom('conversations')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where(passing(names, given)),
  ),
);

/** Counts by the day; what is not filtered by is any. */
export const countDays = statement<{
  readonly companyId: string;
  readonly botId: string;
  readonly operatorId: number;
  readonly state: string;
  readonly fromDay: number;
  readonly toDay: number;
}>()((db, given) =>
  db
    .selectFrom('conversation_days')
    .select(sql<number>`coalesce(sum(number), 0)`.as('total'))
    .where('company_id', '=', given.companyId)
    .where('bot_id', '=', given.botId)
    .where('operator_id', '=', given.operatorId)
    .where('state', '=', given.state)
    .where('day', '>=', given.fromDay)
    .where('day', '<=', given.toDay),
);

/**
 * A page, the newest first, of one age by id (CON-19). What stands before the page is gone through in an index alone; only
 * the rows of the page are fetched.
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
      .leftJoin('contacts', (join) =>
        join
          .onRef('contacts.company_id', '=', 'found.company_id')
          .onRef('contacts.bot_id', '=', 'found.bot_id')
          .onRef('contacts.user_key', '=', 'found.user_key'),
      )
      .leftJoin('users', (join) => join.onRef('users.company_id', '=', 'found.company_id').onRef('users.user_key', '=', 'found.user_key'))
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
        // What the bot has learned of the user, or what the workspace said.
        ({ fn, ref }) => fn.coalesce(ref('contacts.names'), ref('users.names')).as('user_names'),
      ])
      .orderBy('found.start_at_ms', 'desc')
      .orderBy('found.id'),
  ),
);
