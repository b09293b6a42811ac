import { type Call, call, type Durability, statementsOver } from '@hilo/stores';
import type { MovedTable } from './moved-tables.ts';

/**
 * Triggers that refuse every write to the rows of companies that are fenced or have left, whichever process writes. They exist only while
 * a company is away, so that other stores pay nothing for them.
 */
export interface Fence {
  /** Creates the triggers. Where processes share the database this waits for writes in progress. */
  readonly raise: readonly Call[];
  /** Drops the triggers. */
  readonly remove: readonly Call[];
}

type Db = Parameters<Parameters<ReturnType<ReturnType<typeof statementsOver>>>[0]>[0];

/** A statement that Kysely has no builder for, without values. @param write - from the name of a table to the statement */
const defineStatement = (table: string, write: (place: string) => string): Call =>
  call(
    statementsOver<{ readonly [table: string]: object }>()()((db) => ({
      compile: () => ({ ...db.selectFrom(table).selectAll().compile(), sql: write(qualifyName(db, table)), parameters: [] }),
    })),
    {},
  );

/** The table's name with its schema, where there is one. */
const qualifyName = (db: Db, table: string): string =>
  db
    .selectFrom(table)
    .selectAll()
    .compile()
    .sql.replace(/^select \* from /, '');

const events = ['insert', 'update', 'delete'] as const;

const fenceOnSqlite = (fenced: readonly string[]): Fence => ({
  raise: fenced.flatMap((table) =>
    events.map((event) =>
      defineStatement(
        table,
        (place) => `create trigger if not exists company_away_${table}_${event} before ${event} on ${place}
          when exists (select 1 from company_moves
            where company_id = ${event === 'delete' ? 'old' : 'new'}.company_id and state in ('fenced', 'left'))
          begin select raise(abort, 'the company is being moved'); end`,
      ),
    ),
  ),
  remove: fenced.flatMap((table) =>
    events.map((event) => defineStatement(table, () => `drop trigger if exists company_away_${table}_${event}`)),
  ),
});

/** Creating a trigger waits for transactions that write the table, so that no write is missed. */
const fenceOnPostgres = (fenced: readonly string[]): Fence => ({
  raise: fenced.flatMap((table) => [
    defineStatement(table, (place) => `drop trigger if exists company_away on ${place}`),
    defineStatement(
      table,
      (place) => `create trigger company_away before insert or update or delete on ${place} for each row
        execute function ${place.replace(`"${table}"`, 'refuse_company_away')}()`,
    ),
  ]),
  remove: fenced.map((table) => defineStatement(table, (place) => `drop trigger if exists company_away on ${place}`)),
});

/** The fence of a database around the tables that move. */
export function createFence(database: Durability['database'], tables: readonly MovedTable[]): Fence {
  // Tables whose rows say their company; rows of the others are written with one of these.
  const fenced = tables.filter(({ of, named }) => of === undefined && named === undefined).map(({ name }) => name);
  return database === 'sqlite' ? fenceOnSqlite(fenced) : fenceOnPostgres(fenced);
}
