import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeCanvasStore, describeExecutionStore } from '@hilo/testing/contracts';
import { call, type DurableStore, statementsOver } from '../../stores/src/index.ts';
import { openPostgresStore } from '../src/index.ts';
import { describeExtensions } from '../../stores/test/describe-extensions.ts';
import { everythingOf, fillStore } from '../../stores/test/filled-store.ts';
import { directPool } from '../../stores/test/postgres-server.ts';
import { createDatabase } from '../../stores/test/shared-postgres.ts';

/** What a database or a role may have as its defaults, with what it would change for the store. */
const odd = [
  `default_transaction_isolation to 'serializable'`, // commits side by side would fail
  `statement_timeout to '300ms'`,
  `lock_timeout to '1ms'`,
  `idle_session_timeout to '1s'`,
  `idle_in_transaction_session_timeout to '300ms'`,
  'standard_conforming_strings to off', // backslashes in texts
  'array_nulls to off', // no NULL in an array of parameters
  'transform_null_equals to on',
  `search_path to theirs`,
  `timezone to 'Asia/Kathmandu'`,
  `datestyle to 'SQL, DMY'`,
  `intervalstyle to 'sql_standard'`,
  `bytea_output to 'escape'`,
  'extra_float_digits to -15',
  `client_encoding to 'LATIN1'`,
  'synchronous_commit to off',
];
const schema = 'bots_2';

/** The settings of a connection, as the store itself reads them. */
const shown = {
  name: 'shown',
  migrations: [() => ['create view shown as select name, setting from pg_settings']],
};
const readSettings = statementsOver<{ readonly shown: { readonly name: string; readonly setting: string } }>()()((db) =>
  db
    .selectFrom('shown')
    .select(['name', 'setting'])
    .where('name', 'in', ['default_transaction_isolation', 'lock_timeout', 'idle_session_timeout', 'array_nulls', 'synchronous_commit'])
    .orderBy('name'),
);

let url = '';
let store: DurableStore;
let direct: pg.Pool;

beforeAll(async () => {
  url = await createDatabase();
  direct = directPool(url);
  // Tables of others, that the search path finds.
  await direct.query('create schema theirs; create table theirs.executions (a int); create table theirs.meta (a int)');
  for (const setting of odd) await direct.query(`alter database ${new URL(url).pathname.slice(1)} set ${setting}`);
  store = await openPostgresStore({ url, schema, extensions: [shown] });
});
afterAll(async () => {
  await store.close();
  await direct.end();
});

const tables = [
  'executions',
  'histories',
  'contacts',
  'memories',
  'queue',
  'seen',
  'contents',
  'drafts',
  'versions',
  'set_aside',
  'take_ups',
];

const opening =
  <Port>(portOf: (store: DurableStore) => Port) =>
  async () => {
    await direct.query(tables.map((table) => `delete from ${schema}.${table}`).join(';'));
    return { store: portOf(store), close: async () => undefined };
  };

const name = 'PostgreSQL, in a schema of another name and under other settings';
describeExecutionStore(
  name,
  opening(({ executions }) => executions),
);
describeCanvasStore(
  name,
  opening(({ canvases }) => canvases),
);
describeExtensions(name, async () => ({
  open: (extensions) => openPostgresStore({ url, schema: 'extended_2', extensions }),
  remove: async () => void (await direct.query('drop schema extended_2 cascade')),
}));

describe('a PostgreSQL database with settings of its own', () => {
  it('is used under those that the store needs', async () => {
    expect(await store.runner.read(call(readSettings, {}))).toEqual([
      { name: 'array_nulls', setting: 'on' },
      { name: 'default_transaction_isolation', setting: 'read committed' },
      { name: 'idle_session_timeout', setting: '0' },
      { name: 'lock_timeout', setting: '0' },
      { name: 'synchronous_commit', setting: 'on' },
    ]);
  });

  it('gives back what it was given, as one with none does', async () => {
    const plain = await openPostgresStore({ url: await createDatabase() });
    const other = await openPostgresStore({ url, schema: 'compared' });
    for (const one of [plain, other]) await fillStore(one);
    expect(await everythingOf(other)).toEqual(await everythingOf(plain));
    for (const one of [plain, other]) await one.close();
  });

  it('is begun by several processes at once', async () => {
    const stores = await Promise.all([1, 2, 3, 4].map(() => openPostgresStore({ url, schema: 'begun' })));
    await Promise.all(stores.map((one, index) => fillStore(one, `e${index}`)));
    for (const one of stores) expect((await one.executions.list('c1', { limit: 10 })).results).toHaveLength(4);
    await Promise.all(stores.map(({ close }) => close()));
  });
});
