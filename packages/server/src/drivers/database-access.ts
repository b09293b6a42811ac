import { join } from 'node:path';
import { createSocketDialer, type DatabaseDriverOptions, type SocketDialerOptions } from '@hilo/drivers';
import type { Settings } from '../service/settings.ts';

/**
 * The way of canvases to databases (T13): to servers as to all that is outside, and never to the one that keeps Hilo's own
 * data; to SQLite files in `databases/{companyId}` of the data directory.
 */
export const databaseAccess = (
  { data, databaseUrl, egressAllow }: Pick<Settings, 'data' | 'databaseUrl' | 'egressAllow'>,
  options: Pick<SocketDialerOptions, 'ca' | 'log' | 'clock'>,
): Pick<DatabaseDriverOptions, 'sockets' | 'sqliteDirectory'> => ({
  sockets: createSocketDialer({ ...options, allow: egressAllow, deny: placesOf(databaseUrl) }),
  sqliteDirectory: (companyId) => join(data, 'databases', companyId),
});

/** Where the store is, as an allow list names it; nowhere for a file, and for a socket of this machine. */
function placesOf(databaseUrl: string | undefined): readonly string[] {
  const url = databaseUrl === undefined ? null : URL.parse(databaseUrl);
  return url === null || url.hostname === '' ? [] : [`${url.hostname}:${url.port || '5432'}`];
}
