import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createHistoryExports, type DurableStore, openSqliteStore } from '@hilo/stores';
import { advance, commit, executionRecord, type RecordParts } from '@hilo/testing/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeHistory } from '../../src/executions/history-view.ts';
import type { Settings } from '../../src/service/settings.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';
import { describeOverEachStore } from '../rest/each-store.ts';
import { ask, emptyDirectory, startReminder, startService } from '../service-process.ts';
import { type Bucket, keys, openBucket } from './bucket.ts';

const day = 86_400_000;
const look = 10_000;

/** Keeps an execution as if it had run. */
const keep = ({ executions }: DurableStore, id: string, parts: RecordParts = {}) =>
  commit(executions, {
    saves: [executionRecord({ id, status: 'completed', ...parts })],
    history: [advance(id, 1)],
  });

interface Line {
  readonly companyId: string;
  readonly executionId: string;
  readonly status: string;
  readonly history: readonly object[];
}

const linesOf = (file: Uint8Array): readonly Line[] =>
  gunzipSync(file)
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/** Executions in a folder, file by file. */
async function linesIn(folder: string): Promise<readonly Line[]> {
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.gz')).toSorted();
  return (await Promise.all(files.map((name) => readFile(join(folder, name))))).flatMap(linesOf);
}

const idsOf = (lines: readonly Line[]): readonly string[] => lines.map(({ executionId }) => executionId).toSorted();

const inBucket = ({ objects }: Bucket): readonly Line[] => [...objects.values()].flatMap(linesOf);

const access = ({ endpoint }: Bucket): Partial<Settings> => ({
  historyOutbox: 's3://histories/of/hilo',
  s3Endpoint: endpoint,
  s3Region: keys.region,
  s3KeyId: keys.accessKeyId,
  s3Secret: keys.secret,
});

/** Advances time by one interval. @returns the files in a folder then */
const looked =
  ({ clock }: Place, folder: string) =>
  async (): Promise<readonly string[]> => {
    clock.advanceBy(look);
    return idsOf(await linesIn(folder).catch(() => []));
  };

describeOverEachStore('a history outbox', (on) => {
  it(
    'writes ended executions, once, with their histories, and no open ones',
    on(async (place) => {
      const folder = join(place.directory, 'histories');
      const service = await place.open({ historyOutbox: folder });
      for (const status of ['completed', 'failed', 'cancelled', 'expired', 'running', 'quarantined'] as const)
        await keep(service.store, status, { status });
      await keep(service.store, 'waits', { status: 'waiting', wait: { dueAtMs: 9e12 } });
      await expect.poll(looked(place, folder)).toEqual(['cancelled', 'completed', 'expired', 'failed']);
      await keep(service.store, 'later', { createdAtMs: 2_000 });
      await expect.poll(looked(place, folder)).toEqual(['cancelled', 'completed', 'expired', 'failed', 'later']);
      const [line] = (await linesIn(folder)).filter(({ executionId }) => executionId === 'completed');
      const { entries } = describeHistory('completed', await service.engine.history('c1', 'completed'));
      expect(line).toMatchObject({ companyId: 'c1', status: 'completed', endedAt: '1970-01-01T00:00:01.001Z' });
      expect(line?.history).toEqual(entries);
    }),
  );

  it(
    'finds within an hour executions that were committed behind its position',
    on(async (place) => {
      const folder = join(place.directory, 'histories');
      const service = await place.open({ historyOutbox: folder });
      await keep(service.store, 'now', { createdAtMs: 5 * day });
      await expect.poll(looked(place, folder)).toEqual(['now']);
      await keep(service.store, 'old', { createdAtMs: 2 * day });
      place.clock.advanceBy(3_600_000);
      await expect.poll(looked(place, folder)).toEqual(['now', 'old']);
    }),
  );

  it(
    'is one process at a time, and another takes over when that has died',
    on(async ({ open }) => {
      const { store } = await open();
      const exports = createHistoryExports(store.runner);
      expect(await exports.takeTurn('one', 0, 100)).toBe(true);
      expect(await exports.takeTurn('two', 99, 200)).toBe(false);
      expect(await exports.takeTurn('one', 50, 150)).toBe(true);
      expect(await exports.takeTurn('two', 149, 300)).toBe(false);
      expect(await exports.takeTurn('two', 150, 300)).toBe(true);
      expect(await exports.takeTurn('one', 160, 300)).toBe(false);
    }),
  );

  it(
    'holds off the removal of what has not left, and of nothing else',
    on(async ({ open }) => {
      const { store } = await open();
      const [one, two] = ['left', 'stays'];
      for (const id of [one, two]) await keep(store, id);
      const exports = createHistoryExports(store.runner);
      const page = await exports.page('completed', { endedAtMs: 0, id: -1 }, 10);
      await exports.mark(page.filter(({ executionId }) => executionId === one));
      const retention = { nowMs: 10 * day, completedForMs: 0, failedForMs: 0 };
      expect(await store.prune({ ...retention, onlyExported: true })).toEqual({ executions: 1, seen: 0 });
      expect(await store.executions.load('c1', two)).toBeDefined();
      expect(await store.prune(retention)).toEqual({ executions: 1, seen: 0 });
      await keep(store, one); // its row number may be reused, and must not count as exported
      const [again] = await exports.page('completed', { endedAtMs: 0, id: -1 }, 10);
      expect(again?.isExported).toBe(false);
    }),
  );
});

describe('pages of what has ended', () => {
  it('name each execution once, in the order of their ends, however many end at one instant', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), async (ends, limit) => {
        const store = await openSqliteStore({ path: ':memory:' });
        for (const [index, createdAtMs] of ends.entries()) await keep(store, `e${index}`, { createdAtMs });
        const exports = createHistoryExports(store.runner);
        const seen: number[] = [];
        for (let after = { endedAtMs: 0, id: -1 }; ; ) {
          const page = await exports.page('completed', after, limit);
          seen.push(...page.map(({ endedAtMs }) => endedAtMs));
          const last = page.at(-1);
          if (last === undefined) break;
          after = { endedAtMs: last.endedAtMs, id: last.id };
        }
        expect(seen).toEqual(ends.map((atMs) => atMs + 1).toSorted((a, b) => a - b)); // that is when they advanced last
        await store.close();
      }),
      { numRuns: 40 },
    );
  });
});

describe('a bucket', () => {
  it(
    'that fails, breaks off and is away has all of it in the end, each under one key, and nothing is removed before',
    withPlace(async (place) => {
      const { clock, log, open } = place;
      let bucket = await openBucket();
      try {
        bucket.behaviours.push('fail', 'break off');
        const before = await open();
        for (let index = 0; index < 3; index += 1) await keep(before.store, `e${index}`, { createdAtMs: clock.now() - 60 * day });
        await before.close();
        const { store, ...service } = await open(access(bucket));
        const warnings = () => log.lines.filter(({ message }) => message === 'Histories could not be written to the outbox');
        await expect.poll(() => warnings().length).toBe(1);
        expect(warnings()[0]?.fields).toMatchObject({ error: 'Error: The bucket answered 500 InternalError', retryInMs: 1_000 });
        clock.advanceBy(1_000);
        await expect.poll(() => warnings().length).toBe(2);
        expect(warnings()[1]?.fields).toMatchObject({ retryInMs: 2_000 });
        const port = Number(new URL(bucket.endpoint).port);
        const { puts, objects } = bucket;
        await bucket[Symbol.asyncDispose]();
        clock.advanceBy(2_000);
        await expect.poll(() => warnings().length).toBe(3);
        expect(warnings()[2]?.fields).toMatchObject({ retryInMs: 4_000 });
        await store.prune({ nowMs: clock.now(), completedForMs: 0, failedForMs: 0, onlyExported: true });
        expect(await store.executions.load('c1', 'e0')).toBeDefined();
        bucket = await openBucket(port);
        clock.advanceBy(4_000);
        await expect.poll(() => bucket.puts).toEqual(puts); // the half answer's again
        expect([...bucket.objects.keys()]).toEqual([...objects.keys()]);
        expect(idsOf(inBucket(bucket))).toEqual(['e0', 'e1', 'e2']);
        expect([...bucket.objects.keys()][0]).toMatch(/^\/histories\/of\/hilo\/\d{4}\/\d\d\/\d\d\/\d{8}T\d{6}Z-[0-9a-f]{16}\.ndjson\.gz$/);
        const isRemoved = async (): Promise<boolean> => {
          clock.advanceBy(3_600_000);
          return (await store.executions.load('c1', 'e0')) === undefined;
        };
        await expect.poll(isRemoved).toBe(true); // what has left may go
        await service.close();
      } finally {
        await bucket[Symbol.asyncDispose]();
      }
    }),
  );

  it(
    'with another secret is logged, without the secret, and nothing is marked',
    withPlace(async ({ open, log }) => {
      await using bucket = await openBucket();
      const before = await open();
      await keep(before.store, 'e');
      await before.close();
      const service = await open({ ...access(bucket), s3Secret: 'another-secret' });
      await expect.poll(() => log.lines.map(({ fields }) => JSON.stringify(fields)).join()).toContain('403 SignatureDoesNotMatch');
      expect(JSON.stringify(log.lines)).not.toContain('another-secret');
      expect(bucket.objects.size).toBe(0);
      await service.close();
    }),
  );

  it('gets the same file again after a death between the file and its mark, and then no more', { timeout: 300_000 }, async () => {
    using data = emptyDirectory();
    await using bucket = await openBucket();
    const begun = await startService(data.path);
    const ids = [await startReminder(begun.url), await startReminder(begun.url)].toSorted();
    for (const id of ids) await ask(begun.url, `/admin/v1/executions/${id}/cancel?companyId=1`, { method: 'POST' });
    await begun.end('SIGTERM');
    const variables = {
      HILO_HISTORY_OUTBOX: 's3://histories',
      AWS_ENDPOINT_URL_S3: bucket.endpoint,
      AWS_REGION: keys.region,
      AWS_ACCESS_KEY_ID: keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: keys.secret,
    };
    const killed = Promise.withResolvers<void>();
    bucket.behaviours.push(() => killed.resolve());
    const dying = await startService(data.path, [], variables);
    await killed.promise;
    await dying.end('SIGKILL');
    const marked = async (): Promise<readonly boolean[]> => {
      const store = await openSqliteStore({ path: join(data.path, 'hilo.db'), mustExist: true });
      const page = await createHistoryExports(store.runner).page('cancelled', { endedAtMs: 0, id: -1 }, 10);
      await store.close();
      return page.map(({ isExported }) => isExported);
    };
    expect(await marked()).toEqual([false, false]);
    await using after = await startService(data.path, [], variables);
    await expect.poll(() => bucket.puts.length, { timeout: 60_000 }).toBe(2);
    await expect.poll(() => after.output()).toContain('Histories were written');
    await after.end('SIGTERM');
    expect(new Set(bucket.puts).size).toBe(1);
    expect(idsOf(inBucket(bucket))).toEqual(ids);
    expect(await marked()).toEqual([true, true]);
  });
});

describe('a place that cannot be', () => {
  it.each<readonly [Partial<Settings>, string]>([
    [{ historyOutbox: 's3://b' }, '--history-outbox names no bucket: write s3://bucket/prefix'],
    [{ historyOutbox: 's3://bucket/a b' }, '--history-outbox names no bucket: write s3://bucket/prefix'],
    [{ historyOutbox: 's3://bucket' }, 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
    [{ historyOutbox: 's3://bucket', s3KeyId: 'a', s3Secret: 'b', s3Endpoint: 'minio' }, 'AWS_ENDPOINT_URL_S3 is no address'],
  ])('is refused in a sentence: %j', (settings, sentence) =>
    withPlace(async ({ open }) => {
      await expect(open(settings)).rejects.toThrow(sentence);
    })(),
  );

  it(
    'is refused where a file is in its way',
    withPlace(async ({ open, directory }) => {
      const historyOutbox = join(directory, 'taken');
      await writeFile(historyOutbox, '');
      await expect(open({ historyOutbox })).rejects.toThrow('The folder of --history-outbox cannot be made');
    }),
  );
});
