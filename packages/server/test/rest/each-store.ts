import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../stores/test/postgres-server.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';

/** Runs a test with a place of its own on one database. */
export type OnStore = (test: (place: Place) => Promise<void>) => () => Promise<void>;

/** Describes the same over SQLite and over a real PostgreSQL, with a new database for each test. */
export function describeOverEachStore(name: string, tests: (on: OnStore) => void): void {
  describe(`${name}, on SQLite`, () => {
    tests((test) => withPlace(test));
  });
  describe(`${name}, on PostgreSQL`, () => {
    let server: PostgresServer | undefined;
    let databases = 0;
    beforeAll(async () => {
      server = await startPostgres();
    }, 120_000);
    afterAll(async () => server?.remove());
    tests((test) =>
      withPlace(test, async () => {
        if (server === undefined) throw new Error('There is no PostgreSQL');
        const client = new pg.Client({ connectionString: server.url });
        await client.connect();
        databases += 1;
        await client.query(`create database rest_${databases}`);
        await client.end();
        return { databaseUrl: server.url.replace(/[^/]+$/, `rest_${databases}`), secretKey: Buffer.alloc(32, 3).toString('base64') };
      }),
    );
  });
}
