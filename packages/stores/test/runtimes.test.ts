import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeRuntime, stageOverStore } from '@hilo/testing/contracts';
import type pg from 'pg';
import { afterAll, beforeAll, vi } from 'vitest';
import { openPostgresStore, openSqliteStore } from '../src/index.ts';
import { directPool, type PostgresServer, startPostgres } from './postgres-server.ts';
import { temporaryDirectory } from './temporary-directory.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let server: PostgresServer;
let direct: pg.Pool;
let schemas = 0;

beforeAll(async () => {
  server = await startPostgres();
  direct = directPool(server.url);
});
afterAll(async () => {
  await direct.end();
  await server.remove();
});

describeRuntime('an engine over SQLite', async () => {
  const directory = await temporaryDirectory();
  const store = await openSqliteStore({ path: join(directory, 'hilo.db') });
  return stageOverStore(store, async () => {
    await store.close();
    await rm(directory, { recursive: true });
  });
});

describeRuntime('an engine over PostgreSQL', async () => {
  schemas += 1;
  const schema = `runtime${schemas}`;
  const store = await openPostgresStore({ url: server.url, schema });
  return stageOverStore(store, async () => {
    await store.close();
    await direct.query(`drop schema ${schema} cascade`);
  });
});
