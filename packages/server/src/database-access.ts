import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createSocketDialer, type DatabaseDriverOptions, type SocketDialerOptions } from '@hilo/drivers';
import type * as pg from 'pg';
import type { Settings } from './settings.ts';

/**
 * The access of canvases to databases (T13): to servers under the same rules as any outbound call, and never to the server that keeps
 * Hilo's own data; to SQLite files in `databases/{companyId}` of the data directory.
 */
export const databaseAccess = (
  { data, databaseUrl, egressAllow }: Pick<Settings, 'data' | 'databaseUrl' | 'egressAllow'>,
  options: Pick<SocketDialerOptions, 'ca' | 'log' | 'clock'>,
): Pick<DatabaseDriverOptions, 'sockets' | 'sqliteDirectory'> => ({
  sockets: createSocketDialer({ ...options, allow: egressAllow, deny: databaseUrl === undefined ? [] : placesOf(databaseUrl) }),
  sqliteDirectory: (companyId) => join(data, 'databases', companyId),
});

/**
 * The address of the store, as an allow list names it. It is resolved as the store's client does: `?host=` before the host of the
 * URL, then the environment.
 */
function placesOf(databaseUrl: string): readonly string[] {
  // Loaded where there is a server: with a file as its store, the service never needs it.
  const { Client } = createRequire(import.meta.url)('pg') as typeof pg;
  const { host, port } = new Client({ connectionString: databaseUrl });
  // Behind a socket of this machine is a server that may listen on its ports, too.
  return host.split(',').map((name) => (name.startsWith('/') ? `localhost:${port}` : `${name.includes(':') ? `[${name}]` : name}:${port}`));
}
