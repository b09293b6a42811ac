import {
  type Call,
  call,
  condition,
  decodeRows,
  integerColumn,
  textColumn,
  encodeList,
  type Runner,
  statementsOver,
  type Value,
} from '@hilo/stores';
import { type RawBuilder, sql } from 'kysely';
import type { WorkspaceTables } from './schema.ts';

type Columns = { readonly [column: string]: Value };
/** A row without the columns that the database or the service fills by itself. */
type RowOf<Name extends keyof WorkspaceTables> = {
  readonly [Column in ColumnOf<Name> as WorkspaceTables[Name][Column] extends Value ? Column : never]: WorkspaceTables[Name][Column];
} & Columns;
type ColumnOf<Name extends keyof WorkspaceTables> = keyof WorkspaceTables[Name] & string;
/** Columns that hold a number. */
type NumberColumnOf<Name extends keyof WorkspaceTables> = {
  [Column in keyof RowOf<Name>]: number extends RowOf<Name>[Column] ? Column : never;
}[ColumnOf<Name>] &
  string;

/** Any table, any column: the statements of all collections are the same but for these. */
const statement = statementsOver<{ readonly [table: string]: Columns }>();

/** Rows in one statement: a campaign may have a million recipients. */
const maxRows = 1_000;

type Reader = Pick<Runner, 'readEach'>;

/** The rows of a configuration table, as values. */
export interface Collection<Row extends Columns> {
  /** Reads a company's rows, or all, in the order of their keys. */
  rows(companyId?: string): Call<Row>;
  /** Reads the row that has these values in its key's columns. */
  find(key: Partial<Row>): Call<Row>;
  /** @returns those of the rows that are missing or differ: what `put` would write */
  changed(runner: Reader, rows: readonly Row[]): Promise<readonly Row[]>;
  /** @returns those of the rows that are missing: what `add` would write */
  missing(runner: Reader, rows: readonly Row[]): Promise<readonly Row[]>;
  /** Inserts missing rows and updates different ones: each statement returns a row for each that it changed. */
  put(rows: readonly Row[]): readonly Call[];
  /** Inserts missing rows and leaves the others: each statement returns a row for each that it inserted. */
  add(rows: readonly Row[]): readonly Call[];
  /** The same as conditions: all of them must be missing. */
  addNew(rows: readonly Row[]): readonly Call[];
}

/** How a table is described to {@link collection}. */
interface Description<Name extends keyof WorkspaceTables> {
  /** The key of a row; a row of another company is never overwritten. */
  readonly keys: readonly ColumnOf<Name>[];
  readonly columns: readonly ColumnOf<Name>[];
  /** All of them that hold numbers; the others hold texts. */
  readonly numbers?: readonly NumberColumnOf<Name>[];
  /** Columns that keep their value when a row comes without one. */
  readonly lasting?: readonly ColumnOf<Name>[];
}

/** Describes a table for import and export. The number of statements does not grow with the number of rows. */
function collection<Name extends keyof WorkspaceTables>(
  table: Name,
  { keys, columns, numbers = [], lasting = [] }: Description<Name>,
): Collection<RowOf<Name>> {
  type Row = RowOf<Name>;
  const [place, key, others]: readonly [string, readonly string[], readonly string[]] = [table, keys, columns];
  const names = [...key, ...others];
  const stored = (name: string) => sql<Value>`${sql.id(place, name)}`;
  const given = (name: string): RawBuilder<Value> => {
    const column = names.indexOf(name);
    return new Set<string>(numbers).has(name) ? integerColumn(column) : textColumn(column);
  };
  const excluded = (name: string) => sql<Value>`${sql.id('excluded', name)}`;
  /** The value of a column after the write. */
  const nextValue = (name: string, value: typeof given) =>
    new Set<string>(lasting).has(name) ? sql<Value>`coalesce(${value(name)}, ${stored(name)})` : value(name);
  const differs = (value: typeof given) => others.map((name) => sql<boolean>`${stored(name)} is distinct from ${nextValue(name, value)}`);

  const selectAllRows = statement()((db) => key.reduce((query, name) => query.orderBy(name), db.selectFrom(place).select(names)));
  const selectByCompany = statement<{ readonly companyId: string }>()((db, { companyId }) =>
    key.reduce((query, name) => query.orderBy(name), db.selectFrom(place).select(names).where('company_id', '=', companyId)),
  );
  const selectByKey = statement<Columns>()((db, values) =>
    key.reduce((query, name) => query.where(name, '=', values[name] ?? null), db.selectFrom(place).select(names)),
  );
  const selectLacking = (isLacking: 'missing' | 'changed') =>
    statement<{ readonly rows: string }>()((db, { rows }) =>
      db
        .selectFrom(decodeRows(rows))
        .leftJoin(place, (join) => key.reduce((on, name) => on.on(stored(name), '=', given(name)), join))
        .select(sql<string>`listed.key`.as('place'))
        .where(({ or, and }) =>
          or([
            sql<boolean>`${stored(key[0] ?? '')} is null`,
            ...(isLacking === 'changed' ? [and([sql<boolean>`${stored('company_id')} = ${given('company_id')}`, or(differs(given))])] : []),
          ]),
        ),
    );
  const buildInsert = (db: Parameters<Parameters<ReturnType<typeof statement>>[0]>[0], rows: string) =>
    db
      .insertInto(place)
      .columns(names)
      .expression(
        ({ selectFrom }) =>
          selectFrom(decodeRows(rows))
            .select(names.map((name) => given(name).as(name)))
            .where(sql<boolean>`true`), // without it, SQLite parses the ON CONFLICT as a join condition
      )
      .returning(key);
  const insert = statement<{ readonly rows: string }>()((db, { rows }) =>
    buildInsert(db, rows).onConflict((conflict) => conflict.columns(key).doNothing()),
  );
  const upsert = statement<{ readonly rows: string }>()((db, { rows }) =>
    buildInsert(db, rows).onConflict((conflict) =>
      conflict
        .columns(key)
        .doUpdateSet(Object.fromEntries(others.map((name) => [name, nextValue(name, excluded)])))
        .where(sql<boolean>`${stored('company_id')} = ${excluded('company_id')}`)
        .where(({ or }) => or(differs(excluded))),
    ),
  );
  const [missing, changed] = [selectLacking('missing'), selectLacking('changed')];

  /** Each key once: one statement writes no row twice. */
  const keepOnce = (rows: readonly Row[]): ReadonlyMap<string, Row> => new Map(rows.map((row) => [formatKey(row), row]));
  const formatKey = (row: Columns): string => JSON.stringify(key.map((name) => row[name]));
  const listValues = (row: Columns): readonly Value[] => names.map((name) => row[name] ?? null);

  const splitRows = (rows: readonly Row[]): readonly (readonly Row[])[] => {
    const all = [...keepOnce(rows).values()];
    return Array.from({ length: Math.ceil(all.length / maxRows) }, (_, part) => all.slice(part * maxRows, (part + 1) * maxRows));
  };
  const listGiven = (part: readonly Row[]) => ({ rows: encodeList(part.map(listValues)) });

  const findLacking = async (runner: Reader, how: typeof missing, rows: readonly Row[]): Promise<readonly Row[]> => {
    const parts = splitRows(rows);
    const places = await runner.readEach(parts.map((part) => call(how, listGiven(part))));
    return parts.flatMap((part, index) => {
      const found = new Set(places[index]?.map(({ place }) => place));
      return part.filter((_row, number) => found.has(String(number)));
    });
  };

  return {
    rows: (companyId) => (companyId === undefined ? call(selectAllRows, {}) : call(selectByCompany, { companyId })),
    find: (key) => call(selectByKey, key as Columns) as Call<Row>,
    changed: (runner, rows) => findLacking(runner, changed, rows),
    missing: (runner, rows) => findLacking(runner, missing, rows),
    put: (rows) => splitRows(rows).map((part) => call(upsert, listGiven(part))),
    add: (rows) => splitRows(rows).map((part) => call(insert, listGiven(part))),
    addNew: (rows) => splitRows(rows).map((part) => condition(insert, listGiven(part), part.length)),
  };
}

/** Every table that a workspace describes, by its name; see `collection`. */
export const collections = {
  companies: collection('companies', {
    keys: ['company_id'],
    columns: ['name', 'kind', 'plan', 'time_zone', 'locale', 'failure_workflow_id', 'settings'],
  }),
  clients: collection('clients', { keys: ['client_id'], columns: ['company_id', 'secret_hash'] }),
  // A revoked key is never restored by an old file.
  apiKeys: collection('api_keys', {
    keys: ['company_id', 'id'],
    columns: ['name', 'prefix', 'hash', 'created_at_ms', 'last_used_at_ms', 'revoked_at_ms'],
    numbers: ['created_at_ms', 'last_used_at_ms', 'revoked_at_ms'],
    lasting: ['created_at_ms', 'last_used_at_ms', 'revoked_at_ms'],
  }),
  bots: collection('bots', {
    keys: ['bot_id'],
    columns: ['company_id', 'name', 'channel', 'connected_at_ms', 'provider_kind', 'provider', 'settings'],
    numbers: ['connected_at_ms'],
  }),
  secrets: collection('secrets', { keys: ['company_id', 'secret_id'], columns: ['sealed'] }),
  users: collection('users', { keys: ['company_id', 'user_key'], columns: ['user_id', 'names', 'phone', 'bsuid', 'time_zone', 'locale'] }),
  templates: collection('templates', {
    keys: ['company_id', 'id'],
    columns: ['bot_id', 'element_name', 'language', 'category', 'status', 'body', 'components'],
  }),
  campaigns: collection('campaigns', {
    keys: ['company_id', 'id'],
    columns: [
      'name',
      'element_name',
      'template_id',
      'bot_id',
      'status',
      'scheduled_at_ms',
      'created_at_ms',
      'completed_at_ms',
      'total_messages',
      'delivered_messages',
      'failed_messages',
    ],
    numbers: ['scheduled_at_ms', 'created_at_ms', 'completed_at_ms', 'total_messages', 'delivered_messages', 'failed_messages'],
  }),
  recipients: collection('campaign_recipients', {
    keys: ['company_id', 'campaign_id', 'user_key'],
    columns: ['user_id', 'position', 'parameters', 'status', 'message_id'],
    numbers: ['position'],
  }),
  teams: collection('teams', { keys: ['company_id', 'id'], columns: ['name'], numbers: ['id'] }),
  operators: collection('operators', { keys: ['company_id', 'id'], columns: ['names', 'email', 'team_ids'], numbers: ['id'] }),
  tags: collection('tags', {
    keys: ['company_id', 'id'],
    columns: ['name', 'color', 'text_color', 'language', 'teams', 'channels'],
    numbers: ['id'],
  }),
  rooms: collection('rooms', { keys: ['company_id', 'id'], columns: ['bot_id', 'user_key', 'user_id'] }),
  roomTags: collection('room_tags', { keys: ['company_id', 'room_id', 'tag_id'], columns: [], numbers: ['tag_id'] }),
  conversations: collection('conversations', {
    keys: ['company_id', 'id'],
    columns: [
      'room_id',
      'bot_id',
      'user_key',
      'user_id',
      'operator_id',
      'team_name',
      'state',
      'was_replied',
      'ended_reason',
      'origin',
      'start_at_ms',
      'end_at_ms',
      'first_replied_at_ms',
      'response_count',
      'response_total_ms',
      'response_times_ms',
      'child_conversation',
      'parent_conversation',
      'last_message_by',
    ],
    numbers: ['operator_id', 'was_replied', 'start_at_ms', 'end_at_ms', 'first_replied_at_ms', 'response_count', 'response_total_ms'],
  }),
  functions: collection('functions', { keys: ['function_id'], columns: ['company_id', 'name', 'source', 'tools'] }),
  runtimeTokens: collection('runtime_tokens', {
    keys: ['company_id', 'function_id', 'id'],
    columns: ['name', 'prefix', 'hash', 'created_at_ms', 'last_used_at_ms', 'revoked_at_ms'],
    numbers: ['created_at_ms', 'last_used_at_ms', 'revoked_at_ms'],
    lasting: ['created_at_ms', 'last_used_at_ms', 'revoked_at_ms'],
  }),
  credentials: collection('credentials', { keys: ['company_id', 'id'], columns: ['kind', 'fields'] }),
  importedWorkflows: collection('imported_workflows', { keys: ['company_id', 'workflow_id'], columns: ['fingerprint'] }),
} as const;
