// Both databases for tests of moves, and their rows as the database itself describes them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createVirtualClock } from '@hilo/testing';
import type { DurableStore } from '@hilo/stores';
import pg from 'pg';
import { createDatabase } from '../../../stores/test/shared-postgres.ts';
import { openStore } from '../../src/platform/database/open-store.ts';

export type Cell = string | number | null;
export type TableRow = { readonly [column: string]: Cell };

/** A column as the database describes it. */
export interface Column {
  readonly table: string;
  readonly name: string;
  readonly isInteger: boolean;
  readonly isNullable: boolean;
  readonly isKey: boolean;
}

/** A database of the service, looked at and filled past the service. */
export interface TestDatabase {
  readonly clock: ReturnType<typeof createVirtualClock>;
  /** Opens its store; closed by the caller, before it is looked at. */
  open(): Promise<DurableStore>;
  columns(): Promise<readonly Column[]>;
  /** @returns the number that the database gave it, where it numbers rows */
  insert(table: string, row: TableRow, number?: string): Promise<number>;
  rows(table: string, order?: string): Promise<readonly TableRow[]>;
  remove(): Promise<void>;
}

/** Begins a new database in a file. */
export async function sqliteFile(): Promise<TestDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'hilo-move-'));
  const clock = createVirtualClock();
  const open = () => openStore({ data: directory, databaseUrl: undefined }, clock);
  await (await open()).close();
  const database = new DatabaseSync(join(directory, 'hilo.db'));
  database.exec('pragma synchronous = off'); // what only fills need not last
  const all = (sql: string, ...values: Cell[]) => database.prepare(sql).all(...values) as TableRow[];
  return {
    clock,
    open,
    columns: async () =>
      all(
        `select t.name as "table", c.name, c.type, c."notnull" as required, c.pk from sqlite_master t, pragma_table_info(t.name) c
          where t.type = 'table' and t.name not like 'sqlite%'`,
      ).map(({ table, name, type, required, pk }) => ({
        table: String(table),
        name: String(name),
        isInteger: type === 'INTEGER',
        isNullable: required === 0,
        isKey: pk !== 0,
      })),
    async insert(table, row, number) {
      const names = Object.keys(row);
      const [made] = all(
        `insert into ${table} (${names.join()}) values (${names.map(() => '?').join()}) returning ${number ?? '0'} as made`,
        ...Object.values(row),
      );
      return Number(made?.['made']);
    },
    rows: async (table, order) => all(`select * from ${table} ${order === undefined ? '' : `order by ${order}`}`),
    async remove() {
      database.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** Begins a new database on the PostgreSQL of the run. */
export async function postgresDatabase(): Promise<TestDatabase> {
  const databaseUrl = await createDatabase();
  const directory = await mkdtemp(join(tmpdir(), 'hilo-move-'));
  const clock = createVirtualClock();
  const open = () => openStore({ data: directory, databaseUrl }, clock);
  await (await open()).close();
  const types = new pg.TypeOverrides();
  types.setTypeParser(20, Number);
  const client = new pg.Client({ connectionString: databaseUrl, types });
  await client.connect();
  return {
    clock,
    open,
    columns: async () =>
      (
        await client.query<{ table: string; name: string; type: string; nullable: string; generated: string; is_key: boolean }>(
          `select table_name as "table", column_name as name, data_type as type, is_nullable as nullable, is_generated as generated,
            exists (select from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
              where indisprimary and indrelid = format('hilo.%I', table_name)::regclass and attname = column_name) as is_key
            from information_schema.columns where table_schema = 'hilo'`,
        )
      ).rows
        .filter(({ generated }) => generated === 'NEVER')
        .map(({ table, name: column, type, nullable, is_key }) => ({
          table,
          name: column,
          isInteger: type !== 'text',
          isNullable: nullable === 'YES',
          isKey: is_key,
        })),
    async insert(table, row, number) {
      const names = Object.keys(row);
      const { rows } = await client.query<{ made: number }>(
        `insert into hilo.${table} (${names.join()}) values (${names.map((_, index) => `$${index + 1}`).join()}) returning ${number ?? '0'} as made`,
        Object.values(row),
      );
      return Number(rows[0]?.made);
    },
    rows: async (table, order) =>
      (await client.query<TableRow>(`select * from hilo.${table} ${order === undefined ? '' : `order by ${order}`}`)).rows,
    async remove() {
      await client.end();
      await rm(directory, { recursive: true });
    },
  };
}
