import type { Client, ClientBase } from 'pg';
import type { Durability } from '../durable-store.ts';
import { postgresDialect } from '../schema/ddl-dialect.ts';
import { type Extension, pendingMigrations } from '../schema/migrations.ts';
import { StoreError } from '../store-error.ts';
import type { DatabaseClock } from './database-clock.ts';
import { nowMs } from './member-questions.ts';
import { codeOf, stateOf } from './postgres-fault.ts';

/** A migration of a large store takes time, and other processes wait as long (P36). */
export const longestMigrationMs = 24 * 3_600_000;

/**
 * Checks a server and migrates the schema, and reads the database's clock.
 *
 * @returns how its transactions are to be opened
 * @throws {StoreError} why it is refused
 */
export async function prepareServer(
  client: Client,
  clock: DatabaseClock,
  schema: string,
  place: string,
  mustExist: boolean,
  extensions: readonly Extension[],
) {
  client.on('error', () => undefined); // later queries get the error
  try {
    await client.connect();
    await client.query('set statement_timeout to 0; set lock_timeout to 0'); // overriding the role's
    await checkServer(client, place);
    const found = await readDurability(client, place);
    await prepareSchema(client, schema, place, mustExist, extensions);
    await clock.look(
      () => client.query<{ readonly now_ms: number }>(`select ${nowMs} as now_ms`),
      ({ rows }) => rows[0]?.now_ms ?? 0,
    );
    return found;
  } finally {
    client.end().catch(() => undefined); // including a transaction that a refusal left open
  }
}

/** The oldest server that supports every statement of the store. */
const oldest = 13;

/**
 * Checks that a server accepts writes, and is new enough.
 *
 * @throws {StoreError} `STORE_READ_ONLY`, `STORE_UNREACHABLE`
 */
async function checkServer(client: ClientBase, place: string): Promise<void> {
  const { rows } = await client.query<{ readonly is_standby: boolean; readonly read_only: string; readonly version: number }>(
    `select pg_is_in_recovery() as is_standby, current_setting('default_transaction_read_only') as read_only,
      current_setting('server_version_num')::int / 10000 as version`,
  );
  const [server] = rows;
  if (server === undefined) throw new Error('PostgreSQL returned no version');
  if (server.is_standby) throw new StoreError('STORE_READ_ONLY', { place, why: 'it is a standby of another server' });
  if (server.read_only === 'on') throw new StoreError('STORE_READ_ONLY', { place, why: 'default_transaction_read_only is on' });
  if (server.version < oldest)
    throw new StoreError('STORE_UNREACHABLE', {
      place,
      reason: `it is PostgreSQL ${server.version}, and needs to be ${oldest} or newer`,
    });
}

/** What to do about an error, by its code or, where the client library gives none, by its message. */
const remedies: readonly (readonly [name: RegExp, remedy: string])[] = [
  [/^ECONNREFUSED$/, 'start PostgreSQL there, or correct host and port'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'correct the host'],
  [/^E(TIMEDOUT|HOSTUNREACH|NETUNREACH)$/, 'correct the host, or let this machine reach it'],
  [/^28/, 'correct user and password'],
  [/^3D000$/, 'create the database first, or correct its name'],
  [/^42501$/, 'let the role create the schema, or own it'],
  [/^53100$/, "make room on the server's disk"],
  [/^53300$/, 'allow more connections (max_connections), or end others'],
  [/^57P03$/, 'wait until the server has started'],
  [/^(Connection terminated|timeout expired)/, 'correct host and port: no PostgreSQL answers there'],
];

/** Why a server is not reached, and what to do about it. */
export function reasonOf(error: unknown): string {
  // A name with several addresses fails once for each of them.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  const name = stateOf(cause) ?? codeOf(cause) ?? message;
  const [, remedy] = remedies.find(([known]) => known.test(name)) ?? [];
  return remedy === undefined ? message : `${message}: ${remedy}`;
}

interface Settings {
  readonly synchronous_commit: string;
  readonly fsync: string;
  readonly server_encoding: string;
}

/**
 * How to open a transaction so that its commit is durable as promised, which settings auto-committed statements need, and the server's
 * own settings (P1). A server that would answer before the disk write is overridden, for our transactions only.
 */
async function readDurability(
  client: ClientBase,
  place: string,
): Promise<{ readonly begin: string; readonly settings: string; readonly durability: Durability }> {
  const configured = await settingsOf(client);
  if (configured.server_encoding !== 'UTF8')
    throw new StoreError('STORE_NOT_DURABLE', { place, setting: `server_encoding ${configured.server_encoding}, and texts are UTF8` });
  const isRaised = configured.synchronous_commit === 'off';
  const begin = isRaised ? 'begin; set local synchronous_commit to on' : 'begin';
  await client.query(begin);
  const { fsync, synchronous_commit } = await settingsOf(client);
  await client.query('rollback');
  const survives = fsync === 'on' && synchronous_commit !== 'off' ? 'power-loss' : 'process-death';
  return {
    begin,
    settings: isRaised ? '-c synchronous_commit=on' : '',
    durability: { database: 'postgres', survives, settings: { synchronous_commit, fsync } },
  };
}

async function settingsOf(client: ClientBase): Promise<Settings> {
  const names = ['synchronous_commit', 'fsync', 'server_encoding'];
  const { rows } = await client.query<Settings>(`select ${names.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`);
  const [settings] = rows;
  if (settings === undefined) throw new Error('PostgreSQL returned no settings');
  return settings;
}

/** An advisory lock: one process at a time migrates the schema; the others wait for it. */
const migrationLock = 0x48_69_6c_6f;

/** Checks that the schema is ours, and migrates it: each migration is applied with its number, or not at all. */
async function prepareSchema(
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
