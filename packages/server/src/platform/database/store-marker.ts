import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const Marker = z.object({
  /** What was written here, and when it began. */
  stores: z.record(z.string(), z.object({ createdAt: z.string() })),
});

/** Remembers which stores a data directory has had, so that one that is gone is not begun anew (P26). */
export interface StoreMarker {
  /** The file that remembers: without it a new store is begun. */
  readonly path: string;
  readonly isMarked: boolean;
  /** Called once the store is open. */
  mark(nowMs: number): Promise<void>;
}

/**
 * Reads `hilo.json` of a data directory.
 *
 * @param store - `hilo.db`, or where a server's database is
 */
export async function readStoreMarker(directory: string, store: string): Promise<StoreMarker> {
  const path = join(directory, 'hilo.json');
  const { stores } = await markerOf(path);
  return {
    path,
    isMarked: Object.hasOwn(stores, store),
    async mark(nowMs) {
      if (Object.hasOwn(stores, store)) return;
      const marker = { stores: { ...stores, [store]: { createdAt: new Date(nowMs).toISOString() } } };
      await mkdir(directory, { recursive: true }); // with a database elsewhere nothing else has made it
      await writeFile(`${path}.new`, `${JSON.stringify(marker, undefined, 2)}\n`, { flush: true });
      await rename(`${path}.new`, path);
    },
  };
}

async function markerOf(path: string): Promise<z.output<typeof Marker>> {
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
