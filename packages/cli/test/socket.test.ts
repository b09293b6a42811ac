import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDirectoryAdmin } from '../src/service/directory-admin.ts';
import { openSocketAdmin } from '../src/service/socket-admin.ts';
import { listenOnSocket } from '../../server/src/platform/local-socket/listen-on-socket.ts';
import { longestPathBytes, socketEntries, resolveSocketFolder } from '../../server/src/platform/local-socket/socket-folder.ts';
import type { Fetch } from '../../server/src/platform/http/listen.ts';
import { openService } from '../../server/src/service/open-service.ts';
import { settingsFor } from '../../server/test/data/settings.ts';
import { emptyDirectory } from '../../server/test/service-process.ts';

/** A service over a store, as far as commands see one. */
const serving =
  (store: string): Fetch =>
  (request) =>
    Response.json(new URL(request.url).pathname === '/store' ? { store } : { asked: `${request.method} ${new URL(request.url).pathname}` });

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('the socket of a service', () => {
  it('is for its owner alone, also in a data directory that others may read', async () => {
    using data = emptyDirectory();
    chmodSync(data.path, 0o755);
    mkdirSync(resolveSocketFolder(data.path), { mode: 0o755 });
    const listening = await listenOnSocket(serving('hilo.db'), data.path);
    const [entry] = await socketEntries(data.path);
    expect(modeOf(resolveSocketFolder(data.path))).toBe(0o700);
    expect(modeOf(entry?.address ?? '')).toBe(0o600);
    const admin = await openSocketAdmin(settingsFor(data.path));
    expect(await admin?.ask('GET', '/nodes')).toEqual({ asked: 'GET /admin/v1/nodes' });
    await listening.close(1_000);
    expect(readdirSync(resolveSocketFolder(data.path))).toEqual([]);
    expect(await openSocketAdmin(settingsFor(data.path))).toBeUndefined();
  });

  it.each([-1, 0, 1, 100])('is reached where its path is %i bytes longer than a socket may be named by', async (more) => {
    using place = emptyDirectory();
    const rest = longestPathBytes + more - Buffer.byteLength(join(place.path, 'd', 'run', `${'0'.repeat(12)}.sock`));
    const data = join(place.path, `d${'x'.repeat(rest)}`);
    const listening = await listenOnSocket(serving('hilo.db'), data);
    const [entry] = await socketEntries(data);
    expect(entry?.address.startsWith(place.path)).toBe(more <= 0);
    expect(modeOf(entry?.address ?? '')).toBe(0o600);
    expect(await (await openSocketAdmin(settingsFor(data)))?.ask('GET', '/nodes')).toEqual({ asked: 'GET /admin/v1/nodes' });
    await listening.close(1_000);
    expect(existsSync(entry?.address ?? '')).toBe(false);
    expect(readdirSync(resolveSocketFolder(data))).toEqual([]);
  });

  it('hands out an answer as it comes, and says where the service stopped within it', async () => {
    using data = emptyDirectory();
    const rest = Promise.withResolvers<void>();
    const inParts: Fetch = (given) => {
      if (new URL(given.url).pathname === '/store') return Response.json({ store: 'hilo.db' });
      const parts = async function* () {
        yield Buffer.from('first ');
        await rest.promise;
        yield Buffer.from('last');
      };
      return new Response(ReadableStream.from(parts()));
    };
    const listening = await listenOnSocket(inParts, data.path);
    const admin = await openSocketAdmin(settingsFor(data.path));
    if (admin === undefined) throw new Error('The service is found');
    const answers = await Promise.all(['a', 'b'].map((path) => admin.request(`/${path}`, { method: 'GET', headers: {} })));
    const readers = answers.flatMap(({ body }) => body?.getReader() ?? []);
    const firsts = await Promise.all(readers.map((reader) => reader.read()));
    expect(firsts.map(({ value = [] }) => Buffer.from(value).toString())).toEqual(['first ', 'first ']);
    const lasts = readers.map((reader) => expect(reader.read()).rejects.toThrow('stopped before it answered. Repeat the command'));
    await listening.close(0);
    await Promise.all(lasts);
    rest.resolve();
  });

  it.each(['short', 'x'.repeat(120)])('of a killed service is skipped for one that answers, in a directory named %s', async (name) => {
    using place = emptyDirectory();
    const data = join(place.path, name);
    const module = new URL('../../server/src/platform/local-socket/listen-on-socket.ts', import.meta.url).href;
    const program = `const { listenOnSocket } = await import('${module}'); await listenOnSocket(() => new Response(), process.argv[1]); console.log('up');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, data], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const [left] = await socketEntries(data);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(left?.address ?? '')).toBe(true);
    expect(await openSocketAdmin(settingsFor(data))).toBeUndefined();

    const listening = await listenOnSocket(serving('hilo.db'), data);
    expect(existsSync(left?.address ?? '')).toBe(false);
    expect(await socketEntries(data)).toHaveLength(1);
    const beside = await listenOnSocket(serving('hilo.db'), data);
    expect(await socketEntries(data)).toHaveLength(2); // what answers is left alone
    expect(await openSocketAdmin(settingsFor(data))).toBeDefined();
    for (const one of [listening, beside]) await one.close(1_000);
  });

  it('leads to the service that has the database which was named, and to none that has another', async () => {
    using data = emptyDirectory();
    const [first, second] = ['postgres://db:5432/first', 'postgres://db:5432/second'];
    const listening = [await listenOnSocket(serving(first), data.path), await listenOnSocket(serving(second), data.path)];
    const storeFor = async (databaseUrl: string | undefined) =>
      (await openSocketAdmin(settingsFor(data.path, { databaseUrl }))) !== undefined;
    expect(await storeFor('postgres://user:password@db/first')).toBe(true);
    expect(await storeFor('postgres://user:password@db:5432/second')).toBe(true);
    expect(await storeFor('postgres://user:password@db:5432/third')).toBe(false);
    expect(await storeFor(undefined)).toBe(true);
    for (const one of listening) await one.close(1_000);
  });

  it.each([
    ['before it answers', (): Promise<Response> => new Promise(() => {})],
    [
      'in the middle of its answer',
      async (): Promise<Response> => new Response(new ReadableStream({ start: (half) => half.enqueue(Buffer.from('{"half":')) })),
    ],
  ])('reports in one sentence that its service ended %s', async (_when, answer) => {
    using data = emptyDirectory();
    const asked = Promise.withResolvers<void>();
    const listening = await listenOnSocket((request) => {
      if (new URL(request.url).pathname === '/store') return Response.json({ store: 'hilo.db' });
      asked.resolve();
      return answer();
    }, data.path);
    const admin = await openSocketAdmin(settingsFor(data.path));
    const asking = admin?.ask('POST', '/executions/x/cancel');
    await Promise.all([
      expect(asking).rejects.toThrow(/^The service of \S+ stopped before it answered\. Repeat the command when it runs again/),
      asked.promise.then(() => listening.close(0)),
    ]);
    await expect(admin?.ask('GET', '/nodes')).rejects.toThrow(/^The service of \S+ stopped before it answered/);
  });

  it('is missing when the program that locks the store answers no commands: they wait, and report it', async () => {
    using data = emptyDirectory();
    const service = await openService(settingsFor(data.path), { runs: false });
    await expect(openDirectoryAdmin(settingsFor(data.path), 'look', {}, 0)).rejects.toThrow(
      /is in use by another process.*answers no commands.*--url/,
    );
    const waiting = openDirectoryAdmin(settingsFor(data.path), 'look', {}, 60_000);
    await service.close();
    const admin = await waiting;
    expect(await admin.ask('GET', '/workspace')).toEqual({ companies: [] });
    await admin.close();
  });
});
