import { hostOf, loadConfig } from '@hilo/server/project';
import type { Command } from 'commander';
import { type Given, readSettings } from '../serve/settings.ts';
import type { Admin, Purpose } from './admin.ts';

/** The flags that locate the data. */
export interface AdminFlags extends Pick<Given, 'data' | 'databaseUrl'> {
  /** A server that runs, such as `http://127.0.0.1:3000`. */
  readonly url?: string;
  /** The file with what the project adds to Hilo. */
  readonly config?: string;
}

/** Reaches management for what a command does: over HTTP where `--url` names a server, else that of the data directory. */
export async function withAdmin<Answer>(
  command: Command,
  flags: AdminFlags,
  purpose: Purpose,
  use: (admin: Admin) => Promise<Answer>,
): Promise<Answer> {
  const admin = await openAdmin(command, flags, purpose);
  try {
    return await use(admin);
  } finally {
    await admin.close();
  }
}

/** Loads its modules on demand: help and wrong usage need none of them. */
async function openAdmin(command: Command, { data, databaseUrl, url, config }: AdminFlags, purpose: Purpose): Promise<Admin> {
  const parts = await loadConfig(config);
  const read = readSettings({ data, databaseUrl }, process.env, parts.settings);
  if (read.kind === 'refused') return command.error(read.reasons.map((reason) => `error: ${reason}`).join('\n'));
  const { settings } = read;
  if (url === undefined) {
    const { openDirectoryAdmin } = await import('./directory-admin.ts');
    return openDirectoryAdmin(settings, purpose, hostOf(parts));
  }
  const { protocol, origin } = URL.parse(url) ?? {};
  if (origin === undefined || (protocol !== 'http:' && protocol !== 'https:'))
    return command.error('error: --url is the address of a server, such as http://127.0.0.1:3000');
  const { openRemoteAdmin } = await import('./remote-admin.ts');
  return openRemoteAdmin(origin, settings.adminToken);
}
