// Statements that tables do not have, such as joins: their values are encoded and their rows decoded by columns, as those of a table are.
import type { Compilable, Kysely, Selectable } from 'kysely';
import type { Tables } from '../schema/row-types.ts';
import type { Call, StoredRow } from '../statements/call.ts';
import { type CompanyRows, companyStatementsOver } from '../statements/of-company.ts';
import { type Statement, statementsOver, type Value } from '../statements/statement.ts';
import { type ItemIn, text } from './columns.ts';
import type { NamesOf, OfCompany, Parametered, GivenColumns, Places, RowOf, Snake } from './table.ts';
import { sqlName } from './table-check.ts';

/** What a row of a statement has, by property: `botId` is read from the column `bot_id`. */
type Reads = GivenColumns;
/** A row as programs have it. */
export type ReadOf<R> = { readonly [Name in keyof R]: ItemIn<R[Name]> };
type Own = { readonly [table: string]: object };
type StoredValues = { readonly [name: string]: Value };

/** A statement as a function of its values. */
export interface Query<Given, Read> extends Statement<never, unknown> {
  (given: Given): Call<Read>;
}

/**
 * Defines statements of one company, as `companyStatementsOver` does, whose values and rows are told by columns.
 *
 * @example
 * const companyQuery = companyQueriesOver<{ tags: RowOf<typeof tags.columns>; room_tags: RowOf<typeof roomTags.columns> }>();
 * const tagsOfRoom = companyQuery({ roomId: text() }, pick(tags.columns, 'id', 'name'), (company, { roomId }) =>
 *   company
 *     .selectFrom('room_tags')
 *     .innerJoin('tags', (on) => on.onRef('tags.company_id', '=', 'room_tags.company_id').onRef('tags.id', '=', 'room_tags.tag_id'))
 *     .select(['tags.id', 'tags.name'])
 *     .where('room_tags.room_id', '=', roomId),
 * );
 * const named = await store.runner.read(tagsOfRoom({ companyId: '1', roomId: 'r1' }));
 */
export const companyQueriesOver =
  <All extends Own>() =>
  <const P extends GivenColumns, const R extends Reads, Row extends Selectable<RowOf<R>>>(
    parameters: P,
    reads: R,
    build: (rows: CompanyRows<Tables & All>, given: Places<P> & OfCompany, db: Kysely<Tables & All>) => Compilable<Row>,
  ): Query<Parametered<P> & OfCompany, ReadOf<R>> =>
    toQuery(
      { companyId: text(), ...parameters },
      reads,
      companyStatementsOver<All>()<Places<P> & StoredValues>()((rows, given, db) => build(rows, given, db)),
    );

/** The same over the rows of all companies. */
export const queriesOver =
  <All extends Own>() =>
  <const P extends GivenColumns, const R extends Reads, Row extends Selectable<RowOf<R>>>(
    parameters: P,
    reads: R,
    build: (db: Kysely<Tables & All>, given: Places<P>) => Compilable<Row>,
  ): Query<Parametered<P>, ReadOf<R>> =>
    toQuery(
      parameters,
      reads,
      statementsOver<All>()<Places<P> & StoredValues>()((db, given) => build(db, given)),
    );

function toQuery<Given extends { readonly [Name in keyof Given]: unknown }, Read>(
  parameters: GivenColumns,
  reads: Reads,
  statement: Statement<never, unknown>,
): Query<Given, Read> {
  const encoders = Object.entries(parameters);
  const encode = (given: { readonly [name: string]: unknown }): StoredValues => {
    const values: { [name: string]: Value } = {};
    for (const [name, of] of encoders) values[name] = of.encode(given[name]);
    return values;
  };
  const decoders = Object.entries(reads).map(([property, of]) => [property, sqlName(property), of] as const);
  const decode = (row: StoredRow): object => {
    const item: { [property: string]: unknown } = {};
    for (const [property, column, of] of decoders) item[property] = of.decode(row[column] ?? null);
    return item;
  };
  return Object.assign(
    // The types of values and rows are computed from the columns, as these two functions compute them.
    (given: Given): Call<Read> => ({ statement, values: encode({ ...given }), decode: decode as (row: StoredRow) => Read }),
    statement,
  );
}

/** Some of the columns of a table, in the order in which they are named. */
export const pick = <C extends GivenColumns, const Names extends readonly NamesOf<C>[]>(
  columns: C,
  ...names: Names
): { readonly [Name in Names[number]]: C[Name] } =>
  Object.fromEntries(names.map((name) => [name, columns[name]])) as { readonly [Name in Names[number]]: C[Name] };

/** What a statement selects of a table for them: `found.bot_id` for `botId`. */
export const selected = <const Alias extends string, C extends GivenColumns>(
  alias: Alias,
  columns: C,
): readonly `${Alias}.${Snake<NamesOf<C>>}`[] =>
  Object.keys(columns).map((name) => `${alias}.${sqlName(name)}`) as readonly `${Alias}.${Snake<NamesOf<C>>}`[];
