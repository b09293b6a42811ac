import { ask, askEach, askOne, statementsOver, type Steps, type Value } from '@hilo/stores';
import { sql } from 'kysely';
import type { ServiceTables } from './rows.ts';

type Columns = { readonly [column: string]: Value };
/** A row without the columns that the database or the service fills by itself. */
type RowOf<Name extends keyof ServiceTables> = {
  readonly [Column in ColumnOf<Name> as ServiceTables[Name][Column] extends Value ? Column : never]: ServiceTables[Name][Column];
} & Columns;
type ColumnOf<Name extends keyof ServiceTables> = keyof ServiceTables[Name] & string;

/** Any table, any column: the statements of all collections are the same but for these. */
const statement = statementsOver<{ readonly [table: string]: Columns }>();

/** The rows of a table, as whoever keeps configuration sees them. */
export interface Collection<Row extends Columns> {
  /** A company's rows, or all, in the order of their keys. */
  rows(companyId?: string): Steps<readonly Row[]>;
  /** The row that has these values in its key's columns. */
  find(key: Partial<Row>): Steps<Row | undefined>;
  /** Adds rows that are missing and makes those that differ what is given. @returns those that were either */
  put(rows: readonly Row[]): Steps<readonly Row[]>;
  /** Adds rows that are missing and leaves the others as they are. @returns those that were missing */
  add(rows: readonly Row[]): Steps<readonly Row[]>;
}

/**
 * Describes a table once, for every row that goes into it or comes out.
 *
 * @param keys - what a row is found by; a row of another company is never written over
 * @param columns - the others
 * @param lasting - those of them that keep what they hold when a row comes without
 */
export function collection<Name extends keyof ServiceTables>(
  table: Name,
  keys: readonly ColumnOf<Name>[],
  columns: readonly ColumnOf<Name>[],
  lasting: readonly ColumnOf<Name>[] = [],
): Collection<RowOf<Name>> {
  type Row = RowOf<Name>;
  const [place, key]: readonly [string, readonly string[]] = [table, keys];
  const names: readonly string[] = [...keys, ...columns];
  const valuesOf = (given: Columns) => Object.fromEntries(names.map((name) => [name, given[name] ?? null]));
  const held = (name: string) => sql<Value>`${sql.id(table, name)}`;
  const brought = (name: string) => sql<Value>`${sql.id('excluded', name)}`;
  const becoming = (name: ColumnOf<Name>) =>
    lasting.includes(name) ? sql<Value>`coalesce(${brought(name)}, ${held(name)})` : brought(name);

  const everyRow = statement()((db) => key.reduce((query, name) => query.orderBy(name), db.selectFrom(place).select(names)));
  const rowsOfCompany = statement<{ readonly companyId: string }>()((db, { companyId }) =>
    key.reduce((query, name) => query.orderBy(name), db.selectFrom(place).select(names).where('company_id', '=', companyId)),
  );
  const rowOfKey = statement<Columns>()((db, given) =>
    key.reduce((query, name) => query.where(name, '=', given[name] ?? null), db.selectFrom(place).select(names)),
  );
  const insert = statement<Columns>()((db, given) =>
    db
      .insertInto(place)
      .values(valuesOf(given))
      .onConflict((conflict) => conflict.columns(key).doNothing())
      .returning(key),
  );
  const upsert = statement<Columns>()((db, given) =>
    db
      .insertInto(place)
      .values(valuesOf(given))
      .onConflict((conflict) =>
        conflict
          .columns(key)
          .doUpdateSet(Object.fromEntries(columns.map((name) => [name, becoming(name)])))
          .where(sql<boolean>`${held('company_id')} = ${brought('company_id')}`)
          .where(({ or }) => or(columns.map((name) => sql<boolean>`${held(name)} is distinct from ${becoming(name)}`))),
      )
      .returning(key),
  );

  function* written(how: typeof insert, rows: readonly Row[]): Steps<readonly Row[]> {
    const answers = yield* askEach(how, rows);
    return rows.filter((_row, index) => (answers[index]?.length ?? 0) > 0);
  }

  return {
    rows: (companyId) => (companyId === undefined ? ask(everyRow, {}) : ask(rowsOfCompany, { companyId })) as Steps<readonly Row[]>,
    find: (key) => askOne(rowOfKey, key as Columns) as Steps<Row | undefined>,
    put: (rows) => written(upsert, rows),
    add: (rows) => written(insert, rows),
  };
}
