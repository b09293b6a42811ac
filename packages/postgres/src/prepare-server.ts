import type { Client, ClientBase } from 'pg';
import { type Extension, StoreError } from '@hilo/stores';
import { pendingMigrations, postgresDialect, nowMs } from '@hilo/stores/sql-kit';
import type { DatabaseClock } from './database-clock.ts';
import { withoutPooler } from './postgres-fault.ts';
import { applySettings, findOtherSettings, readSetting, type ServerSettings } from './server-settings.ts';

/** A migration of a large store takes time, and other processes wait as long (P36). */
export const longestMigrationMs = 24 * 3_600_000;

/**
 * Checks a server and migrates the schema, and reads the database's clock.
 *
 * @param connect - an unopened connection, with settings of its own: `-c name=value …`
 * @param idleMs - how long a transaction may be idle on the connections that `connect` makes
 * @throws {StoreError} why it is refused
 */
export async function prepareServer(
  { connect, idleMs }: { readonly connect: (settings?: string) => Client; readonly idleMs: number },
  clock: DatabaseClock,
  schema: string,
  place: string,
  mustExist: boolean,
  extensions: readonly Extension[],
): Promise<ServerSettings> {
  const client = connect();
  client.on('error', () => undefined); // later queries get the error
  try {
    await client.connect();
    await refusePooler(client, connect, place);
    await client.query('set statement_timeout to 0'); // overriding the role's
    await checkServer(client, place);
    const found = await applySettings(client, place);
    await checkKept(client, connect, { place, idleMs, settings: found.settings });
    await prepareSchema(client, schema, place, mustExist, extensions);
    await clock.synchronise(
      () => client.query<{ readonly now_ms: number }>(`select ${nowMs} as now_ms`),
      ({ rows }) => rows[0]?.now_ms ?? 0,
    );
    return found;
  } finally {
    client.end().catch(() => undefined); // including a transaction that a refusal left open
  }
}

/**
 * A pooler that gives a connection of the server to others after each transaction loses what a connection keeps: what it listens to,
 * its prepared statements, its settings. Such a pooler has numbers of its own for connections, and two of its clients share one.
 *
 * @throws {StoreError} `STORE_UNREACHABLE`
 */
async function refusePooler(client: Client, connect: () => Client, place: string): Promise<void> {
  const first = await readBackendPid(client);
  if (first === Reflect.get(client, 'processID')) return;
  const second = connect();
  second.on('error', () => undefined);
  try {
    await second.connect();
    await second.query('begin');
    if ((await readBackendPid(second)) !== first && (await readBackendPid(client)) === first) return;
    throw new StoreError('STORE_UNREACHABLE', { place, reason: `connections there are shared after each transaction: ${withoutPooler}` });
  } finally {
    second.end().catch(() => undefined);
  }
}

/**
 * Refuses a place where connections do not keep what they were made with: a pooler that is told to ignore settings drops them in
 * silence, and an address may have others of its own. A process that is suspended in a transaction would block all others then.
 *
 * @throws {StoreError} `STORE_UNREACHABLE`
 */
async function checkKept(
  client: Client,
  connect: (settings: string) => Client,
  { place, idleMs, settings }: { readonly place: string; readonly idleMs: number; readonly settings: string },
): Promise<void> {
  const refuse = (reason: string): never => {
    throw new StoreError('STORE_UNREACHABLE', {
      place,
      reason: `${reason}: a pooler drops the settings of connections, or the address has others: ${withoutPooler}`,
    });
  };
  const idle = await readSetting(client, 'idle_in_transaction_session_timeout');
  if (idle !== String(idleMs)) refuse(`idle_in_transaction_session_timeout is ${idle} on a connection that was made with ${idleMs}`);
  if (settings === '') return;
  const second = connect(settings);
  second.on('error', () => undefined);
  try {
    await second.connect();
    const other = await findOtherSettings(second);
    if (other !== undefined) refuse(`${other.name} is ${other.is} on a connection that was made with ${other.wanted}`);
  } finally {
    second.end().catch(() => undefined);
  }
}

/** The server's own number for the connection. */
async function readBackendPid(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ readonly pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
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
    await client.query('set local idle_in_transaction_session_timeout to 30000'); // a busy machine may pause for longer than a lease
    await client.query(`select pg_advisory_xact_lock(${migrationLock})`);
    const meta = await readMeta(client, schema, place);
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
async function readMeta(client: ClientBase, schema: string, place: string): Promise<ReadonlyMap<string, string>> {
  const tables = await client.query<{ readonly name: string }>('select tablename as name from pg_tables where schemaname = $1', [schema]);
  if (tables.rows.length === 0) return new Map();
  if (!tables.rows.some(({ name }) => name === 'meta')) throw new StoreError('STORE_FOREIGN', { place });
  const { rows } = await client.query<{ readonly name: string; readonly value: string }>(`select name, value from "${schema}".meta`);
  const meta = new Map(rows.map(({ name, value }) => [name, value]));
  if (meta.get('application') !== 'hilo') throw new StoreError('STORE_FOREIGN', { place });
  return meta;
}
