// Opens the store of a service, and refuses to begin one where another was.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@hilo/engine/contract';
import { type DurableStore, keepForOwner, type OnUnreadable, type Runner, StoreError } from '@hilo/stores';
import { z } from 'zod';
import type { Resource } from '../define-resource.ts';
import { makeDirectory } from '../make-directory.ts';
import { placeStore, type StoreSettings } from './store-place.ts';
import { serviceTables } from './tables.ts';

/**
 * Creates a missing data directory, accessible to its owner alone, since it holds what users write; the keys in one that is there are made so.
 *
 * @throws {Error} when it cannot be created
 */
export async function prepareDataDirectory(directory: string): Promise<void> {
  try {
    await makeDirectory(directory);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The data directory ${directory} cannot be made (${reason}): name another one with --data`, { cause: error });
  }
  await keepForOwner(['secret.key', 'admin.token', 'hilo.json'].map((name) => join(directory, name)));
}

/**
 * Opens the store of the settings, with the service's tables and those of a host's resources. One that the data directory knows and that
 * is missing is refused, never created again (P26).
 *
 * @throws {StoreError}
 */
export async function openStore(
  given: StoreSettings & { readonly resources?: readonly Pick<Resource<never>, 'name' | 'migrations'>[] },
  clock: Pick<Clock, 'now'>,
  { onUnreadable, around }: { readonly onUnreadable?: OnUnreadable; readonly around?: (runner: Runner) => Runner } = {},
): Promise<DurableStore> {
  const place = placeStore(given);
  const marker = await readStoreMarker(given.data, place.name);
  const opening = place.open({
    mustExist: marker.isMarked,
    extensions: [serviceTables, ...(given.resources ?? [])],
    ...(onUnreadable !== undefined && { onUnreadable }),
    ...(around !== undefined && { around }),
  });
  const store = await opening.catch((error: unknown) => explainMissing(error, marker.path));
  await marker.mark(clock.now());
  return store;
}

/** Explains how to begin a new store when the old one is missing; callers cannot set `mustExist` themselves. */
function explainMissing(error: unknown, markerPath: string): never {
  const refused = error instanceof StoreError ? (error as StoreError) : undefined;
  if (refused?.code !== 'STORE_MISSING') throw error;
  throw new StoreError('STORE_MISSING', { place: refused.details.place, instead: `remove ${markerPath}` }, { cause: error });
}

const Marker = z.object({
  /** The stores of this directory, and when each began. */
  stores: z.record(z.string(), z.object({ createdAt: z.string(), runtime: z.string().optional() })),
});

/** Remembers the stores of a data directory, so that a missing one is not created again (P26). */
export interface StoreMarker {
  /** The file that remembers: without it a new store is begun. */
  readonly path: string;
  readonly isMarked: boolean;
  /** When the store began: identifies it. */
  readonly createdAt: string | undefined;
  /** What keeps the lanes of its executions; none, where this process and the store do. */
  readonly runtime: string | undefined;
  /** Called once the store is open. */
  mark(nowMs: number): Promise<void>;
  /** Remembers what keeps the lanes from now on. */
  keptBy(runtime: string | undefined): Promise<void>;
}

/**
 * Reads `hilo.json` of a data directory.
 *
 * @param store - its name
 */
export async function readStoreMarker(directory: string, store: string): Promise<StoreMarker> {
  const path = join(directory, 'hilo.json');
  const { stores } = await readMarker(path);
  const known = Object.hasOwn(stores, store) ? stores[store] : undefined;
  const write = async (row: z.output<typeof Marker>['stores'][string]): Promise<void> => {
    const marker = { stores: { ...stores, [store]: row } };
    await mkdir(directory, { recursive: true }); // with a database elsewhere nothing else has made it
    await writeFile(`${path}.new`, `${JSON.stringify(marker, undefined, 2)}\n`, { flush: true, mode: 0o600 });
    await rename(`${path}.new`, path);
  };
  return {
    path,
    isMarked: known !== undefined,
    createdAt: known?.createdAt,
    runtime: known?.runtime,
    async mark(nowMs) {
      if (known === undefined) await write({ createdAt: new Date(nowMs).toISOString() });
    },
    async keptBy(runtime) {
      if (known === undefined || known.runtime === runtime) return;
      await write({ createdAt: known.createdAt, ...(runtime !== undefined && { runtime }) });
    },
  };
}

async function readMarker(path: string): Promise<z.output<typeof Marker>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { stores: {} };
    throw error;
  }
  try {
    return Marker.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${path} is damaged: restore it, or remove it if the store beside it is whole`, { cause: error });
  }
}
