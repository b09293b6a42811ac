import type { Settings } from '@hilo/server';
import { hostOf, loadConfig } from '@hilo/server/parts';
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
async function openAdmin(command: Command, flags: AdminFlags, purpose: Purpose): Promise<Admin> {
  const parts = await loadConfig(flags.config);
  const settings = requireSettings(command, flags, parts);
  if (flags.url !== undefined) return openRemote(command, flags.url, settings);
  const { openDirectoryAdmin } = await import('./directory-admin.ts');
  return openDirectoryAdmin(settings, purpose, hostOf(parts));
}

/** Management of a service that runs, and of no store that this process would have to open; `undefined` when none runs. */
export async function findRunning(command: Command, flags: AdminFlags): Promise<Admin | undefined> {
  const settings = requireSettings(command, flags, await loadConfig(flags.config));
  if (flags.url !== undefined) return openRemote(command, flags.url, settings);
  const { openSocketAdmin } = await import('./socket-admin.ts');
  return openSocketAdmin(settings);
}

function requireSettings(command: Command, { data, databaseUrl }: AdminFlags, parts: Awaited<ReturnType<typeof loadConfig>>): Settings {
  const read = readSettings({ data, databaseUrl }, process.env, parts.settings);
  if (read.kind === 'refused') return command.error(read.reasons.map((reason) => `error: ${reason}`).join('\n'));
  return read.settings;
}

async function openRemote(command: Command, url: string, settings: Settings): Promise<Admin> {
  const { protocol, origin } = URL.parse(url) ?? {};
  if (origin === undefined || (protocol !== 'http:' && protocol !== 'https:'))
    return command.error('error: --url is the address of a server, such as http://127.0.0.1:3000');
  const { openRemoteAdmin } = await import('./remote-admin.ts');
  return openRemoteAdmin(origin, settings.adminToken);
}
