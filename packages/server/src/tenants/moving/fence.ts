import { type Call, call, type Durability, statementsOver } from '@hilo/stores';
import { movedTables } from './moved-tables.ts';

/**
 * Keeps the rows of companies that are fenced or have left from being written: by triggers, which no writer goes past, be it late, slow or
 * another process. There are none while no company is away, so that they cost nothing.
 */
export interface Fence {
  /** Raises it. Where processes share the database this waits for the writes that are under way. */
  readonly raise: readonly Call[];
  /** Takes it away again. */
  readonly remove: readonly Call[];
}

type Db = Parameters<Parameters<ReturnType<ReturnType<typeof statementsOver>>>[0]>[0];

/** A statement without values that Kysely has no words for. @param write - from the name of a table to the statement */
const definition = (table: string, write: (place: string) => string): Call =>
  call(
    statementsOver<{ readonly [table: string]: object }>()()((db) => ({
      compile: () => ({ ...db.selectFrom(table).selectAll().compile(), sql: write(placeOf(db, table)), parameters: [] }),
    })),
    {},
  );

/** The table's name with its schema, where there is one. */
const placeOf = (db: Db, table: string): string =>
  db
    .selectFrom(table)
    .selectAll()
    .compile()
    .sql.replace(/^select \* from /, '');

const events = ['insert', 'update', 'delete'] as const;

/** Tables whose rows say their company; rows of the others are written with one of these. */
const fenced = movedTables.filter(({ of, named }) => of === undefined && named === undefined).map(({ name }) => name);

const onSqlite: Fence = {
  raise: fenced.flatMap((table) =>
    events.map((event) =>
      definition(
        table,
        (place) => `create trigger if not exists company_away_${table}_${event} before ${event} on ${place}
          when exists (select 1 from company_moves
            where company_id = ${event === 'delete' ? 'old' : 'new'}.company_id and state in ('fenced', 'left'))
          begin select raise(abort, 'the company is being moved'); end`,
      ),
    ),
  ),
  remove: fenced.flatMap((table) =>
    events.map((event) => definition(table, () => `drop trigger if exists company_away_${table}_${event}`)),
  ),
};

/** Making a trigger waits for who writes the table, so that none is late. */
const onPostgres: Fence = {
  raise: fenced.flatMap((table) => [
    definition(table, (place) => `drop trigger if exists company_away on ${place}`),
    definition(
      table,
      (place) => `create trigger company_away before insert or update or delete on ${place} for each row
        execute function ${place.replace(`"${table}"`, 'refuse_company_away')}()`,
    ),
  ]),
  remove: fenced.map((table) => definition(table, (place) => `drop trigger if exists company_away on ${place}`)),
};

/** The fence of a database. */
export const fences: { readonly [Database in Durability['database']]: Fence } = { sqlite: onSqlite, postgres: onPostgres };
