import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStoreMarker } from '../../src/platform/database/open-store.ts';

/** Runs a test with a directory of its own. */
const withDirectory = (test: (directory: string) => Promise<void>) => async (): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'hilo-marker-'));
  try {
    await test(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
};

describe('the marker of stores', () => {
  it(
    'remembers a store in a data directory that is not there yet (P26)',
    withDirectory(async (parent) => {
      const directory = join(parent, 'data', 'of-hilo');
      const place = 'postgres://localhost:5432/hilo';
      const marker = await readStoreMarker(directory, place);
      expect(marker.isMarked).toBe(false);
      await marker.mark(0);
      expect(await readStoreMarker(directory, place)).toMatchObject({ isMarked: true });
      expect(await readStoreMarker(directory, 'hilo.db')).toMatchObject({ isMarked: false });
    }),
  );

  it(
    'is not considered missing when it cannot be read (P26)',
    withDirectory(async (directory) => {
      await mkdir(join(directory, 'hilo.json'));
      await expect(readStoreMarker(directory, 'hilo.db')).rejects.toMatchObject({ code: 'EISDIR' });
    }),
  );

  it.each(['', '{', '{}', '{"stores":[]}', '{"stores":{"hilo.db":{}}}'])('is refused when it holds %j (P26)', (text) =>
    withDirectory(async (directory) => {
      const path = join(directory, 'hilo.json');
      await writeFile(path, text);
      await expect(readStoreMarker(directory, 'hilo.db')).rejects.toThrow(`${path} is damaged: restore it`);
    })(),
  );
});
