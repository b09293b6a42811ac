import type { ClientBase } from 'pg';
import { type Durability, StoreError } from '@hilo/stores';

/**
 * Under these the statements of the store do what they say. Roles and databases may have others by default, and each release of
 * PostgreSQL has some of them.
 */
const needed: ReadonlyMap<string, string> = new Map([
  ['default_transaction_isolation', 'read committed'], // a commit sees who owns its partition now, not when it began
  ['lock_timeout', '0'],
  ['transaction_timeout', '0'],
  ['idle_session_timeout', '0'],
  ['standard_conforming_strings', 'on'],
  ['array_nulls', 'on'],
  ['transform_null_equals', 'off'],
]);

/** What the server is set to, and what of it has to be another way. */
export interface ServerSettings {
  /** For each connection: `-c name=value …`. */
  readonly settings: string;
  /** Under these. */
  readonly durability: Durability;
}

/**
 * Gives a connection the settings that its role or database does not have. A server that would answer before the disk write is
 * overridden, for our connections only.
 *
 * @throws {StoreError} `STORE_NOT_DURABLE` when the database cannot hold every text
 */
export async function applySettings(client: ClientBase, place: string): Promise<ServerSettings> {
  const found = await readSettings(client);
  const encoding = found.get('server_encoding');
  if (encoding !== 'UTF8')
    throw new StoreError('STORE_NOT_DURABLE', {
      place,
      setting: `its encoding is ${encoding}: name a database that was made with encoding 'UTF8'`,
    });
  const other = listOther(found);
  for (const [name, value] of other) await client.query('select set_config($1, $2, false)', [name, value]);
  const now = await readSettings(client);
  const [synchronous, fsync] = [now.get('synchronous_commit') ?? '', now.get('fsync') ?? ''];
  const survives = fsync === 'on' && synchronous !== 'off' ? 'power-loss' : 'process-death';
  return {
    settings: settingsText(other),
    durability: { database: 'postgres', survives, settings: { synchronous_commit: synchronous, fsync } },
  };
}

const listOther = (found: ReadonlyMap<string, string>): readonly (readonly [name: string, value: string])[] => {
  const other = [...needed].filter(([name, value]) => found.has(name) && found.get(name) !== value);
  return found.get('synchronous_commit') === 'off' ? [...other, ['synchronous_commit', 'on']] : other;
};

/** The first setting of a connection that has to be another way; `undefined` where none has. */
export async function findOtherSettings(
  client: ClientBase,
): Promise<{ readonly name: string; readonly is: string; readonly wanted: string } | undefined> {
  const found = await readSettings(client);
  const [first] = listOther(found);
  return first && { name: first[0], is: found.get(first[0]) ?? '', wanted: first[1] };
}

/** A setting of a connection, in its base unit: milliseconds of a time. */
export async function readSetting(client: ClientBase, name: string): Promise<string> {
  const { rows } = await client.query<{ readonly setting: string }>('select setting from pg_settings where name = $1', [name]);
  return rows[0]?.setting ?? '';
}

/** As a connection is given them when it is made. */
export const settingsText = (settings: readonly (readonly [name: string, value: string])[]): string =>
  settings.map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`).join(' ');

async function readSettings(client: ClientBase): Promise<ReadonlyMap<string, string>> {
  const names = [...needed.keys(), 'synchronous_commit', 'fsync', 'server_encoding'];
  const { rows } = await client.query<{ readonly name: string; readonly setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [names],
  );
  return new Map(rows.map(({ name, setting }) => [name, setting]));
}
