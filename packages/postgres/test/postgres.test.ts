import { isHiloError } from '@hilo/engine/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeCanvasStore, describeExecutionStore } from '@hilo/testing/contracts';
import { advance, commit, executionRecord } from '../../testing/src/contracts/execution-records.ts';
import type { DurableStore } from '../../stores/src/index.ts';
import { openPostgresStore } from '../src/index.ts';
import { loadConnections } from '../src/connections.ts';
import { firstSchema } from '../../stores/src/schema/migrations.ts';
import { startCuttingProxy } from '../../stores/test/cutting-proxy.ts';
import { describeExtensions } from '../../stores/test/describe-extensions.ts';
import { describeRowsAnew } from '../../stores/test/describe-rows-anew.ts';
import { describeUnreadable, type Tampered } from '../../stores/test/describe-unreadable.ts';
import { everythingOf, fillStore } from '../../stores/test/filled-store.ts';
import { directPool, type PostgresServer, startPostgres } from '../../stores/test/postgres-server.ts';

let server: PostgresServer;
let store: DurableStore;
let direct: pg.Pool;

beforeAll(async () => {
  server = await startPostgres({ outlastsPowerCuts: true });
  direct = directPool(server.url);
  store = await openPostgresStore({ url: server.url });
});
afterAll(async () => {
  await store.close();
  await direct.end();
  await server.remove();
});

const kept = ['executions', 'histories', 'contacts', 'memories', 'queue', 'seen', 'contents', 'drafts', 'versions'];
const tables = [...kept, 'set_aside', 'take_ups', 'members', 'calls'];

/** The one store, emptied. */
const opening =
  <Port>(portOf: (store: DurableStore) => Port) =>
  async () => {
    await direct.query(tables.map((table) => `delete from hilo.${table}`).join(';'));
    return { store: portOf(store), close: async () => undefined };
  };

describeExecutionStore(
  'PostgreSQL',
  opening(({ executions }) => executions),
);
describeCanvasStore(
  'PostgreSQL',
  opening(({ canvases }) => canvases),
);

const openTampered = async (): Promise<Tampered> => ({
  ...(await opening((whole) => whole)()),
  run: async (sql) => {
    const client = await direct.connect();
    await client.query('set search_path to hilo');
    const { rows } = await client.query<object>(sql);
    client.release(true);
    return rows;
  },
});

describeUnreadable('a PostgreSQL store', openTampered);
describeRowsAnew('a PostgreSQL store', openTampered);

describeExtensions('a PostgreSQL schema', async () => ({
  open: (extensions) => openPostgresStore({ url: server.url, schema: 'extended', extensions }),
  remove: async () => void (await direct.query('drop schema extended cascade')),
}));

describe('openPostgresStore', () => {
  it('says how durable it is', () => {
    expect(store.durability).toEqual({ database: 'postgres', survives: 'power-loss', settings: { synchronous_commit: 'on', fsync: 'on' } });
  });

  it('makes its transactions durable on a server that is not', async () => {
    await direct.query('alter role app set synchronous_commit to off');
    const raised = await openPostgresStore({ url: server.url });
    await direct.query('alter role app reset synchronous_commit');
    expect(raised.durability).toMatchObject({ survives: 'power-loss', settings: { synchronous_commit: 'on' } });
    await raised.close();
  });

  it.each(['fields', 'a URL'])('connects as a pool of the host does, which was given %s, and leaves the pool alone', async (given) => {
    const { hostname: host, port, username: user, pathname } = new URL(server.url);
    const database = pathname.slice(1);
    const pool = new pg.Pool(given === 'fields' ? { host, port: Number(port), user, database } : { connectionString: server.url });
    const schema = given === 'fields' ? 'by_fields' : 'by_url';
    await direct.query('alter role app set synchronous_commit to off');
    const raised = await openPostgresStore({ pool, schema });
    await direct.query('alter role app reset synchronous_commit');
    expect(raised.durability).toMatchObject({ survives: 'power-loss', settings: { synchronous_commit: 'on' } });
    expect(pool.totalCount).toBe(0);
    await raised.close();
    const { rows } = await pool.query(`select value from ${schema}.meta where name = 'schema'`);
    expect(rows).toHaveLength(1);
    await pool.end();
    await expect(openPostgresStore({ pool: {} as pg.Pool })).rejects.toThrow('Give a url, or a pool of the package pg');
  });

  it('has the password of a pool, and names it nowhere', async () => {
    const pool = new pg.Pool({ host: '127.0.0.1', port: 1, user: 'hilo', password: 'secret', database: 'bots' });
    const { connect } = await loadConnections({ pool }, 1_000);
    expect(connect(1_000).password).toBe('secret');
    await expect(openPostgresStore({ pool })).rejects.toMatchObject({
      code: 'STORE_UNREACHABLE',
      details: { place: 'PostgreSQL at 127.0.0.1:1/bots, schema hilo' },
      message: expect.not.stringContaining('secret') as string,
    });
  });

  it('refuses what is missing, foreign, newer or out of reach', async () => {
    const refused = async (options: Partial<Parameters<typeof openPostgresStore>[0]>, refusal: object) =>
      expect(openPostgresStore({ url: server.url, ...options })).rejects.toMatchObject(refusal);
    await refused({ schema: 'gone', mustExist: true }, { code: 'STORE_MISSING' });
    await direct.query('create schema theirs; create table theirs.executions (a int)');
    await refused({ schema: 'theirs' }, { code: 'STORE_FOREIGN' });
    await openPostgresStore({ url: server.url, schema: 'newer' }).then(({ close }) => close());
    await direct.query("update newer.meta set value = '1000' where name = 'schema'");
    await refused({ schema: 'newer' }, { code: 'STORE_NEWER' });
    await direct.query("update newer.meta set value = '2' where name = 'schema'");
    await refused({ schema: 'newer' }, { code: 'STORE_OLDER' });
    await direct.query('create schema partial; create table partial.meta as select name, value from newer.meta');
    await direct.query(`update partial.meta set value = '${firstSchema}' where name = 'schema'`);
    const reason = 'relation "members" does not exist: restore the whole database from a backup, since tables are missing';
    await refused({ schema: 'partial' }, { code: 'STORE_UNREACHABLE', details: { reason } });
    await refused(
      { url: 'postgres://hilo:secret@127.0.0.1:1/postgres' },
      {
        code: 'STORE_UNREACHABLE',
        message: expect.not.stringContaining('secret') as string,
      },
    );
    await refused({ url: `${server.url}gone` }, { code: 'STORE_UNREACHABLE' });
  });

  it.each([
    [
      'postgres://hilo@127.0.0.1:1/postgres',
      /cannot be opened: connect ECONNREFUSED .*: start PostgreSQL there, or correct host and port$/,
    ],
    [
      'postgres://hilo@localhost:1/postgres',
      /cannot be opened: connect ECONNREFUSED .*: start PostgreSQL there, or correct host and port$/,
    ],
    ['postgres://hilo@no-such-host.invalid/postgres', /cannot be opened: getaddrinfo .*: correct the host$/],
  ])('says what to do about a server that is not reached: %s', async (url, sentence) => {
    await expect(openPostgresStore({ url })).rejects.toMatchObject({
      code: 'STORE_UNREACHABLE',
      message: expect.stringMatching(sentence) as string,
    });
  });

  it('says what to do about a database that is not there, a role without rights, and one that only reads', async () => {
    const sentenceFor = (url: string) => openPostgresStore({ url, schema: 'fresh' }).catch((error: unknown) => String(error));
    expect(await sentenceFor(`${server.url}gone`)).toMatch(
      /database "postgresgone" does not exist: create the database first, or correct its name$/,
    );
    await direct.query('create role guest login; create role reader login; alter role reader set default_transaction_read_only to on');
    expect(await sentenceFor(server.url.replace('app@', 'guest@'))).toMatch(
      /permission denied .*: let the role create the schema, or own it$/,
    );
    expect(await sentenceFor(server.url.replace('app@', 'reader@'))).toMatch(
      /takes no writes \(default_transaction_read_only is on\): give the address of the server that does$/,
    );
    const { rows } = await direct.query("select from pg_namespace where nspname = 'fresh'");
    expect(rows).toEqual([]);
  });

  it('refuses a standby, and leaves it as it is', async () => {
    const standby = await startPostgres();
    try {
      await openPostgresStore({ url: standby.url }).then(({ close }) => close());
      await standby.becomeStandby();
      await expect(openPostgresStore({ url: standby.url })).rejects.toMatchObject({
        code: 'STORE_READ_ONLY',
        message: expect.stringMatching(
          /takes no writes \(it is a standby of another server\): give the address of the server that does$/,
        ) as string,
      });
    } finally {
      await standby.remove();
    }
  });

  it('is opened by several processes at once, of which one makes the tables', async () => {
    const stores = await Promise.all([1, 2, 3, 4].map(() => openPostgresStore({ url: server.url, schema: 'shared' })));
    await Promise.all(stores.map((each, index) => commit(each.executions, { saves: [executionRecord({ id: `e${index}` })] })));
    for (const each of stores) expect((await each.executions.list('c1', { limit: 10 })).results).toHaveLength(4);
    const writers = stores.map(({ executions }) => commit(executions, { saves: [executionRecord({ id: 'e0', revision: 2 })] }));
    expect((await Promise.all(writers)).map(({ kind }) => kind).toSorted()).toEqual(['committed', 'conflict', 'conflict', 'conflict']);
    await Promise.all(stores.map(({ close }) => close()));
  });
});

describe('a PostgreSQL server that fails', () => {
  it('keeps everything through a crash, and is served again without a new start', async () => {
    await opening(() => undefined)();
    await fillStore(store);
    const before = await everythingOf(store);
    await server.crash();
    await expect(store.executions.load('c1', 'e1')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(commit(store.executions, { saves: [executionRecord({ id: 'e2' })] })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await server.start();
    expect(await everythingOf(store)).toEqual(before);
  });

  it('loses no commit that it acknowledged, and does none twice, while its connections are cut', async () => {
    await opening(() => undefined)();
    let isOver = false;
    const cutting = (async () => {
      while (!isOver) {
        // Each lives long enough to be of use: a slow machine takes a while to make one.
        await direct.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'hilo' and clock_timestamp() - backend_start > interval '300 ms'`);
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    })();
    /** Asks again where the store says that it is not there: then the commit may have been made. */
    const save = async (id: string, revision: number): Promise<void> => {
      const parts = { saves: [executionRecord({ id, revision })], history: [advance(id, revision)] };
      let isUnsure = false;
      const attempt = () =>
        commit(store.executions, parts).catch((error: unknown) => {
          isUnsure ||= isHiloError(error, 'STORE_UNAVAILABLE');
          throw error;
        });
      const { kind } = await vi.waitFor(attempt, 60_000);
      expect(isUnsure ? ['committed', 'conflict'] : ['committed']).toContain(kind);
    };
    const ids = ['e1', 'e2', 'e3', 'e4'];
    const revisions = Array.from({ length: 40 }, (_, index) => index + 1);
    try {
      await Promise.all(
        ids.map(async (id) => {
          for (const revision of revisions) await save(id, revision);
        }),
      );
    } finally {
      isOver = true;
      await cutting;
    }
    for (const id of ids) {
      expect((await store.executions.load('c1', id))?.revision).toBe(40);
      expect((await store.executions.history('c1', id)).map(({ revision }) => revision)).toEqual(revisions);
    }
  });

  it('answers a commit whose answer was lost as what it was', async () => {
    await opening(() => undefined)();
    const proxy = await startCuttingProxy(server.url);
    const cut = await openPostgresStore({ url: proxy.url });
    for (let revision = 1; revision <= 5; revision += 1) {
      proxy.loseNextAnswer();
      const committed = await commit(cut.executions, { saves: [executionRecord({ revision })], history: [advance('e1', revision)] });
      expect(committed).toEqual({ kind: 'committed', seqs: [] });
    }
    expect(proxy.lost()).toBe(5);
    expect((await store.executions.history('c1', 'e1')).map(({ revision }) => revision)).toEqual([1, 2, 3, 4, 5]);
    await cut.close();
    proxy.close();
  });
});
