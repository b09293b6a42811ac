import { join } from 'node:path';
import type { Clock } from '@hilo/engine/contract';
import { type DurableStore, openPostgresStore, openSqliteStore } from '@hilo/stores';
import { serviceTables } from '../tables/extension.ts';
import type { Settings } from './settings.ts';
import { readStoreMarker } from './store-marker.ts';

/**
 * Opens the store that the settings name, with the service's tables in it. A store that was there once and is gone is
 * refused, and never begun anew (P26).
 *
 * @throws {StoreRefused}
 */
export async function openStore(
  { data, databaseUrl }: Pick<Settings, 'data' | 'databaseUrl'>,
  clock: Pick<Clock, 'now'>,
): Promise<DurableStore> {
  const marker = await readStoreMarker(data, databaseUrl === undefined ? 'hilo.db' : placeOf(databaseUrl));
  const options = { mustExist: marker.isMarked, extensions: [serviceTables] };
  const store =
    databaseUrl === undefined
      ? await openSqliteStore({ ...options, path: join(data, 'hilo.db') })
      : await openPostgresStore({ ...options, url: databaseUrl });
  await marker.mark(clock.now());
  return store;
}

/** A server's database without what is secret in its address. */
function placeOf(databaseUrl: string): string {
  const url = URL.parse(databaseUrl);
  return url === null ? 'postgres' : `postgres://${url.hostname}:${url.port || '5432'}${url.pathname}`;
}
