// Statements over the rows of a person, made from what each table says of itself: read for an export, removed or blanked for an erasure.
import {
  type Call,
  call,
  decodeRows,
  encodeKey,
  encodeList,
  encodeText,
  type Statement,
  statementsOver,
  textColumn,
  type Value,
} from '@hilo/stores';
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type PersonalTable, personalTables } from './personal-tables.ts';
import type { Subject } from './subject.ts';

const anyStatement = statementsOver<{ readonly [table: string]: { readonly [column: string]: Value } }>();

type Given = {
  readonly companyId: string;
  readonly personKey: string;
  readonly contactId: string;
  /** Lists of rows of one text: user keys, bots, and ids of executions or messages. */
  readonly userKeys: string;
  readonly botIds: string;
  readonly ids: string;
};

type Source = Parameters<Parameters<ReturnType<typeof anyStatement<Given>>>[0]>[0];

/** A row as its table has it. */
export type PersonRow = { readonly [column: string]: Value };

const listed = (list: string): RawBuilder<string> => sql`(select ${textColumn(0)} from ${decodeRows(list)})`;

/** Whether a row is the person's. */
function isOfPerson(db: Source, { of, column, among, name }: PersonalTable, given: Given): Expression<SqlBool> {
  const owner = sql.ref(`${name}.${column}`);
  const company = sql`${sql.ref(`${name}.company_id`)} = ${given.companyId}`;
  const within =
    among === undefined
      ? sql`${company}`
      : among === 'bot_id'
        ? sql`${company} and ${sql.ref(`${name}.bot_id`)} in ${listed(given.botIds)}`
        : sql`${company} and ${sql.ref(`${name}.campaign_id`)} in ${db.selectFrom('campaigns').select('id').where('company_id', '=', given.companyId)}`;
  const keys = listed(given.userKeys);
  switch (of) {
    case 'user':
      return sql<SqlBool>`${within} and ${owner} in ${keys}`;
    case 'person':
      return sql<SqlBool>`${within} and ${owner} = ${given.personKey}`;
    case 'contact':
      return sql<SqlBool>`${within} and ${owner} = ${given.contactId}`;
    case 'execution':
    case 'message':
      return sql<SqlBool>`${within} and ${owner} in ${listed(given.ids)}`;
    case 'conversation':
    case 'room': {
      const owners = db
        .selectFrom(of === 'room' ? 'rooms' : 'conversations')
        .select('id')
        .where('company_id', '=', given.companyId)
        .where(sql<SqlBool>`bot_id in ${listed(given.botIds)}`)
        .where(sql<SqlBool>`user_key in ${keys}`);
      return sql<SqlBool>`${within} and ${owner} in ${owners}`;
    }
  }
}

interface TableStatements {
  readonly table: PersonalTable;
  readonly read: Statement<Given, PersonRow>;
  readonly clear: Statement<Given, unknown>;
}

const makeStatements = (table: PersonalTable): TableStatements => ({
  table,
  read: anyStatement<Given>()<PersonRow>((db, given) =>
    db
      .selectFrom(table.name)
      .selectAll()
      .where(isOfPerson(db, table, given)),
  ),
  clear: anyStatement<Given>()((db, given) =>
    table.blanks === undefined
      ? db.deleteFrom(table.name).where(isOfPerson(db, table, given))
      : db
          .updateTable(table.name)
          .set(table.blanks)
          .where(isOfPerson(db, table, given)),
  ),
});

const ownStatements: readonly TableStatements[] = personalTables.map(makeStatements);

/** Statements over each table with rows of a person: those of the service, and of the host's resources. */
const statementsFor = ({ hostTables }: Subject): readonly TableStatements[] => [...ownStatements, ...hostTables.map(makeStatements)];

const list = (values: readonly string[]): string => encodeList(values.map((value) => [value]));

const bind = ({ companyId, personKey, contactId, userKeys, botIds }: Subject, ids: readonly string[]): Given => ({
  companyId: encodeText(companyId),
  personKey,
  contactId,
  userKeys: list(userKeys),
  botIds: list(botIds.map(encodeText)),
  ids: list(ids),
});

type Which = (table: PersonalTable) => boolean;

/** Reads the rows of a person in some tables. @param ids - of the executions or messages that tables are read by, as columns have them */
export const readRows = (
  subject: Subject,
  which: Which,
  ids: readonly string[] = [],
): readonly { readonly table: string; readonly call: Call<PersonRow> }[] =>
  statementsFor(subject)
    .filter(({ table }) => which(table))
    .map(({ table, read }) => ({ table: table.name, call: call(read, bind(subject, ids)) }));

/** Removes the rows of a person in some tables, or blanks them. */
export const clearRows = (subject: Subject, which: Which, ids: readonly string[] = []): readonly Call[] =>
  statementsFor(subject)
    .filter(({ table }) => which(table))
    .map(({ clear }) => call(clear, bind(subject, ids)));

type MessagePage = {
  readonly companyId: string;
  readonly botId: string;
  readonly userKey: string;
  readonly after: number;
  readonly limit: number;
};

/** Messages of a user with a bot, oldest first. */
const messagePage = anyStatement<MessagePage>()<PersonRow>((db, { companyId, botId, userKey, after, limit }) =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('bot_id', '=', botId)
    .where('user_key', '=', userKey)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit),
);

/** A page of the messages that a bot and a user of one id have sent each other, oldest first. */
export const pageMessages = (companyId: string, botId: string, userId: string, after: number, limit: number): Call<PersonRow> =>
  call(messagePage, { companyId: encodeText(companyId), botId: encodeText(botId), userKey: encodeKey(userId), after, limit });

const removeMessages = anyStatement<Omit<MessagePage, 'limit' | 'after'> & { readonly upTo: number }>()(
  (db, { companyId, botId, userKey, upTo }) =>
    db
      .deleteFrom('messages')
      .where('company_id', '=', companyId)
      .where('bot_id', '=', botId)
      .where('user_key', '=', userKey)
      .where('id', '<=', upTo),
);

/** Removes a page of messages with what is kept about each. @param page - of one bot and one id of a user, oldest first */
export function clearMessages(subject: Subject, page: readonly PersonRow[]): readonly Call[] {
  const last = page.at(-1);
  if (last === undefined) return [];
  const ids = page.flatMap(({ message_id: id }) => (typeof id === 'string' ? [id] : []));
  return [
    ...clearRows(subject, ({ of }) => of === 'message', ids),
    call(removeMessages, {
      companyId: encodeText(subject.companyId),
      botId: String(last['bot_id']),
      userKey: String(last['user_key']),
      upTo: Number(last['id']),
    }),
  ];
}
