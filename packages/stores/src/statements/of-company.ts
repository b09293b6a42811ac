// The tenant fence of statements: what they read, change or remove is one company's before anything else is said of it.
import type { Compilable, DeleteQueryBuilder, DeleteResult, Kysely, SelectQueryBuilder, UpdateQueryBuilder, UpdateResult } from 'kysely';
import type { Tables } from '../schema/row-types.ts';
import { type Statement, statementsOver, type Value } from './statement.ts';

type Values = { readonly [name: string]: Value };
type OfCompany = { readonly companyId: string };

/** The tables whose rows are of companies. */
type CompanyTable<Schema> = {
  [Name in keyof Schema & string]: Schema[Name] extends { readonly company_id: string } ? Name : never;
}[keyof Schema & string];
type Aliased<Schema, Name extends keyof Schema, Alias extends string> = Schema & { readonly [Of in Alias]: Schema[Name] };

/** Begins statements over the rows of one company, as Kysely begins them over all rows. */
export interface CompanyRows<Schema> {
  selectFrom<Name extends CompanyTable<Schema>>(table: Name): SelectQueryBuilder<Schema, Name, object>;
  selectFrom<Name extends CompanyTable<Schema>, const Alias extends string>(
    table: `${Name} as ${Alias}`,
  ): SelectQueryBuilder<Aliased<Schema, Name, Alias>, Alias, object>;
  updateTable<Name extends CompanyTable<Schema>>(table: Name): UpdateQueryBuilder<Schema, Name, Name, UpdateResult>;
  deleteFrom<Name extends CompanyTable<Schema>>(table: Name): DeleteQueryBuilder<Schema, Name, DeleteResult>;
}

export type AnyTables = { readonly [table: string]: { readonly [column: string]: Value } };

/** The same over tables that are known by their names alone. @param companyId - as the column holds it */
export function anyCompanyRows(db: Kysely<AnyTables>, companyId: Value) {
  const columnOf = (table: string): string => `${table.split(' as ').at(-1) ?? table}.company_id`;
  return {
    selectFrom: (table: string) => db.selectFrom(table).where(columnOf(table), '=', companyId),
    updateTable: (table: string) => db.updateTable(table).where(columnOf(table), '=', companyId),
    deleteFrom: (table: string) => db.deleteFrom(table).where(columnOf(table), '=', companyId),
  };
}

/**
 * Defines statements of one company over the tables of an `Extension`, beside the store's own. Whatever else they ask, they begin with rows
 * of the company.
 *
 * @example
 * const ofCompany = companyStatementsOver<{ tags: { company_id: string; id: string; name: string } }>();
 * const renameTag = ofCompany<{ id: string; name: string }>()((company, { id, name }) => company.updateTable('tags').set({ name }).where('id', '=', id));
 * await store.runner.write([call(renameTag, { companyId: '1', id: '7', name: 'VIP' })]);
 */
export const companyStatementsOver =
  <Own extends { readonly [table: string]: object }>() =>
  <Given extends Values = Record<never, never>>() =>
  <Row>(
    build: (rows: CompanyRows<Tables & Own>, given: Given & OfCompany, db: Kysely<Tables & Own>) => Compilable<Row>,
  ): Statement<Given & OfCompany, Row> =>
    statementsOver<Own>()<Given & OfCompany>()((db, given) => {
      // Kysely cannot tell from the name of a table that it has the column; `CompanyTable` does.
      const rows = anyCompanyRows(db as unknown as Kysely<AnyTables>, given.companyId) as unknown as CompanyRows<Tables & Own>;
      return build(rows, given, db);
    });
