import type { Durability } from '../durable-store.ts';
import type { Extension } from '../schema/extension.ts';
import { pendingMigrations } from '../schema/pending-migrations.ts';
import { sqliteWords } from '../schema/words.ts';
import { StoreRefused } from '../store-refused.ts';
import { checkNothingMissing, checkOnDisk } from './check-commits.ts';
import { checkSchema } from './check-schema.ts';
import { beginNumbers, commitNumber } from './commit-number.ts';
import type { Connection } from './connection.ts';
import { inMemory } from './prepare-file.ts';
import { SqliteFault } from './sqlite-fault.ts';
import { openWitness, readWitness, type Witness } from './witness.ts';

/** Says in a file's header whose it is: "Hilo". */
const applicationId = 0x48_69_6c_6f;

/** Opens a database for this process alone, makes sure it is ours and whole, and brings its schema up to date. */
export function prepareDatabase(
  open: () => Connection,
  place: string,
  isChecked: boolean,
  extensions: readonly Extension[],
): { readonly connection: Connection; readonly durability: Durability; readonly witness: Witness } {
  let connection: Connection | undefined;
  try {
    const known = readWitness(place);
    checkOnDisk(place, known);
    connection = open();
    connection.run('pragma locking_mode = exclusive'); // held until the process ends, however it ends
    const meta = metaOf(connection, place);
    checkNothingMissing(place, meta.size === 0 ? 0 : commitNumber(connection), known);
    const pending = pendingMigrations(extensions, meta, place);
    const durability = makeDurable(connection, place);
    connection.run('begin exclusive');
    connection.run('commit');
    if (isChecked && meta.size > 0) check(connection, place);
    for (const { migration, name, value } of pending) migrate(connection, migration(sqliteWords), name, value);
    if (meta.size > 0) checkSchema(connection, place, extensions);
    if (commitNumber(connection) === 0) {
      beginNumbers(connection);
      connection.run('pragma wal_checkpoint(truncate)');
    }
    const witness = openWitness(place);
    witness.write(commitNumber(connection));
    return { connection, durability, witness };
  } catch (error) {
    connection?.close();
    throw error instanceof SqliteFault ? refusal(place, error) : error;
  }
}

/** @returns what the store says of itself; nothing for a database in which nothing is */
function metaOf(connection: Connection, place: string): ReadonlyMap<string, string> {
  const owner = single(connection, 'pragma application_id');
  const tables = single(connection, 'select count(*) from sqlite_schema');
  if (owner === 0 && tables === 0) return new Map();
  if (owner !== applicationId) throw new StoreRefused('STORE_FOREIGN', { place });
  if (single(connection, "select count(*) from sqlite_schema where name = 'meta'") === 0)
    throw new StoreRefused('STORE_DAMAGED', { place, finding: 'its tables are gone' });
  const rows = connection.run('select name, value from meta') as readonly { readonly name: string; readonly value: string }[];
  return new Map(rows.map(({ name, value }) => [name, value]));
}

function makeDurable(connection: Connection, place: string): Durability {
  connection.run('pragma journal_mode = wal');
  connection.run('pragma synchronous = full');
  connection.run('pragma fullfsync = on'); // on a Mac, else the drive may still hold it back
  connection.run('pragma checkpoint_fullfsync = on');
  connection.run('pragma trusted_schema = off');
  // Measured, 64 writers: far more commits than with SQLite's own 2 MB. Its log of 1,000 pages stays: a longer one saves 3 %,
  // and each time it is taken in everybody waits 20 ms longer.
  connection.run('pragma cache_size = -32000');
  const settings = {
    journal_mode: String(single(connection, 'pragma journal_mode')),
    synchronous: Number(single(connection, 'pragma synchronous')),
  };
  if (place === inMemory) return { database: 'sqlite', survives: 'nothing', settings };
  if (settings.journal_mode !== 'wal' || settings.synchronous !== 2)
    throw new StoreRefused('STORE_NOT_DURABLE', {
      place,
      setting: `journal_mode ${settings.journal_mode}, synchronous ${settings.synchronous}`,
    });
  return { database: 'sqlite', survives: 'power-loss', settings };
}

function check(connection: Connection, place: string): void {
  const finding = String(single(connection, 'pragma integrity_check(1)'));
  if (finding !== 'ok') throw new StoreRefused('STORE_DAMAGED', { place, finding: finding.replaceAll('\n', ' ') });
}

/** Each migration happens whole, with its number, or not at all. */
function migrate(connection: Connection, statements: readonly string[], name: string, value: string): void {
  connection.run('begin immediate');
  for (const sql of statements) connection.run(sql);
  connection.run('insert into meta (name, value) values (?, ?) on conflict (name) do update set value = excluded.value', [name, value]);
  connection.run(`pragma application_id = ${applicationId}`);
  connection.run('commit');
}

const single = (connection: Connection, sql: string): unknown => Object.values(connection.run(sql)[0] ?? {})[0];

function refusal(place: string, fault: SqliteFault): StoreRefused {
  switch (fault.reason) {
    case 'in use by another process':
    case 'locked':
      return new StoreRefused('STORE_LOCKED', { place }, { cause: fault });
    case 'not a database':
    case 'damaged':
      return new StoreRefused('STORE_DAMAGED', { place, finding: fault.message }, { cause: fault });
    default:
      return new StoreRefused('STORE_UNREACHABLE', { place, reason: fault.message }, { cause: fault });
  }
}
