// The schema of a new database: all migrations as the few statements that have the same result.
import { sqliteDialect } from '../schema/ddl-dialect.ts';
import { type Extension, pendingMigrations } from '../schema/migrations.ts';
import type { Value } from '../statements/statement.ts';
import { connect, type Connection } from './connection.ts';

/** What all migrations leave in a database that was empty. */
export interface NewSchema {
  /** The definitions of tables, indexes and triggers, by their names. */
  readonly definitions: ReadonlyMap<string, string>;
  /** What makes them and the rows that migrations write, in an order that can be carried out. */
  readonly statements: readonly { readonly sql: string; readonly values?: readonly Value[] }[];
}

/** The last result: as a rule, all stores of a process have the same extensions. */
let last: { readonly extensions: readonly Extension[]; readonly schema: NewSchema } | undefined;

/**
 * Carries all migrations out in memory, once, and reads what they made. Migrations change what others made before, and with each change
 * SQLite reads the whole schema again: what they leave takes half of their time.
 */
export function newSchema(extensions: readonly Extension[]): NewSchema {
  const isSame = last?.extensions.length === extensions.length && last.extensions.every((extension, at) => extension === extensions[at]);
  if (last === undefined || !isSame) last = { extensions: [...extensions], schema: readNewSchema(extensions) };
  return last.schema;
}

function readNewSchema(extensions: readonly Extension[]): NewSchema {
  const migrated = connect(':memory:');
  try {
    for (const { migration, name, value } of pendingMigrations(extensions, new Map(), ':memory:')) {
      for (const sql of migration(sqliteDialect)) migrated.once(sql);
      migrated.run(keepNumber, [name, value]);
    }
    const found = listDefinitions(migrated);
    const tables = found.filter(({ type }) => type === 'table').map(({ name }) => name);
    const ofTables = found.filter(({ type }) => type !== 'trigger');
    const triggers = found.filter(({ type }) => type === 'trigger'); // after the rows, which they would act on
    return {
      definitions: new Map(found.map(({ name, sql }) => [name, sql])),
      statements: [...ofTables, ...tables.flatMap((table) => insertRows(migrated, table)), ...triggers],
    };
  } finally {
    migrated.close();
  }
}

/** Keeps the number of a migration in the database's metadata. */
export const keepNumber = 'insert into meta (name, value) values (?, ?) on conflict (name) do update set value = excluded.value';

interface Definition {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/** The definitions in a database, in the order in which they were made. */
export const listDefinitions = (connection: Connection): readonly Definition[] =>
  connection.run(
    "select type, name, sql from sqlite_schema where sql is not null and substr(name, 1, 7) <> 'sqlite_' order by rowid",
  ) as readonly Definition[];

function insertRows(migrated: Connection, table: string): NewSchema['statements'] {
  const rows = migrated.run(`select * from "${table}"`) as readonly { readonly [column: string]: Value }[];
  return rows.map((row) => {
    const columns = Object.keys(row);
    return {
      sql: `insert into "${table}" (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      values: Object.values(row),
    };
  });
}
