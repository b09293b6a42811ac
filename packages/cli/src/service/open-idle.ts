// A service over a store that runs nothing: for commands that look at all of the store with the nodes of this project.
import { randomBytes } from 'node:crypto';
import { openService } from '@hilo/server';
import { placeStore } from '@hilo/server/kit';
import { hostOf, loadConfig } from '@hilo/server/parts';
import type { Command } from 'commander';
import { printable } from '../paint.ts';
import { readSettings } from '../serve/settings.ts';
import { quietLog } from './directory-admin.ts';
import type { AdminFlags } from './with-admin.ts';

/**
 * Opens the store that flags name. No request reaches the service, and it runs nothing.
 *
 * @returns nothing where the settings were refused, which the command has said
 * @throws {StoreError} `STORE_LOCKED` while a service runs over the data directory
 */
export async function openIdle(command: Command, { data, databaseUrl, config }: Omit<AdminFlags, 'url'>) {
  const parts = await loadConfig(config);
  const read = readSettings({ data, databaseUrl }, process.env, parts.settings);
  if (read.kind === 'refused') return void command.error(read.reasons.map((reason) => `error: ${reason}`).join('\n'));
  const { settings } = read;
  if (placeStore(settings).exists() === false)
    throw new Error(`There is no store in ${printable(settings.data)}: name its directory with --data`);
  // No request reaches this process.
  const adminToken = randomBytes(24).toString('hex');
  const options = { ...settings, ...hostOf(parts), adminToken, workspace: undefined, advertiseUrl: undefined };
  return openService(options, { runs: false, givesWay: true, log: quietLog });
}
