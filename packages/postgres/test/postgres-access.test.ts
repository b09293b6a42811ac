import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createAuthority, createCertificate } from '../../drivers/test/certificates.ts';
import { StoreError } from '../../stores/src/index.ts';
import { openPostgresStore } from '../src/index.ts';
import { fillStore } from '../../stores/test/filled-store.ts';
import { startPoolingProxy } from '../../stores/test/pooling-proxy.ts';
import { directPool, type PostgresServer, startPostgres } from '../../stores/test/postgres-server.ts';

let server: PostgresServer;
let direct: pg.Pool;
/** The server's own folder. */
let data: string;

beforeAll(async () => {
  server = await startPostgres();
  direct = directPool(server.url);
  const { rows } = await direct.query<{ readonly data_directory: string }>('show data_directory');
  data = rows[0]?.data_directory ?? '';
  await direct.query(
    `create role remote login superuser password 'right'; create role few login connection limit 1; create role refused login`,
  );
  for (const sql of [
    'create database closed allow_connections false',
    'create database of_few owner few',
    'create database of_refused owner refused',
    "create database latin template template0 encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'",
    "create database ascii template template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'",
  ])
    await direct.query(sql);
});
afterAll(async () => {
  await direct.end();
  await server.remove();
});

/** Writes a file that the server reads. */
function give(name: string, text: string): string {
  const file = join(data, name);
  writeFileSync(file, text, { mode: 0o600 });
  const { uid, gid } = statSync(data);
  chownSync(file, uid, gid);
  return file;
}

interface Address {
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly query?: string;
  readonly host?: string;
}

function urlOf({ user = 'app', password = '', database = 'postgres', query = '', host = '127.0.0.1' }: Address): string {
  const url = new URL(server.url);
  Object.assign(url, { username: user, password, pathname: database, search: query, hostname: host });
  return url.href;
}

/** @returns what is said of a server that is not used; nothing, where it is */
async function refusalOf(address: Address, schema = 'hilo'): Promise<string | undefined> {
  try {
    const store = await openPostgresStore({ url: urlOf(address), schema });
    await store.close();
    return undefined;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return String(error).replace(/^.*, schema \w+ /, '');
  }
}

describe('a PostgreSQL server that does not let Hilo in says what to do', () => {
  it.each([
    [{ user: 'nobody' }, /^cannot be opened: role "nobody" does not exist: correct user and password$/],
    [{ database: 'closed' }, /^cannot be opened: database "closed" is not .*: let the database take connections, or name another one$/],
    [{ database: 'latin' }, /^cannot keep .*: its encoding is LATIN1: name a database that was made with encoding 'UTF8'$/],
    [{ database: 'ascii' }, /^cannot keep .*: its encoding is SQL_ASCII: name a database that was made with encoding 'UTF8'$/],
    [{ query: '?options=-c nosuch=1' }, /^cannot be opened: unrecognized .* "nosuch": correct the options of the address$/],
    [{ query: '?options=-c work_mem=much' }, /^cannot be opened: invalid value .*: correct the options of the address$/],
    [{ query: '?sslmode=verify-full' }, /^cannot be opened: .* SSL connections: leave out sslmode, or turn on ssl at the server$/],
  ])('%j', async (address, sentence) => {
    expect(await refusalOf(address)).toMatch(sentence);
  });

  it('about a schema that cannot be', async () => {
    expect(await refusalOf({}, 'pg_own')).toBe('cannot be opened: unacceptable schema name "pg_own"');
  });

  it('while others have all connections of its role', async () => {
    const holding = directPool(urlOf({ user: 'few', database: 'of_few' }));
    const held = await holding.connect();
    expect(await refusalOf({ user: 'few', database: 'of_few' })).toMatch(
      /^cannot be opened: too many connections for role "few": allow more connections \(.*\), or end others$/,
    );
    held.release();
    await holding.end();
  });

  it('while it is in use, to a caller for whom no connection is left', async () => {
    const store = await openPostgresStore({ url: urlOf({ user: 'refused', database: 'of_refused' }) });
    // None rather than one: the server frees in its own time the connection by which the store was opened.
    await direct.query('alter role refused connection limit 0');
    const answers = await Promise.allSettled([store.executions.crashCounts(['a']), fillStore(store)]);
    const refused = answers.find(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({
      reason: {
        code: 'STORE_UNAVAILABLE',
        message: expect.stringMatching(/too many connections for role "refused": allow more connections/) as string,
      },
    });
    const nothing = () => undefined;
    const listener = { onGained: nothing, onWanted: nothing, onQueued: nothing, onCall: async () => undefined, onLost: nothing };
    await expect(store.executions.leases?.join(listener)).rejects.toThrow(
      /too many connections for role "refused": allow more connections/,
    );
    await store.close();
  });

  it('about passwords and TLS', async () => {
    const remote = { user: 'remote', password: 'right' };
    give('pg_hba.conf', 'host all app all trust\nhostssl all remote all scram-sha-256\n');
    const authority = await createAuthority('Hilo tests');
    const { cert, key } = await createCertificate(authority, ['localhost']);
    give('server.crt', cert);
    give('server.key', key);
    const root = give('root.crt', authority.cert);
    await direct.query('alter system set ssl to on');
    await direct.query('select pg_reload_conf()');
    const nameAuthority = /: name the certificate of its authority: \?sslmode=verify-full&sslrootcert=FILE$/;
    // The server goes by what it was given a moment later.
    await vi.waitFor(async () => expect(await refusalOf({ ...remote, query: '?sslmode=verify-full' })).toMatch(nameAuthority), 60_000);
    await vi.waitFor(
      async () =>
        expect(await refusalOf(remote)).toMatch(
          /^cannot be opened: no pg_hba.conf entry .*: let pg_hba.conf allow it or, where that demands TLS, add \?sslmode=verify-full to the address$/,
        ),
      60_000,
    );
    const query = `?sslmode=verify-full&sslrootcert=${root}`;
    const host = 'localhost';
    expect(await refusalOf({ ...remote, query, host })).toBeUndefined();
    expect(await refusalOf({ ...remote, query, host, password: 'wrong' })).toMatch(/: correct user and password$/);
    expect(await refusalOf({ ...remote, query, host, password: '' })).toMatch(
      /: the server asks for one: add it to the address, postgres:\/\/user:password@host:5432\/database$/,
    );
    expect(await refusalOf({ ...remote, query: `${query}.gone` })).toMatch(/no such file or directory.*root\.crt\.gone'/);
  });

  it('about a pooler that shares connections after each transaction', async () => {
    const pooler = await startPoolingProxy(server.url);
    await expect(openPostgresStore({ url: pooler.url, schema: 'pooled' })).rejects.toMatchObject({
      code: 'STORE_UNREACHABLE',
      message: expect.stringMatching(
        /connections there are shared after each transaction: give the address of PostgreSQL itself, not of a pooler such as PgBouncer/,
      ) as string,
    });
    pooler.close();
    expect((await direct.query("select from pg_namespace where nspname = 'pooled'")).rowCount).toBe(0);
  });
});
