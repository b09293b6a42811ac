// Statements of what is counted of workflows: how far histories are counted, the records after that, and the counts of a stretch of hours.
import { integer, lookup, optional, pick, plain, type ItemOf, type ReadOf, sum, text } from '@hilo/stores';
import { sql } from 'kysely';
import { companyQuery, type Database, query } from '../platform/database/schema.ts';
import { bucketColumns, numbers } from '../platform/tables/numbers.ts';

/** Numbers of rows: of executions, whose rows have their first records, and of histories, which have the later ones. */
export type Position = { readonly begun: number; readonly advanced: number };

const position = { begun: sum(), advanced: sum() };

/** How far histories are counted. */
export const selectCursor = query({}, { ...position, atMs: sum() }, (db) =>
  db.selectFrom('number_cursors').select(['begun', 'advanced', 'at_ms']).where('name', '=', 'histories'),
);

/** Goes on from where it was; changes nothing where another process has. */
export const moveCursor = query(
  { fromBegun: integer(), fromAdvanced: integer(), begun: integer(), advanced: integer(), atMs: integer() },
  {},
  (db, { fromBegun, fromAdvanced, begun, advanced, atMs }) =>
    db
      .updateTable('number_cursors')
      .set({ begun, advanced, at_ms: atMs })
      .where('name', '=', 'histories')
      .where('begun', '=', fromBegun)
      .where('advanced', '=', fromAdvanced)
      .returning('name'),
);

/** The last rows of SQLite, whose numbers are in the order of their commits. */
export const lastRows = query({}, position, (db) =>
  db.selectNoFrom([
    sql<number>`(select coalesce(max(id), 0) from executions)`.as('begun'),
    sql<number>`(select coalesce(max(id), 0) from histories)`.as('advanced'),
  ]),
);

/** The last number that PostgreSQL has given to a row of a table; none for a table without a row. The sequence is found by its table. */
const lastGiven = (db: Database, table: 'executions' | 'histories') =>
  sql<number>`coalesce((select pg_sequence_last_value(objid) from pg_catalog.pg_depend
    where classid = 'pg_catalog.pg_class'::regclass and deptype = 'i'
      and refobjsubid > 0 and refobjid = ${db.selectFrom(table).select(sql`tableoid`.as('of')).limit(1)}), 0)`;

/** The last numbers that PostgreSQL has given, whether their rows are committed yet or not. */
export const lastNumbers = query({}, position, (db) =>
  db.selectNoFrom([lastGiven(db, 'executions').as('begun'), lastGiven(db, 'histories').as('advanced')]),
);

/** The transactions of PostgreSQL: the next one, and the oldest that has not ended. */
export const transactions = query({}, { next: sum(), oldest: sum() }, (db) =>
  db.selectNoFrom([
    sql<number>`pg_snapshot_xmax(pg_current_snapshot())::text::bigint`.as('next'),
    sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`.as('oldest'),
  ]),
);

const stretch = { after: integer(), upTo: integer(), limit: integer() };
const row = { id: sum(), companyId: optional(text()), executionId: optional(text()) };
/** The row of an execution, or of later records of one. */
export type NumberedRow = ReadOf<typeof row>;

/** Executions by the number of their row. */
export const begunAfter = query(stretch, row, (db, { after, upTo, limit }) =>
  db
    .selectFrom('executions')
    .select(['id', 'company_id', 'execution_id'])
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .orderBy('id')
    .limit(limit),
);

/** Later records by the number of their row; without an execution for those of one that was removed. */
export const advancedAfter = query(stretch, row, (db, { after, upTo, limit }) =>
  db
    .selectFrom('histories')
    .leftJoin('executions', 'executions.id', 'histories.execution')
    .select(['histories.id', 'executions.company_id', 'executions.execution_id'])
    .where('histories.id', '>', after)
    .where('histories.id', '<=', upTo)
    .orderBy('histories.id')
    .limit(limit),
);

const content = { workflowId: text(), version: sum(), hash: plain(), publishedAtMs: sum() };
/** A content that was published. */
export type PublishedContent = ReadOf<typeof content>;

/** The contents that a company has published. */
export const publishedContents = companyQuery({}, content, (company) =>
  company.selectFrom('versions').select(['workflow_id', 'version', 'hash', 'published_at_ms']),
);

const keys = ['company_id', 'workflow_id', 'hour', 'version', 'node_id', 'kind', 'name', 'channel'] as const;
const added = ['count', 'time_ms', ...bucketColumns] as const;
const addedNames = ['count', 'timeMs', ...bucketColumns] as const;

/** What is added to a count; it begins at nothing. */
export type Added = { readonly [Name in (typeof addedNames)[number]]: number };

/** A count by its key. */
export type NumberKey = Omit<ItemOf<typeof numbers.columns>, keyof Added>;

/** The columns of numbers. */
const numeric: ReadonlySet<string> = new Set(['hour', 'version', ...added]);

/** A value of a column, with its type: PostgreSQL takes a parameter of a selection for a text. */
const typed = (column: (typeof keys)[number] | (typeof added)[number], value: string | number) =>
  sql<string | number>`cast(${value} as ${sql.raw(numeric.has(column) ? 'bigint' : 'text')})`.as(column);

/** Adds to a count, unless the company has left: what was read of it before is counted where it is now. */
export const addNumbers = query(numbers.columns, {}, (db, given) => {
  const columns = [...keys, ...added];
  const values = Object.fromEntries(numbers.named.map(({ property, name }) => [name, given[property as keyof typeof given]]));
  return db
    .insertInto('numbers')
    .columns(columns)
    .expression(
      db
        .selectNoFrom(columns.map((column) => typed(column, values[column] ?? '')))
        .where(({ not, exists }) =>
          not(
            exists(
              db
                .selectFrom('company_moves')
                .select('state')
                .where('company_id', '=', given.companyId)
                .where('state', 'in', ['left', 'gone']),
            ),
          ),
        ),
    )
    .onConflict((conflict) =>
      conflict
        .columns(keys)
        .doUpdateSet(({ eb, ref }) =>
          Object.fromEntries(added.map((column) => [column, eb(ref(`numbers.${column}`), '+', ref(`excluded.${column}`))])),
        ),
    );
});

const total = (column: (typeof added)[number]) => sql<number>`cast(sum(${sql.ref(column)}) as bigint)`.as(column);

const sums = { ...pick(numbers.columns, 'nodeId', 'kind', 'name', 'channel', 'timeMs', ...bucketColumns), version: sum(), count: sum() };

/** The sums of a stretch of hours, the last one included. */
export const sumNumbers = companyQuery(
  { ...pick(numbers.columns, 'workflowId'), fromHour: integer(), toHour: integer() },
  sums,
  (company, { workflowId, fromHour, toHour }) =>
    company
      .selectFrom('numbers')
      .select(['version', 'node_id', 'kind', 'name', 'channel', ...added.map(total)])
      .where('workflow_id', '=', workflowId)
      .where('hour', '>=', fromHour)
      .where('hour', '<=', toHour)
      .groupBy(['version', 'node_id', 'kind', 'name', 'channel'])
      .orderBy('version')
      .orderBy('node_id')
      .orderBy('kind')
      .orderBy('name'),
);

/** Removes the counts of hours that are long past: a few, since it is done every hour. */
export const removeOldNumbers = query({ beforeHour: integer() }, {}, (db, { beforeHour }) =>
  db.deleteFrom('numbers').where('hour', '<', beforeHour).returning('hour'),
);

/** Waits of a bot are counted up to here. */
const maxWaiting = 50_000;

/** Where executions of a bot wait, newest first. */
export const selectWaiting = companyQuery(
  { workflowId: text(), botKey: lookup() },
  { version: optional(integer()), waitId: optional(text()) },
  (company, { workflowId, botKey }) =>
    company
      .selectFrom('executions')
      .select(['version', 'wait_id'])
      .where('workflow_id', '=', workflowId)
      .where('status', '=', 'waiting')
      .where('bot_key', '=', botKey)
      .orderBy('id', 'desc')
      .limit(maxWaiting),
);
