// Prepares a file of SQLite: checked, migrated, and set to survive the loss of power.
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HiloError } from '@hilo/engine/contract';
import type { Durability } from '../durable-store.ts';
import { sqliteDialect } from '../schema/ddl-dialect.ts';
import { type Extension, pendingMigrations } from '../schema/migrations.ts';
import { StoreError } from '../store-error.ts';
import { type Connection, makeDurable, single } from './connection.ts';
import type { FileLock } from './lock-file.ts';
import { keepNumber, listDefinitions, newSchema, type NewSchema } from './new-schema.ts';
import { sqliteFault, unreachable } from './sqlite-fault.ts';
import { sqliteReason } from './sqlite-reason.ts';

/** The application id in the file's header: "Hilo". */
const applicationId = 0x48_69_6c_6f;

/** Opens a database, checks that it is ours and intact, and migrates its schema. */
export function prepareDatabase(
  open: () => Connection,
  place: string,
  lock: FileLock,
  isChecked: boolean,
  extensions: readonly Extension[],
): { readonly connection: Connection; readonly durability: Durability } {
  let connection: Connection | undefined;
  try {
    connection = open();
    const meta = readMeta(connection, place);
    lock.check(connection);
    const pending = pendingMigrations(extensions, meta, place);
    const durability = readDurability(connection, place);
    connection.run('begin immediate');
    connection.run('commit');
    if (isChecked && meta.size > 0) check(connection, place);
    if (meta.size === 0) create(connection, newSchema(extensions));
    else for (const { migration, name, value } of pending) migrate(connection, migration(sqliteDialect), name, value);
    if (meta.size > 0) checkSchema(connection, place, extensions);
    lock.keep(connection);
    if (pending.length > 0) connection.run('pragma wal_checkpoint(truncate)');
    return { connection, durability };
  } catch (error) {
    connection?.close();
    throw refusal(place, error);
  }
}

/** @returns the store's metadata; empty for an empty database */
function readMeta(connection: Connection, place: string): ReadonlyMap<string, string> {
  const owner = single(connection, 'pragma application_id');
  const tables = single(connection, 'select count(*) from sqlite_schema');
  if (owner === 0 && tables === 0) return new Map();
  if (owner !== applicationId) throw new StoreError('STORE_FOREIGN', { place });
  if (single(connection, "select count(*) from sqlite_schema where name = 'meta'") === 0)
    throw new StoreError('STORE_DAMAGED', { place, finding: 'its tables are gone' });
  const rows = connection.run('select name, value from meta') as readonly { readonly name: string; readonly value: string }[];
  return new Map(rows.map(({ name, value }) => [name, value]));
}

function readDurability(connection: Connection, place: string): Durability {
  const settings = makeDurable(connection);
  if (place === inMemory) return { database: 'sqlite', survives: 'nothing', settings };
  if (settings.journal_mode !== 'wal' || settings.synchronous !== 2)
    throw new StoreError('STORE_NOT_DURABLE', {
      place,
      setting: `journal_mode ${settings.journal_mode}, synchronous ${settings.synchronous}`,
    });
  return { database: 'sqlite', survives: 'power-loss', settings };
}

function check(connection: Connection, place: string): void {
  const finding = String(single(connection, 'pragma integrity_check(1)'));
  if (finding !== 'ok') throw new StoreError('STORE_DAMAGED', { place, finding: finding.replaceAll('\n', ' ') });
}

/** Each migration happens whole, with its number, or not at all. */
function migrate(connection: Connection, statements: readonly string[], name: string, value: string): void {
  connection.run('begin immediate');
  for (const sql of statements) connection.once(sql);
  connection.run(keepNumber, [name, value]);
  connection.run(`pragma application_id = ${applicationId}`);
  connection.run('commit');
}

/** A new database is made in one transaction, which is flushed to the disk once. */
function create(connection: Connection, { statements }: NewSchema): void {
  connection.run('begin immediate');
  for (const { sql, values } of statements)
    if (values === undefined) connection.once(sql);
    else connection.run(sql, values);
  connection.run(`pragma application_id = ${applicationId}`);
  connection.run('commit');
}

function refusal(place: string, error: unknown): unknown {
  const fault = sqliteFault(error);
  if (!(fault instanceof HiloError)) return fault;
  switch (sqliteReason(error)) {
    case 'in use by another process':
    case 'locked':
      return new StoreError('STORE_LOCKED', { place }, { cause: fault });
    case 'not a database':
    case 'damaged':
      return new StoreError('STORE_DAMAGED', { place, finding: fault.message }, { cause: fault });
    default:
      return unreachable(place, error, fault);
  }
}

/**
 * Checks that tables, indexes and triggers are those of the migrations: with one changed letter in a definition, SQLite may still read
 * rows, under other names. Additions of others are ignored.
 *
 * @throws {StoreError} `STORE_DAMAGED`
 */
function checkSchema(connection: Connection, place: string, extensions: readonly Extension[]): void {
  const found = new Map(listDefinitions(connection).map(({ name, sql }) => [name, sql]));
  for (const [name, sql] of newSchema(extensions).definitions)
    if (found.get(name) !== sql) throw new StoreError('STORE_DAMAGED', { place, finding: `the definition of "${name}" was changed` });
}

/** Not a place on a disk. */
export const inMemory = ':memory:';

/**
 * Creates a missing directory and a missing file. An existing file is left to SQLite: if other code of this process opened and closed
 * it, SQLite's locks on it would end.
 *
 * @returns whether the file is small enough to be checked page by page
 */
export async function prepareFile(path: string, mustExist: boolean, checkedUpToBytes: number): Promise<boolean> {
  if (path === inMemory) return false;
  try {
    const { size } = await stat(path);
    // SQLite makes an empty file before it writes the first page.
    if (size === 0 && mustExist) throw new StoreError('STORE_MISSING', { place: path });
    return size <= checkedUpToBytes;
  } catch (error) {
    if (!isMissing(error)) throw error instanceof StoreError ? error : unusable(path, error);
  }
  if (mustExist) throw new StoreError('STORE_MISSING', { place: path });
  try {
    await mkdir(dirname(path), { recursive: true });
    await (await open(path, 'a', 0o600)).close(); // what users write is in it: it is for its owner alone
  } catch (error) {
    throw unusable(path, error);
  }
  return true;
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const unusable = (place: string, error: unknown): StoreError =>
  new StoreError('STORE_UNREACHABLE', { place, reason: error instanceof Error ? error.message : String(error) }, { cause: error });
