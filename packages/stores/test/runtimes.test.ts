import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeRuntime, stageOverStore } from '@hilo/testing/contracts';
import { inject } from 'vitest';
import { openSqliteStore } from '../src/index.ts';
import { openPostgresStore } from '../../postgres/src/index.ts';
import { createDatabase } from './shared-postgres.ts';
import { temporaryDirectory } from './temporary-directory.ts';

describeRuntime('an engine over SQLite', async () => {
  const directory = await temporaryDirectory();
  const store = await openSqliteStore({ path: join(directory, 'hilo.db') });
  return stageOverStore(store, async () => {
    await store.close();
    await rm(directory, { recursive: true });
  });
});

let database: Promise<string> | undefined;
let schemas = 0;

if (inject('takesAll'))
  describeRuntime('an engine over PostgreSQL', async () => {
    database ??= createDatabase();
    const store = await openPostgresStore({ url: await database, schema: `runtime${(schemas += 1)}` });
    return stageOverStore(store, () => store.close());
  });
