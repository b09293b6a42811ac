import type { ClientBase } from 'pg';
import type { Durability } from '../durable-store.ts';
import { StoreError } from '../store-error.ts';

interface Settings {
  readonly synchronous_commit: string;
  readonly fsync: string;
  readonly server_encoding: string;
}

/**
 * How to open a transaction so that its commit is durable as promised, which settings auto-committed statements need, and the server's
 * own settings (P1). A server that would answer before the disk write is overridden, for our transactions only.
 */
export async function readDurability(
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
