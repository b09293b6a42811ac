import { type RawBuilder, sql } from 'kysely';
import { areEachOnce } from '../each-once.ts';
import { type Call, call, condition, type Runner, type StoredRow } from '../statements/call.ts';
import { decodeRows, encodeList, integerColumn, textColumn } from '../statements/row-list.ts';
import { anyCompanyRows } from '../statements/of-company.ts';
import { statementsOver, type Value } from '../statements/statement.ts';

/** Lists of rows of a table, read and written by a number of statements that does not grow with the number of rows. */

/** Any table, any column: the statements of all tables are the same but for these. */
export const anyStatement = statementsOver<{ readonly [table: string]: StoredRow }>();

/** Rows in one statement: a campaign may have a million recipients. */
const maxRows = 1_000;

type Reader = Pick<Runner, 'readEach'>;

/** The statements over lists of rows. */
export interface RowLists<Row extends StoredRow> {
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

/** What {@link listRows} has to know of a table. */
export interface ListedTable {
  readonly name: string;
  /** The key of a row; a row of another company is never overwritten. Empty where the database numbers rows. */
  readonly keys: readonly string[];
  /** The column of that number: such rows are inserted, and never found again by what they say. */
  readonly number: string | undefined;
  readonly columns: readonly string[];
  /** Those of all that hold numbers; the others hold texts. */
  readonly numbers: readonly string[];
  /** Columns that keep their value when a row comes without one. */
  readonly lasting: readonly string[];
}

/** Makes them, once for a table. */
export function listRows<Row extends StoredRow>(table: ListedTable): RowLists<Row> {
  const { name: place, keys: key, number } = table;
  const names = [...key, ...table.columns];
  const { selectAllRows, selectByCompany, selectByKey, insert, upsert, missing, changed } = listStatements(table);

  /** Each key once: one statement writes no row twice. */
  const keepOnce = (rows: readonly Row[]): readonly Row[] => {
    const keys = rows.map(formatKey);
    return areEachOnce(keys) ? rows : [...new Map(rows.map((row, index) => [keys[index], row])).values()];
  };
  const formatKey = (row: StoredRow): string => JSON.stringify(key.map((name) => row[name]));
  const listValues = (row: StoredRow): readonly Value[] => names.map((name) => row[name] ?? null);

  const splitRows = (rows: readonly Row[]): readonly (readonly Row[])[] => {
    const all = number === undefined ? keepOnce(rows) : rows;
    return Array.from({ length: Math.ceil(all.length / maxRows) }, (_, part) => all.slice(part * maxRows, (part + 1) * maxRows));
  };
  const listGiven = (part: readonly Row[]) => ({ rows: encodeList(part.map(listValues)) });

  /** @throws {RangeError} */
  const requireKey = (): void => {
    if (number !== undefined) throw new RangeError(`Table "${place}" numbers its rows: insert them`);
  };

  const findLacking = async (runner: Reader, how: typeof missing, rows: readonly Row[]): Promise<readonly Row[]> => {
    requireKey();
    const parts = splitRows(rows);
    const places = await runner.readEach(parts.map((part) => call(how, listGiven(part))));
    return parts.flatMap((part, index) => {
      const found = new Set(places[index]?.map(({ place }) => place));
      return part.filter((_row, number) => found.has(String(number)));
    });
  };

  return {
    // The statements select the columns that a row has.
    rows: (companyId) => (companyId === undefined ? call(selectAllRows, {}) : call(selectByCompany, { companyId })) as Call<Row>,
    find: (key) => call(selectByKey, key as StoredRow) as Call<Row>,
    changed: (runner, rows) => findLacking(runner, changed, rows),
    missing: (runner, rows) => findLacking(runner, missing, rows),
    put(rows) {
      requireKey();
      return splitRows(rows).map((part) => call(upsert, listGiven(part)));
    },
    add(rows) {
      requireKey();
      return splitRows(rows).map((part) => call(insert, listGiven(part)));
    },
    addNew: (rows) => splitRows(rows).map((part) => condition(insert, listGiven(part), part.length)),
  };
}

/** The statements of a table. */
function listStatements({ name: place, keys: key, columns: others, number, numbers, lasting }: ListedTable) {
  const names = [...key, ...others];
  const identity = number === undefined ? key : [number];
  const [isNumber, isLasting] = [new Set(numbers), new Set(lasting)];
  const stored = (name: string) => sql<Value>`${sql.id(place, name)}`;
  const given = (name: string): RawBuilder<Value> => {
    const column = names.indexOf(name);
    return isNumber.has(name) ? integerColumn(column) : textColumn(column);
  };
  const excluded = (name: string) => sql<Value>`${sql.id('excluded', name)}`;
  /** The value of a column after the write. */
  const nextValue = (name: string, value: typeof given) =>
    isLasting.has(name) ? sql<Value>`coalesce(${value(name)}, ${stored(name)})` : value(name);
  const differs = (value: typeof given) => others.map((name) => sql<boolean>`${stored(name)} is distinct from ${nextValue(name, value)}`);

  const selectAllRows = anyStatement()((db) => identity.reduce((query, name) => query.orderBy(name), db.selectFrom(place).select(names)));
  const selectByCompany = anyStatement<{ readonly companyId: string }>()((db, { companyId }) =>
    identity.reduce((query, name) => query.orderBy(name), anyCompanyRows(db, companyId).selectFrom(place).select(names)),
  );
  const selectByKey = anyStatement<StoredRow>()((db, values) =>
    key.reduce((query, name) => query.where(name, '=', values[name] ?? null), db.selectFrom(place).select(names)),
  );
  const selectLacking = (isLacking: 'missing' | 'changed') =>
    anyStatement<{ readonly rows: string }>()((db, { rows }) =>
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
  const buildInsert = (db: Parameters<Parameters<ReturnType<typeof anyStatement>>[0]>[0], rows: string) =>
    db
      .insertInto(place)
      .columns(names)
      .expression(
        ({ selectFrom }) =>
          selectFrom(decodeRows(rows))
            .select(names.map((name) => given(name).as(name)))
            .where(sql<boolean>`true`), // without it, SQLite parses the ON CONFLICT as a join condition
      )
      .returning(identity);
  const insert = anyStatement<{ readonly rows: string }>()((db, { rows }) => {
    const inserting = buildInsert(db, rows);
    return number === undefined ? inserting.onConflict((conflict) => conflict.columns(key).doNothing()) : inserting;
  });
  const upsert = anyStatement<{ readonly rows: string }>()((db, { rows }) =>
    buildInsert(db, rows).onConflict((conflict) => {
      if (others.length === 0) return conflict.columns(key).doNothing();
      return conflict
        .columns(key)
        .doUpdateSet(Object.fromEntries(others.map((name) => [name, nextValue(name, excluded)])))
        .where(sql<boolean>`${stored('company_id')} = ${excluded('company_id')}`)
        .where(({ or }) => or(differs(excluded)));
    }),
  );
  return {
    selectAllRows,
    selectByCompany,
    selectByKey,
    insert,
    upsert,
    missing: selectLacking('missing'),
    changed: selectLacking('changed'),
  };
}
