import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHistoryExports, call, statementsOver } from '../../stores/src/index.ts';
import { openPostgresStore } from '../src/index.ts';
import { postgresDialect } from '../../stores/src/schema/ddl-dialect.ts';
import { firstSchema } from '../../stores/src/schema/migrations.ts';
import { tables } from '../../stores/src/schema/tables.ts';
import { everythingOf, fillStore } from '../../stores/test/filled-store.ts';
import { directPool } from '../../stores/test/postgres-server.ts';
import { createDatabase } from '../../stores/test/shared-postgres.ts';

let databaseUrl = '';
let direct: pg.Pool;
beforeAll(async () => {
  databaseUrl = await createDatabase();
  direct = directPool(databaseUrl);
});
afterAll(async () => {
  await direct.end();
});

/** Keeps what holds while it is made. */
const limits = {
  name: 'limits',
  migrations: [() => ["create table limits as select name, setting from pg_settings where name in ('statement_timeout', 'lock_timeout')"]],
};

const foundLimits = statementsOver<{ readonly limits: { readonly name: string; readonly setting: string } }>()()((db) =>
  db.selectFrom('limits').select(['name', 'setting']).orderBy('name'),
);

describe('a migration on PostgreSQL', () => {
  it('may take as long as a large store needs, whatever limits statements and roles have (P36)', async () => {
    const url = new URL(databaseUrl);
    url.searchParams.set('options', '-c statement_timeout=20000 -c lock_timeout=20000');
    const store = await openPostgresStore({ url: url.href, extensions: [limits] });
    expect(await store.runner.read(call(foundLimits, {}))).toEqual([
      { name: 'lock_timeout', setting: '0' },
      { name: 'statement_timeout', setting: '0' },
    ]);
    await store.close();
  });
});

const filled = [
  'executions',
  'histories',
  'contacts',
  'memories',
  'queue',
  'set_aside',
  'take_ups',
  'seen',
  'exported',
  'contents',
  'drafts',
  'versions',
];

/** Makes the tables of the first schema, and copies the rows of another schema into them. */
async function copyToFirstSchema(from: string, to: string): Promise<void> {
  const client = await direct.connect();
  await client.query(`create schema ${to}; set search_path to ${to}`);
  for (const sql of tables(postgresDialect)) await client.query(sql);
  await client.query(`update meta set value = '${firstSchema}' where name = 'schema'`);
  for (const table of filled) {
    const { rows } = await client.query<{ readonly name: string }>(
      `select column_name as name from information_schema.columns
        where table_schema = $1 and table_name = $2 and column_name not in ('part', 'person_key') order by ordinal_position`,
      [from, table],
    );
    const columns = rows.map(({ name }) => name).join();
    await client.query(`insert into ${to}.${table} (${columns}) overriding system value select ${columns} from ${from}.${table}`);
  }
  client.release(true);
}

describe('the migration to keys that begin with the partition', () => {
  it('keeps everything, under the same ids', async () => {
    const fresh = await openPostgresStore({ url: databaseUrl, schema: 'fresh' });
    for (const id of ['e1', 'e2', 'e3']) await fillStore(fresh, id);
    const ended = { id: 1, lane: 'c1/user/b1/u1' };
    await createHistoryExports(fresh.runner).mark([ended]);
    await direct.query(
      `insert into fresh.set_aside (part, seq, company_id, lane, accepted_at_ms, accepted)
        select part, seq, company_id, lane, accepted_at_ms, accepted from fresh.queue limit 1`,
    );
    const before = await everythingOf(fresh);
    await copyToFirstSchema('fresh', 'migrated');
    const migrated = await openPostgresStore({ url: databaseUrl, schema: 'migrated', mustExist: true });
    expect(await everythingOf(migrated)).toEqual(before);
    for (const table of filled) {
      const rowsIn = async (schema: string) =>
        (await direct.query<{ readonly row: object }>(`select to_jsonb(t) - 'person_key' as row from ${schema}.${table} as t order by 1`))
          .rows;
      expect(await rowsIn('migrated')).toEqual(await rowsIn('fresh'));
    }
    await Promise.all([fresh.close(), migrated.close()]);
  });

  it('changes no row of a company that is about to leave: the triggers of its move refuse that', async () => {
    await copyToFirstSchema('fresh', 'leaving');
    await direct.query(
      `create function leaving.refuse() returns trigger language plpgsql as $$ begin raise exception 'the company is being moved'; end $$`,
    );
    for (const table of ['executions', 'contacts', 'queue', 'set_aside'])
      await direct.query(
        `create trigger away before insert or update or delete on leaving.${table} for each row execute function leaving.refuse()`,
      );
    const migrated = await openPostgresStore({ url: databaseUrl, schema: 'leaving', mustExist: true });
    await migrated.close();
    const rowsOf = async (table: string) =>
      (await direct.query<{ readonly row: object }>(`select to_jsonb(t) - 'person_key' as row from ${table} as t order by 1`)).rows;
    for (const table of ['contacts', 'set_aside']) expect(await rowsOf(`leaving.${table}`)).toEqual(await rowsOf(`fresh.${table}`));
  });

  it('is refused while processes of an earlier build serve the store, and changes nothing', async () => {
    await copyToFirstSchema('fresh', 'served');
    await direct.query('insert into served.members (alive_until_ms) values (extract(epoch from clock_timestamp()) * 1000 + 60000)');
    const open = () => openPostgresStore({ url: databaseUrl, schema: 'served', mustExist: true });
    await expect(open()).rejects.toThrow(
      'cannot be opened: processes of an earlier build serve it, and cannot beside this one: stop all of them first',
    );
    expect((await direct.query("select value from served.meta where name = 'schema'")).rows).toEqual([{ value: String(firstSchema) }]);
    await direct.query('update served.members set alive_until_ms = 0');
    await (await open()).close();
  });
});

/** Tables whose rows are of no lane, and why. */
const undivided = {
  meta: 'describes the store',
  members: 'the processes',
  partitions: 'is the list of partitions; its key is the partition',
  writers: 'one row for each connection',
  turns: 'work of one process at a time',
  contents: 'canvases, which every lane reads',
  drafts: 'canvases',
  versions: 'canvases',
  people: 'who may have lanes at several bots',
  gates: 'workflows that start nothing, which every lane asks',
};

describe('the keys of a database that processes share', () => {
  it('begin with the partition in every table that has rows of lanes, so that PostgreSQL can divide it', async () => {
    const store = await openPostgresStore({ url: databaseUrl, schema: 'keys' });
    const { rows } = await direct.query<{ readonly table: string; readonly first: string }>(
      `select i.indrelid::regclass::text as table, a.attname as first from pg_index as i
        join pg_class as c on c.oid = i.indrelid
        join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indisunique and c.relnamespace = 'keys'::regnamespace`,
    );
    await store.close();
    const divided = rows
      .map(({ table, first }) => `${table.replace('keys.', '')}: ${first}`)
      .filter((key) => !(key.replace(/:.*/, '') in undivided))
      .toSorted((a, b) => (a < b ? -1 : 1));
    const names = ['calls', 'contacts', 'executions', 'exported', 'histories', 'memories', 'queue', 'seen', 'set_aside', 'take_ups'];
    expect(divided).toEqual(names.map((table) => `${table}: part`));
    // PostgreSQL takes such a table only where every key has the column.
    for (const table of names)
      await direct.query(`create table keys.divided_${table} (like keys.${table} including indexes) partition by list (part)`);
  });
});
