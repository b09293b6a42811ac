import type { PoolClient } from 'pg';
import { latestSchema, migrations } from '../schema/migrations.ts';
import { postgresWords } from '../schema/words.ts';
import { StoreRefused } from '../store-refused.ts';

/** One process at a time brings the schema up to date; the others wait for it here. */
const migrationLock = 0x48_69_6c_6f;

/** Makes sure the schema is ours, and brings it up to date: each migration whole, with its number, or not at all. */
export async function prepareSchema(client: PoolClient, schema: string, place: string, mustExist: boolean): Promise<void> {
  for (;;) {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(${migrationLock})`);
    const number = await schemaOf(client, schema, place);
    if (number > latestSchema) throw new StoreRefused('STORE_NEWER', { place, schema: number, known: latestSchema });
    if (number === 0 && mustExist) throw new StoreRefused('STORE_MISSING', { place });
    const migration = migrations[number];
    if (migration === undefined) {
      await client.query('rollback');
      return;
    }
    await client.query(`create schema if not exists "${schema}"`);
    await client.query(`set local search_path to "${schema}"`);
    for (const sql of migration(postgresWords)) await client.query(sql);
    await client.query("update meta set value = $1 where name = 'schema'", [String(number + 1)]);
    await client.query('commit');
  }
}

/** @returns the number of the last migration; 0 where no table is */
async function schemaOf(client: PoolClient, schema: string, place: string): Promise<number> {
  const tables = await client.query<{ readonly name: string }>('select tablename as name from pg_tables where schemaname = $1', [schema]);
  if (tables.rows.length === 0) return 0;
  if (!tables.rows.some(({ name }) => name === 'meta')) throw new StoreRefused('STORE_FOREIGN', { place });
  const meta = await client.query<{ readonly name: string; readonly value: string }>(`select name, value from "${schema}".meta`);
  const values = new Map(meta.rows.map(({ name, value }) => [name, value]));
  if (values.get('application') !== 'hilo') throw new StoreRefused('STORE_FOREIGN', { place });
  return Number(values.get('schema'));
}
