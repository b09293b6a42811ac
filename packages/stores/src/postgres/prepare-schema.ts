import type { ClientBase } from 'pg';
import type { Extension } from '../schema/extension.ts';
import { pendingMigrations } from '../schema/pending-migrations.ts';
import { postgresDialect } from '../schema/ddl-dialect.ts';
import { StoreError } from '../store-error.ts';

/** An advisory lock: one process at a time migrates the schema; the others wait for it. */
const migrationLock = 0x48_69_6c_6f;

/** Checks that the schema is ours, and migrates it: each migration is applied with its number, or not at all. */
export async function prepareSchema(
  client: ClientBase,
  schema: string,
  place: string,
  mustExist: boolean,
  extensions: readonly Extension[],
): Promise<void> {
  for (;;) {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(${migrationLock})`);
    const meta = await metaOf(client, schema, place);
    if (meta.size === 0 && mustExist) throw new StoreError('STORE_MISSING', { place });
    const [next] = pendingMigrations(extensions, meta, place);
    if (next === undefined) {
      await client.query('rollback');
      return;
    }
    await client.query(`create schema if not exists "${schema}"`);
    await client.query(`set local search_path to "${schema}"`);
    for (const sql of next.migration(postgresDialect)) await client.query(sql);
    await client.query('insert into meta (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value', [
      next.name,
      next.value,
    ]);
    await client.query('commit');
  }
}

/** @returns the store's metadata; empty without tables */
async function metaOf(client: ClientBase, schema: string, place: string): Promise<ReadonlyMap<string, string>> {
  const tables = await client.query<{ readonly name: string }>('select tablename as name from pg_tables where schemaname = $1', [schema]);
  if (tables.rows.length === 0) return new Map();
  if (!tables.rows.some(({ name }) => name === 'meta')) throw new StoreError('STORE_FOREIGN', { place });
  const { rows } = await client.query<{ readonly name: string; readonly value: string }>(`select name, value from "${schema}".meta`);
  const meta = new Map(rows.map(({ name, value }) => [name, value]));
  if (meta.get('application') !== 'hilo') throw new StoreError('STORE_FOREIGN', { place });
  return meta;
}
