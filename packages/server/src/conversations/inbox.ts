// The open conversations of a company as an inbox shows them: who has waited longest comes first, with the last message and how much of
// it the reader has not seen.
import { integer, lookup, optional, pick, type ReadOf, type Runner, selected, sum, text } from '@hilo/stores';
import { sql } from 'kysely';
import { isContactOf, isPersonOf } from '../platform/database/people.ts';
import { type CompanyDatabase, companyQuery } from '../platform/database/schema.ts';
import { patternsOf, searchIn, sought } from '../platform/database/search-pattern.ts';
import { createTurns } from '../platform/turns.ts';
import { conversationReads, conversations } from '../platform/tables/conversations.ts';
import { messages } from '../platform/tables/messages.ts';
import { listedColumns, shownColumns } from './schema.ts';
import { active } from './sql.ts';

/** Whose conversations an inbox shows. */
export type Whose =
  | { readonly kind: 'all' }
  | { readonly kind: 'unassigned' }
  | { readonly kind: 'operator'; readonly operatorId: number }
  | { readonly kind: 'team'; readonly teamName: string };

/** A page of an inbox. */
export interface InboxQuery {
  readonly companyId: string;
  readonly whose: Whose;
  /** A part of the user's name or id, in any case of the letters; a phone number as people write it. */
  readonly search?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** An open conversation with what an inbox needs beside its record. */
const inboxColumns = pick(conversations.columns, 'roomId', 'waitingSinceMs', 'executionId');
const rowColumns = { ...listedColumns, ...inboxColumns };
export type InboxRow = ReadOf<typeof rowColumns>;

/** Conversations with the names that belong to them. */
const withNames = (company: CompanyDatabase) =>
  company
    .selectFrom('conversations as found')
    .leftJoin('operators', (join) =>
      join.onRef('operators.company_id', '=', 'found.company_id').onRef('operators.id', '=', 'found.operator_id'),
    )
    .leftJoin('contacts', (join) => join.on(isContactOf('found')))
    .leftJoin('people', (join) => join.on(isPersonOf('found')))
    .select(selected('found', { ...shownColumns, ...inboxColumns }))
    .select(['operators.names as operator_names', 'operators.email as operator_email'])
    .select(({ fn, ref }) => [
      fn.coalesce(ref('contacts.names'), ref('people.names')).as('user_names'),
      // A file may bring times that add up to more than the whole numbers that can be read.
      sql<number>`cast(found.response_total_ms as double precision)`.as('response_total_ms'),
    ]);

/** Those whose user waits, the longest first, then the others, the newest first. */
const orderOf = (rows: 'found' | 'one') => {
  const [waiting, start, id] = ['waiting_since_ms', 'start_at_ms', 'id'].map((column) => sql.ref(`${rows}.${column}`));
  return sql`case when ${waiting} is null then 1 else 0 end, ${waiting}, ${start} desc, ${id}`;
};

/** The ids of a page, in the order of the inbox: names are joined to those that are shown, of the ten thousand that there may be. */
function chosen(
  company: CompanyDatabase,
  kind: Whose['kind'],
  given: { readonly operatorId: number; readonly teamName: string; readonly limit: number; readonly offset: number },
) {
  let ids = company.selectFrom('conversations as one').select('one.id').where('one.state', '=', active);
  if (kind === 'unassigned') ids = ids.where('one.operator_id', 'is', null);
  if (kind === 'operator') ids = ids.where('one.operator_id', '=', given.operatorId);
  if (kind === 'team') ids = ids.where('one.team_name', '=', given.teamName);
  return ids.orderBy(orderOf('one')).limit(given.limit).offset(given.offset);
}

const chosenBy = { operatorId: integer(), teamName: text(), offset: integer(), limit: integer() };

/** Conversations by their place in the order of the inbox: all of a page, or those of them whose user is found. */
const pageOf = (kind: Whose['kind'], isSearched: boolean) =>
  companyQuery({ ...chosenBy, ...sought }, rowColumns, (company, given, db) => {
    const { inText, inNumber } = searchIn(db, given);
    return withNames(company)
      .where('found.id', 'in', chosen(company, kind, given))
      .$if(isSearched, (rows) =>
        rows.where(({ fn, or, ref }) =>
          or([inNumber(ref('found.user_id')), inText(fn.coalesce(ref('contacts.names'), ref('people.names')))]),
        ),
      )
      .orderBy(orderOf('found'));
  });

const idsOf = (kind: Whose['kind']) =>
  companyQuery(chosenBy, pick(conversations.columns, 'id'), (company, given) => chosen(company, kind, given));

const reads = {
  all: { page: pageOf('all', false), window: pageOf('all', true), ids: idsOf('all') },
  unassigned: { page: pageOf('unassigned', false), window: pageOf('unassigned', true), ids: idsOf('unassigned') },
  operator: { page: pageOf('operator', false), window: pageOf('operator', true), ids: idsOf('operator') },
  team: { page: pageOf('team', false), window: pageOf('team', true), ids: idsOf('team') },
} as const;

/** Conversations of which a search looks through the names in one turn: a name may have hundreds of letters. */
const searchedInTurn = 500;

/** Open conversations: those whose user waits, the longest first, then the others, the newest first. */
export async function readInbox(
  runner: Pick<Runner, 'read'>,
  { companyId, whose, search, offset, limit }: InboxQuery,
  inTurn = searchedInTurn,
): Promise<readonly InboxRow[]> {
  const { page, window, ids } = reads[whose.kind];
  const given = {
    companyId,
    operatorId: whose.kind === 'operator' ? whose.operatorId : 0,
    teamName: whose.kind === 'team' ? whose.teamName : '',
    ...patternsOf(search ?? ''),
  };
  if (search === undefined) return runner.read(page({ ...given, offset, limit }));
  const nextTurn = createTurns(1);
  const found = new Map<string, InboxRow>(); // one that has moved meanwhile may come twice
  for (let from = 0, isMore = true; isMore && found.size < offset + limit; from += inTurn) {
    await nextTurn();
    for (const row of await runner.read(window({ ...given, offset: from, limit: inTurn }))) found.set(row.id, row);
    isMore = (await runner.read(ids({ ...given, offset: from + inTurn, limit: 1 }))).length > 0;
  }
  return [...found.values()].slice(offset, offset + limit);
}

const byId = companyQuery(pick(conversations.columns, 'id'), rowColumns, (company, given) =>
  withNames(company).where('found.id', '=', given.id),
);

/** One conversation, in any state; `undefined` when the company has none of this id. */
export const readInboxRow = (runner: Pick<Runner, 'readOne'>, companyId: string, id: string) => runner.readOne(byId({ companyId, id }));

const selectCounts = companyQuery(
  {},
  { ...pick(conversations.columns, 'operatorId', 'teamName'), open: sum(), waiting: sum() },
  (company) =>
    company
      .selectFrom('conversations')
      .select(({ fn }) => [
        'operator_id',
        'team_name',
        fn.countAll<number>().as('open'),
        fn.count<number>('waiting_since_ms').as('waiting'),
      ])
      .where('state', '=', active)
      .groupBy(['operator_id', 'team_name']),
);

/** How many conversations are open, and in how many of them the user waits. */
export interface Tally {
  readonly open: number;
  readonly waiting: number;
}

/** The numbers beside the filters of an inbox. */
export interface InboxCounts extends Tally {
  readonly withoutOperator: Tally;
  readonly operators: readonly ({ readonly operatorId: number } & Tally)[];
  readonly teams: readonly ({ readonly teamName: string } & Tally)[];
}

export async function countInbox(runner: Pick<Runner, 'read'>, companyId: string): Promise<InboxCounts> {
  const rows = await runner.read(selectCounts({ companyId }));
  const total = (some: readonly Tally[]): Tally => ({
    open: some.reduce((all, { open }) => all + open, 0),
    waiting: some.reduce((all, { waiting }) => all + waiting, 0),
  });
  return {
    ...total(rows),
    withoutOperator: total(rows.filter(({ operatorId }) => operatorId === undefined)),
    operators: [...Map.groupBy(rows, ({ operatorId }) => operatorId)].flatMap(([operatorId, some]) =>
      operatorId === undefined ? [] : [{ operatorId, ...total(some) }],
    ),
    teams: [...Map.groupBy(rows, ({ teamName }) => teamName)].flatMap(([teamName, some]) =>
      teamName === undefined ? [] : [{ teamName, ...total(some) }],
    ),
  };
}

/** So many messages are looked at for those that were not read: a badge shows no larger number. */
const newestCounted = 100;

const lane = { ...pick(messages.columns, 'botId'), userId: lookup() };

const selectNewest = messages.read(['direction', 'message', 'createdAtMs', 'executionId', 'idempotencyKey'], lane, (rows, given) =>
  rows.where('bot_id', '=', given.botId).where('user_key', '=', given.userId).orderBy('id', 'desc').limit(1),
);

const selectUnread = companyQuery({ ...lane, untilMs: integer() }, { number: sum() }, (company, given, db) =>
  db
    .selectFrom(
      company
        .selectFrom('messages')
        .select(['direction', 'created_at_ms'])
        .where('bot_id', '=', given.botId)
        .where('user_key', '=', given.userId)
        .orderBy('id', 'desc')
        .limit(newestCounted)
        .as('newest'),
    )
    .select(({ fn }) => fn.countAll<number>().as('number'))
    .where('newest.direction', '=', 'inbound')
    .where('newest.created_at_ms', '>', given.untilMs),
);

/** The last message of each conversation, and how many of the user's messages the reader has not seen, in the order of the rows. */
export async function readNewestMessages(
  runner: Pick<Runner, 'readEach'>,
  { companyId, reader }: { readonly companyId: string; readonly reader: string },
  rows: readonly Pick<InboxRow, 'id' | 'botId' | 'userId' | 'startAtMs'>[],
) {
  const marks = await runner.readEach(rows.map(({ id }) => conversationReads.find({ companyId, conversationId: id, reader })));
  const [newest, unread] = await Promise.all([
    runner.readEach(rows.map(({ botId, userId }) => selectNewest({ companyId, botId, userId }))),
    runner.readEach(
      rows.map(({ botId, userId, startAtMs }, index) => {
        // What was said before the conversation began was said to the bot.
        const untilMs = marks[index]?.[0]?.untilMs ?? startAtMs - 1;
        return selectUnread({ companyId, botId, userId, untilMs });
      }),
    ),
  ]);
  return rows.map((_row, index) => ({ last: newest[index]?.[0], unread: unread[index]?.[0]?.number ?? 0 }));
}

/** Notes up to where somebody has read. A mark never moves back: a page that was opened earlier may report later. */
export async function markRead(
  runner: Pick<Runner, 'readOne' | 'write'>,
  key: { readonly companyId: string; readonly conversationId: string; readonly reader: string },
  untilMs: number,
): Promise<number> {
  const before = await runner.readOne(conversationReads.find(key));
  if (before !== undefined && before.untilMs >= untilMs) return before.untilMs;
  await runner.write(conversationReads.upsert([{ ...key, untilMs }]));
  return untilMs;
}

const selectState = companyQuery(
  {},
  { open: sum(), operators: optional(sum()), waiting: optional(sum()), newest: optional(integer()) },
  (company) =>
    company
      .selectFrom('conversations')
      .select(({ fn }) => [
        fn.countAll<number>().as('open'),
        fn.sum<number | null>('operator_id').as('operators'),
        fn.sum<number | null>(sql<number>`waiting_since_ms % 1000000007`).as('waiting'),
        fn.max('start_at_ms').as('newest'),
      ])
      .where('state', '=', active),
);

const selectLastNumber = messages.read(['id'], pick(messages.columns, 'botId'), (rows, given) =>
  rows.where('bot_id', '=', given.botId).orderBy('id', 'desc').limit(1),
);

/** Another text after whatever changes what an inbox shows: a message, or a conversation that begins, ends or changes hands. */
export async function readInboxState(
  runner: Pick<Runner, 'read' | 'readEach'>,
  companyId: string,
  botIds: readonly string[],
): Promise<string> {
  const [state, numbers] = await Promise.all([
    runner.read(selectState({ companyId })),
    runner.readEach(botIds.map((botId) => selectLastNumber({ companyId, botId }))),
  ]);
  return JSON.stringify([state, numbers]);
}
