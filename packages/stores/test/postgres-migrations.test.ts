import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, openPostgresStore, statementsOver } from '../src/index.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 120_000);
afterAll(async () => server.remove());

/** Keeps what holds while it is made. */
const limits = {
  name: 'limits',
  migrations: [() => ["create table limits as select name, setting from pg_settings where name in ('statement_timeout', 'lock_timeout')"]],
};

const foundLimits = statementsOver<{ readonly limits: { readonly name: string; readonly setting: string } }>()()((db) =>
  db.selectFrom('limits').select(['name', 'setting']).orderBy('name'),
);

describe('a migration on PostgreSQL', () => {
  it('may take as long as a large store needs, whatever limits statements and roles have (P36)', { timeout: 120_000 }, async () => {
    const url = new URL(server.url);
    url.searchParams.set('options', '-c statement_timeout=20000 -c lock_timeout=20000');
    const store = await openPostgresStore({ url: url.href, extensions: [limits] });
    expect(await store.runner.read(call(foundLimits, {}))).toEqual([
      { name: 'lock_timeout', setting: '0' },
      { name: 'statement_timeout', setting: '0' },
    ]);
    await store.close();
  });
});
