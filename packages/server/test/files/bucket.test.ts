// Files of users in an S3-compatible bucket: kept there and nowhere else, read back, and gone with their person or after 30 days.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

import { systemClock } from '@hilo/engine/node';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { keptMs } from '../../src/files/files.ts';
import { objectOf } from '../../src/files/file-bytes.ts';
import { openFileBucket } from '../../src/files/s3-files.ts';
import { fileParts, files } from '../../src/platform/tables/files.ts';
import { type FilesStage, png, quiet, withFiles } from './files-stage.ts';

/** Another maker's server: it knows its accounts, and refuses what was signed a quarter of an hour ago. */
async function startServer() {
  const directory = await mkdtemp(join(tmpdir(), 'hilo-bucket-'));
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: 'files', configs: [] }] });
  const { port } = await server.run();
  const settings = { s3Endpoint: `http://127.0.0.1:${port}`, s3KeyId: 'S3RVER', s3Secret: 'S3RVER' };
  return {
    settings,
    close: () => server.close(),
    async [Symbol.asyncDispose]() {
      await server.close().catch(() => undefined);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const place = 's3://files/of/hilo';

describe('a bucket', () => {
  it('keeps bytes under a name, replaces and removes them, and says why it refuses', async () => {
    await using server = await startServer();
    const bucket = openFileBucket(place, server.settings, { clock: systemClock });
    const name = objectOf({ companyId: 'Ñandú & co/1', id: 'file_a-B_1' });
    expect(name).toMatch(/^[\w-]+\/file_a-B_1$/);
    expect(await bucket.get(name, 10_000)).toBeUndefined();
    await bucket.put(name, png);
    await bucket.put(name, Buffer.from('other'));
    expect(Buffer.from((await bucket.get(name, 5)) ?? []).toString()).toBe('other');
    await expect(bucket.get(name, 4)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    for (const _times of [1, 2]) await bucket.remove(name);
    expect(await bucket.get(name, 10_000)).toBeUndefined();
    const wrong = openFileBucket(place, { ...server.settings, s3KeyId: 'OTHER' }, { clock: systemClock });
    await expect(wrong.put(name, png)).rejects.toMatchObject({
      code: 'CONNECT_FAILED',
      message: 'The bucket answered 403 InvalidAccessKeyId',
    });
    await Promise.all([bucket.close(), wrong.close()]);
  });

  it('has no two companies under one name', () => {
    const names = ['1', '_31_', 'a/b', 'a_2f_b', 'a%2Fb', '\u00e9', 'e\u0301'].map((companyId) => objectOf({ companyId, id: 'x' }));
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ['s3://', {}, '--files names no bucket: write s3://bucket/prefix'],
    [place, { s3KeyId: 'x' }, 'The bucket of --files asks for keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
    [
      place,
      { s3KeyId: 'x', s3Secret: 'y', s3Endpoint: 'minio' },
      'AWS_ENDPOINT_URL_S3 is no address: write one such as https://minio.example:9000',
    ],
  ])('is not opened at %s with %j', (at, settings, message) => {
    expect(() => openFileBucket(at, settings, { clock: systemClock })).toThrow(message);
  });
});

describe('files of users in a bucket', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are read from there, and leave it with their person, or after 30 days', async () => {
    await using server = await startServer();
    const test = async ({ image, held, asked, handleOf, get, service, place: { clock } }: FilesStage): Promise<void> => {
      vi.useFakeTimers({ toFake: ['Date'], now: clock.now() }); // the server lives in the time of the service
      const own = openFileBucket(place, server.settings, { clock });
      const isThere = async (handle: string) => (await own.get(objectOf({ companyId: '1', id: handle }), 100_000)) !== undefined;
      const passes = async (ms: number): Promise<void> => {
        clock.advanceBy(ms);
        vi.setSystemTime(clock.now());
        await service.engine.whenIdle();
      };
      for (const [id, from] of [
        ['media-1', '51999000111'],
        ['media-2', '51999000222'],
      ] as const) {
        held.set(id, {});
        await image(id, {}, from);
      }
      const [first, second] = [await handleOf('media-1'), await handleOf('media-2')];
      for (const handle of [first, second, first]) {
        const answer = await get(`/admin/v1/files/${handle}`);
        const bytes = Buffer.from(await answer.arrayBuffer());
        expect([answer.status, bytes.equals(png) ? 'the picture' : bytes.toString()]).toEqual([200, 'the picture']);
      }
      expect(asked.filter((path) => path.startsWith('/media/'))).toHaveLength(2);
      expect(await service.store.runner.read(files.all('1'))).toMatchObject([{ place: 'bucket' }, { place: 'bucket' }]);
      expect(await service.store.runner.read(fileParts.all('1'))).toEqual([]);
      expect([await isThere(first), await isThere(second)]).toEqual([true, true]);

      const erasing = await createManagement(service).request('/companies/1/contacts/phone:51999000111', { method: 'DELETE' });
      expect(erasing.status).toBe(202);
      while (await isThere(first)) await passes(1_000);
      expect(await isThere(second)).toBe(true);
      clock.advanceBy(keptMs);
      vi.setSystemTime(clock.now());
      while (await isThere(second)) await passes(60_000);
      await own.close();
    };
    await withFiles(quiet, test, { settings: { ...server.settings, files: place } })();
  });
});
