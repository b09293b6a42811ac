import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { type DurableStore, type Extension, openSqliteStore } from '../src/index.ts';
import { openPostgresStore } from '../../postgres/src/index.ts';
import { createDatabase } from './shared-postgres.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** A database with tables of an extension: what the suites of all tables run on. */
export interface TablePlace {
  readonly store: DurableStore;
  /** How the database itself describes a table: columns, key, indexes. Equal for tables that are equal. */
  describe(table: string): Promise<unknown>;
  remove(): Promise<void>;
}

/** A real file. */
async function sqlitePlace(extension: Extension): Promise<TablePlace> {
  const directory = await temporaryDirectory();
  const path = join(directory, 'hilo.db');
  const store = await openSqliteStore({ path, extensions: [extension] });
  return {
    store,
    async describe(table) {
      const database = new DatabaseSync(path, { readOnly: true });
      try {
        const all = (sql: string) => database.prepare(sql).all(table);
        return {
          columns: all('select name, type, "notnull", dflt_value, pk from pragma_table_xinfo(?)'),
          kind: all('select wr, strict from pragma_table_list where name = ?'),
          indexes: all(`select name, sql from sqlite_master where type = 'index' and tbl_name = ? and sql is not null order by name`).map(
            ({ name, sql }) => ({ name, sql: String(sql).replaceAll(/\s+/g, ' ') }),
          ),
        };
      } finally {
        database.close();
      }
    },
    async remove() {
      await store.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** A database on the PostgreSQL of the run. */
async function postgresPlace(extension: Extension): Promise<TablePlace> {
  const url = await createDatabase();
  const store = await openPostgresStore({ url, extensions: [extension] });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    store,
    async describe(table) {
      const ask = async (sql: string): Promise<readonly object[]> => (await client.query<object>(sql, [table])).rows;
      return {
        columns: await ask(
          `select column_name, data_type, is_nullable, column_default, is_identity, collation_name from information_schema.columns
            where table_schema = 'hilo' and table_name = $1 order by ordinal_position`,
        ),
        indexes: await ask(`select indexdef from pg_indexes where schemaname = 'hilo' and tablename = $1 order by indexname`),
      };
    },
    async remove() {
      await client.end();
      await store.close();
    },
  };
}

/** The databases that every table is tried on. */
export const tablePlaces = { SQLite: sqlitePlace, PostgreSQL: postgresPlace } as const;
