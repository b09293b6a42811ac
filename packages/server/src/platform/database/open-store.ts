import { join } from 'node:path';
import type { Clock } from '@hilo/engine/contract';
import { type DurableStore, openPostgresStore, openSqliteStore, StoreRefused } from '@hilo/stores';
import { serviceTables } from './extension.ts';
import type { Settings } from '../../settings.ts';
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
  const marker = await readStoreMarker(data, storeName({ databaseUrl }));
  const options = { mustExist: marker.isMarked, extensions: [serviceTables] };
  const opening =
    databaseUrl === undefined
      ? openSqliteStore({ ...options, path: join(data, 'hilo.db') })
      : openPostgresStore({ ...options, url: databaseUrl });
  const store = await opening.catch((error: unknown) => refuse(error, marker.path));
  await marker.mark(clock.now());
  return store;
}

/** Says of a store that is gone how an operator begins a new one: `mustExist` is not theirs to leave out. */
function refuse(error: unknown, markerPath: string): never {
  const refused = error instanceof StoreRefused ? (error as StoreRefused) : undefined;
  if (refused?.code !== 'STORE_MISSING') throw error;
  throw new StoreRefused('STORE_MISSING', { place: refused.details.place, instead: `remove ${markerPath}` }, { cause: error });
}

/** Names a store: the file of the data directory, or a server's database without what is secret in its address. */
export function storeName({ databaseUrl }: Pick<Settings, 'databaseUrl'>): string {
  if (databaseUrl === undefined) return 'hilo.db';
  const url = URL.parse(databaseUrl);
  return url === null ? 'postgres' : `postgres://${url.hostname}:${url.port || '5432'}${url.pathname}`;
}
