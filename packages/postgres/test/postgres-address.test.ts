// Servers behind the socket of a directory, and behind what drops the settings of connections.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../src/index.ts';
import { listenFor, splitMessages } from '../../stores/test/proxy.ts';
import { directPool } from '../../stores/test/postgres-server.ts';
import { createDatabase } from '../../stores/test/shared-postgres.ts';

let url = '';
beforeAll(async () => {
  url = await createDatabase();
});

describe('a store behind the socket of a directory', () => {
  let directory = '';
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pg-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('is opened by the host of the query', async () => {
    const { hostname, port, pathname, username } = new URL(url);
    const server = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      client.on('error', () => upstream.destroy()).pipe(upstream);
      upstream.on('error', () => client.destroy()).pipe(client);
    }).listen(join(directory, '.s.PGSQL.5432'));
    await once(server, 'listening');
    try {
      const store = await openPostgresStore({ url: `postgres://${username}@${pathname}?host=${directory}`, schema: 'by_socket' });
      expect(await store.executions.load('1', 'none')).toBeUndefined();
      await store.close();
    } finally {
      server.close();
    }
  });

  it('is named where there is none', async () => {
    const missing = join(directory, 'none');
    await expect(openPostgresStore({ url: `postgres:///bots?host=${missing}` })).rejects.toMatchObject({
      code: 'STORE_UNREACHABLE',
      message: expect.stringContaining(`PostgreSQL at ${missing}:5432/bots`) as unknown,
    });
  });
});

it('several servers are refused in a sentence', async () => {
  await expect(openPostgresStore({ url: 'postgres://u:secret@127.0.0.1:1,127.0.0.1:2/bots' })).rejects.toMatchObject({
    code: 'STORE_UNREACHABLE',
    message: expect.stringMatching(/^(?!.*secret).*its address names several servers \(127\.0\.0\.1:1,127\.0\.0\.1:2\)/) as unknown,
  });
});

/** Passes connections on, and leaves out a setting with which they are made, as a pooler that is told to ignore it. */
async function startDroppingProxy(name: string) {
  const sockets = new Set<Socket>();
  const { hostname, port } = new URL(url);
  return listenFor(url, sockets, (client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined));
    upstream.pipe(client);
    client.on(
      'data',
      splitMessages(true, (type, bytes) => void upstream.write(type === '' ? dropSetting(bytes, name) : bytes)),
    );
    client.on('end', () => upstream.end());
  });
}

function dropSetting(startup: Buffer, name: string): Buffer {
  const words = startup.subarray(8).toString('latin1').split('\0');
  const at = words.findIndex((word, index) => index % 2 === 0 && word === name);
  const kept = Buffer.from((at < 0 ? words : words.toSpliced(at, 2)).join('\0'), 'latin1');
  const message = Buffer.concat([startup.subarray(0, 8), kept]);
  message.writeInt32BE(message.length, 0);
  return message;
}

describe('a pooler that drops settings of connections', () => {
  it('is refused where a suspended process would block others for ever', async () => {
    const proxy = await startDroppingProxy('idle_in_transaction_session_timeout');
    try {
      await expect(openPostgresStore({ url: proxy.url, schema: 'dropped' })).rejects.toMatchObject({
        code: 'STORE_UNREACHABLE',
        message: expect.stringMatching(
          /idle_in_transaction_session_timeout is 0 on a connection that was made with 8000: a pooler drops .* give the address of PostgreSQL itself/,
        ) as unknown,
      });
    } finally {
      proxy.close();
    }
  });

  it('is refused where the store needs settings that the database has not', async () => {
    const direct = directPool(url);
    await direct.query(`alter database ${new URL(url).pathname.slice(1)} set lock_timeout to '1ms'`);
    const proxy = await startDroppingProxy('options');
    try {
      await expect(openPostgresStore({ url: proxy.url, schema: 'needed' })).rejects.toMatchObject({
        code: 'STORE_UNREACHABLE',
        message: expect.stringContaining('lock_timeout is 1 on a connection that was made with 0') as unknown,
      });
    } finally {
      proxy.close();
      await direct.end();
    }
  });

  it('is no other than an address with a time of its own', async () => {
    const own = new URL(url);
    own.searchParams.set('idle_in_transaction_session_timeout', '0');
    await expect(openPostgresStore({ url: own.href, schema: 'own' })).rejects.toMatchObject({
      message: expect.stringContaining('idle_in_transaction_session_timeout is 0') as unknown,
    });
  });
});
