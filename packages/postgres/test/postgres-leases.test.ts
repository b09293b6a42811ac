import type pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { describeLeases } from '@hilo/testing/contracts';
import { systemInterval } from '../src/database-clock.ts';
import { openShared } from '../src/open-postgres-store.ts';
import { directPool } from '../../stores/test/postgres-server.ts';
import { createDatabase } from '../../stores/test/shared-postgres.ts';

let databaseUrl = '';
let direct: pg.Pool;
let schemas = 0;

beforeAll(async () => {
  databaseUrl = await createDatabase();
  direct = directPool(databaseUrl);
});
afterAll(async () => {
  await direct.end();
});

/** A schema of its own, opened by several. */
async function share() {
  schemas += 1;
  const schema = `shared${schemas}`;
  return {
    async open() {
      let isHanging = false;
      const store = await openShared((delayMs, work) => systemInterval(delayMs, async () => (isHanging ? undefined : work())), {
        url: databaseUrl,
        schema,
        leaseMs: 1_500, // long enough for a machine that others keep busy
        connections: 4,
      });
      const hang = (): void => {
        isHanging = true;
      };
      return { store: store.executions, hang, close: store.close };
    },
    close: async () => void (await direct.query(`drop schema ${schema} cascade`)),
  };
}

describeLeases('PostgreSQL', share);
