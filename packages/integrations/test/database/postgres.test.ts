import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import { openPostgresStore } from '../../../postgres/src/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../../stores/test/shared-postgres.ts';
import { createAuthority, createCertificate } from '../../../drivers/test/certificates.ts';
import { during } from '../../../drivers/test/dialers.ts';
import { freePort } from '../../../stores/test/free-port.ts';
import { startTcp } from '../../../drivers/test/local-servers.ts';
import { type Asked, type Asking, ask } from './ask.ts';
import { describeDatabase } from './describe-database.ts';

let databaseUrl = '';
let [port, username, database] = [0, '', ''];
beforeAll(async () => {
  databaseUrl = await createDatabase();
  const url = new URL(databaseUrl);
  [port, username, database] = [Number(url.port), url.username, url.pathname.slice(1)];
});

const credentialOf = (more: object = {}) => ({
  kind: 'postgresql',
  host: '127.0.0.1',
  port,
  database,
  username,
  password: 'pass-word-canary',
  tls: 'off',
  ...more,
});
const asking = (more: object = {}): Asking => ({ credential: credentialOf(more), options: { allow: [`127.0.0.1:${port}`] } });
const query = (sql: string, more: object = {}): Asked => ({
  operation: 'query',
  sql,
  parameters: [],
  readOnly: false,
  maxRows: 10,
  ...more,
});

describeDatabase('PostgreSQL', {
  asking,
  place: (index) => `$${index}`,
  endless: 'select pg_sleep(3600)',
  tables: [
    'drop table if exists orders',
    'create table orders (id serial primary key, name text not null, amount bigint, note text, paid boolean, extra jsonb)',
    'drop table if exists "Odd ""name"',
    'create table "Odd ""name" ("a ""b` c" text)',
  ],
});

describe('PostgreSQL', () => {
  it('gives values as JSON has them', async () => {
    const sql = `select 9007199254740993::bigint as big, 7::bigint as seven, 1.50::numeric as exact, 'NaN'::float8 as odd, true as yes,
      '\\x0102'::bytea as bytes, '2031-01-02'::date as day, '2031-01-02 03:04:05.6+02'::timestamptz as at, '{"a":[1]}'::jsonb as doc, null as none`;
    expect(await ask(asking())(query(sql))).toEqual({
      kind: 'rows',
      rows: [
        {
          big: '9007199254740993',
          seven: 7,
          exact: '1.50',
          odd: 'NaN',
          yes: true,
          bytes: 'AQI=',
          day: '2031-01-02',
          at: '2031-01-02T01:04:05.6Z',
          doc: { a: [1] },
          none: null,
        },
      ],
    });
  });

  it('takes lists and documents where a column has them', async () => {
    const call = ask(asking());
    await call(query('drop table if exists documents'));
    await call(query('create table documents (id int primary key, tags text[], doc jsonb)'));
    await call({ operation: 'create', table: 'documents', values: { id: 1, tags: ['a', "b'"], doc: 'text' } });
    const sql = 'select tags[2] as tag, doc from documents where id = any($1)';
    expect(await call(query(sql, { parameters: [[1, 2]] }))).toEqual({ kind: 'rows', rows: [{ tag: "b'", doc: 'text' }] });
  });

  it('cannot be made to write by what only reads', async () => {
    const call = ask(asking());
    for (const sql of [
      "select set_config('transaction_read_only', 'off', true)",
      "select setval('orders_id_seq', 9)",
      'commit',
      'set transaction read write',
    ])
      await call(query(sql, { readOnly: true }));
    const sql = "with x as (insert into orders (name) values ('x') returning id) select * from x";
    expect(await call(query(sql, { readOnly: true }))).toMatchObject({ reason: 'read-only' });
  });

  it('ends what the server still works at (P13)', async () => {
    await ask(asking())(query('select pg_sleep(3600)', { timeoutMs: 1_000 }));
    const running = "select count(*) as n from pg_stat_activity where query like 'select pg_sleep(3600)%' and state = 'active'";
    await expect.poll(() => ask(asking())(query(running)), { timeout: 60_000 }).toEqual({ kind: 'rows', rows: [{ n: 0 }] });
  });

  it('is never the store of Hilo, by its address or by its tables (T13)', async () => {
    const allow = [`127.0.0.1:${port}`, `localhost:${port}`];
    const denied = (host: string) =>
      ask({ credential: credentialOf({ host }), options: { allow, deny: [`127.0.0.1:${port}`] } })(query('select 1'));
    expect(await denied('127.0.0.1')).toMatchObject({ kind: 'failed', reason: 'refused', outcome: 'failed' });
    const resolve = () => Promise.resolve(['127.0.0.1']);
    const named = ask({ credential: credentialOf({ host: 'localhost' }), options: { allow, deny: [`store.test:${port}`], resolve } });
    expect(await named(query('select 1'))).toMatchObject({ reason: 'refused' });
    const store = await openPostgresStore({ url: databaseUrl });
    await store.close();
    expect(await ask(asking())(query('select 1'))).toMatchObject({
      kind: 'failed',
      reason: 'refused',
      outcome: 'failed',
      message: expect.stringContaining('own data') as string,
    });
  });
});

describe('a way to PostgreSQL', () => {
  const failing = (more: object, options: object = {}) => ask({ credential: credentialOf(more), options })(query('select 1'));

  it.each(['10.0.0.1', '169.254.169.254', '::1', 'localhost', '::ffff:127.0.0.1', '0.0.0.0', '2130706433'])(
    'never leads to %s (P30)',
    async (host) => {
      expect(await failing({ host, port: 5432 })).toMatchObject({ kind: 'failed', reason: 'refused', outcome: 'failed' });
    },
  );

  it('leads to the ports of databases, and to those that are listed (P30)', async () => {
    expect(await failing({ host: '1.1.1.1', port: 25 })).toMatchObject({ reason: 'refused' });
  });

  it('leads to no name that has a private address (P30)', async () => {
    const resolve = () => Promise.resolve(['10.0.0.1']);
    expect(await failing({ host: 'db.test', port: 5432 }, { resolve })).toMatchObject({ reason: 'refused' });
  });

  it('is told of when it leads nowhere (P5)', async () => {
    const nobody = await freePort();
    const call = ask({ credential: credentialOf({ port: nobody }), options: { allow: [`127.0.0.1:${nobody}`] } });
    for (let time = 0; time < 5; time += 1)
      expect(await call(query('select 1'))).toMatchObject({ reason: 'unreachable', outcome: 'failed' });
    expect(await call(query('select 1'))).toMatchObject({ reason: 'unreachable', retryAfterMs: expect.any(Number) as number });
  });

  it.each([
    ['ends at once', (socket: { destroy(): void }) => socket.destroy()],
    ['talks of something else', (socket: { end(text: string): void }) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['sends without end', (socket: { write(text: Buffer): boolean }) => socket.write(Buffer.alloc(5 * 1024 * 1024, 'R'))],
    ['never answers', () => undefined],
  ])('is told of when the other side %s (P13, P16)', async (_what, talk) => {
    const other = await startTcp(talk);
    const call = ask({ credential: credentialOf({ port: other.port }), options: { allow: [other.host] } });
    expect(await call(query('select 1', { timeoutMs: 1_500 }))).toMatchObject({ kind: 'failed', outcome: 'failed' });
    await other.close();
  });

  it('asks for TLS where nothing else is said, and goes on without it never', async () => {
    const { tls: _off, ...credential } = credentialOf();
    const call = ask({ credential, options: { allow: [`127.0.0.1:${port}`] } });
    expect(await call(query('select 1'))).toMatchObject({ kind: 'failed', reason: 'unreachable', outcome: 'failed' });
  });

  it('reads and writes over TLS that is verified, and over no other', async () => {
    const [ca, otherCa] = await Promise.all([createAuthority('Test authority'), createAuthority('Another authority')]);
    const secureContext = createSecureContext(await createCertificate(ca, ['db.test']));
    const front = await during(
      startTcp((socket) => {
        socket.once('data', () => {
          socket.write('S');
          const secure = new TLSSocket(socket, { isServer: true, secureContext });
          const behind = connect(port, '127.0.0.1');
          pipeline(secure, behind, () => undefined);
          pipeline(behind, secure, () => undefined);
        });
      }),
    );
    const resolve = () => Promise.resolve(['127.0.0.1']);
    const over = (host: string, trusted: string) => {
      const allow = [`${host}:${front.port}`];
      const credential = credentialOf({ host, port: front.port, tls: 'verify', database: 'template1' }); // the other is a store of Hilo by now
      return ask({ credential, options: { allow, resolve, ca: trusted } });
    };
    const sql = "select repeat('ü', 20000) as long";
    expect(await over('db.test', ca.cert)(query(sql))).toEqual({ kind: 'rows', rows: [{ long: 'ü'.repeat(20_000) }] });
    for (const [host, trusted] of [
      ['db.test', otherCa.cert],
      ['stranger.test', ca.cert],
    ] as const)
      expect(await over(host, trusted)(query(sql))).toMatchObject({ kind: 'failed', reason: 'unreachable', outcome: 'failed' });
  });

  it('says nothing of the password when it is refused (P31)', async () => {
    const result = await ask(asking({ username: 'nobody' }))(query('select 1'));
    expect(result).toMatchObject({ kind: 'failed', reason: 'refused' });
    expect(JSON.stringify(result)).not.toContain('canary');
  });
});
