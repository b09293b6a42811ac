import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readStoreMarker } from '../../src/service/store-marker.ts';

it('remembers a store in a data directory that is not there yet (P26)', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'hilo-marker-'));
  try {
    const directory = join(parent, 'data', 'of-hilo');
    const place = 'postgres://localhost:5432/hilo';
    const marker = await readStoreMarker(directory, place);
    expect(marker.isMarked).toBe(false);
    await marker.mark(0);
    expect(await readStoreMarker(directory, place)).toMatchObject({ isMarked: true });
    expect(await readStoreMarker(directory, 'hilo.db')).toMatchObject({ isMarked: false });
  } finally {
    await rm(parent, { recursive: true });
  }
});
