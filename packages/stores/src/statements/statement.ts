import type { Compilable, Kysely } from 'kysely';
import type { Tables } from '../schema/row-types.ts';
import type { Database } from './database.ts';

/** What a column holds. */
export type Value = string | number | null;

/** The parameters of a statement, by name. */
type Values = { readonly [name: string]: Value };

/** One statement of SQL with places for values, the same for every database. It is compiled once, then only run. */
export interface Statement<Given extends Values, Row> {
  readonly build: (db: Database, given: Given) => Compilable<Row>;
}

/**
 * Defines a statement with Kysely.
 *
 * @example
 * const dequeue = statement<{ seq: number }>()((db, { seq }) => db.deleteFrom('queue').where('seq', '=', seq).returning('seq'));
 */
export const statement =
  <Given extends Values = Record<never, never>>() =>
  <Row>(build: Statement<Given, Row>['build']): Statement<Given, Row> => ({ build });

/**
 * The same over tables of an `Extension`, beside the store's own.
 *
 * @example
 * const statement = statementsOver<{ tags: { id: string; made_at_ms: number } }>();
 * const insertTag = statement<{ id: string; madeAtMs: number }>()((db, { id, madeAtMs }) =>
 *   db.insertInto('tags').values({ id, made_at_ms: madeAtMs }),
 * );
 */
export const statementsOver =
  <Own extends { readonly [table: string]: object }>() =>
  <Given extends Values = Record<never, never>>() =>
  <Row>(build: (db: Kysely<Tables & Own>, given: Given) => Compilable<Row>): Statement<Given, Row> => ({
    build: (db, given) => build(db.$extendTables<Own>(), given),
  });

/** The values of some columns of a row. */
export const valuesOf = <Given extends object, Name extends keyof Given & string>(
  given: Given,
  columns: readonly Name[],
): Pick<Given, Name> => Object.fromEntries(columns.map((name) => [name, given[name]])) as Pick<Given, Name>;

/** A statement as a database accepts it. */
export interface Compiled {
  readonly sql: string;
  /** The values in the order of their places. */
  readonly order: (given: Values) => readonly Value[];
}

/** A placeholder for a parameter in the statement. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Returns the parameter names. It does not know which there are: a rest or a spread of them would be empty. */
const places: unknown = new Proxy(
  {},
  {
    get: (_target, name) => new Place(String(name)),
    ownKeys() {
      throw new TypeError('The parameters of a statement are read by their names: name each, in place of "...rest" or "...given"');
    },
  },
);

export function compile<Given extends Values>(statement: Statement<Given, unknown>, db: Database): Compiled {
  const { sql, parameters } = statement.build(db, places as Given).compile();
  const read = parameters.map((parameter) =>
    parameter instanceof Place ? ({ [parameter.name]: value = null }: Values) => value : () => parameter as Value,
  );
  return { sql, order: (given) => read.map((of) => of(given)) };
}
