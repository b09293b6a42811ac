import type { Extension } from '../schema/extension.ts';
import { pendingMigrations } from '../schema/pending-migrations.ts';
import { sqliteDialect } from '../schema/ddl-dialect.ts';
import { StoreError } from '../store-error.ts';
import { type Connection, connect } from './connection.ts';

/**
 * Makes sure that tables, indexes and triggers are what the migrations make: of a definition with one letter changed, SQLite
 * may still read rows, and give them other names. What others have added to the file is theirs.
 *
 * @throws {StoreError} `STORE_DAMAGED`
 */
export function checkSchema(connection: Connection, place: string, extensions: readonly Extension[]): void {
  const found = definitionsIn(connection);
  for (const [name, sql] of definitionsOf(extensions))
    if (found.get(name) !== sql) throw new StoreError('STORE_DAMAGED', { place, finding: `the definition of "${name}" was changed` });
}

/** The definitions in a new database. */
function definitionsOf(extensions: readonly Extension[]): ReadonlyMap<string, string> {
  const fresh = connect(':memory:');
  try {
    for (const { migration } of pendingMigrations(extensions, new Map(), ':memory:'))
      for (const sql of migration(sqliteDialect)) fresh.once(sql);
    return definitionsIn(fresh);
  } finally {
    fresh.close();
  }
}

const definitionsIn = (connection: Connection): ReadonlyMap<string, string> =>
  new Map(
    (connection.run('select name, sql from sqlite_schema where sql is not null') as readonly { name: string; sql: string }[]).map(
      ({ name, sql }) => [name, sql],
    ),
  );
