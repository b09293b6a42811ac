import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeCanvasStore, describeExecutionStore } from '@hilo/testing/contracts';
import { type DurableStore, openSqliteStore } from '../src/index.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** A file of its own in a new directory. */
const openingFile =
  <Port>(portOf: (store: DurableStore) => Port) =>
  async () => {
    const directory = await temporaryDirectory();
    const store = await openSqliteStore({ path: join(directory, 'hilo.db') });
    const close = async (): Promise<void> => {
      await store.close();
      await rm(directory, { recursive: true });
    };
    return { store: portOf(store), close };
  };

const openingMemory = async () => {
  const { executions, close } = await openSqliteStore({ path: ':memory:' });
  return { store: executions, close };
};

describeExecutionStore(
  'SQLite in a file',
  openingFile(({ executions }) => executions),
);
describeCanvasStore(
  'SQLite in a file',
  openingFile(({ canvases }) => canvases),
);
describeExecutionStore('SQLite in memory', openingMemory);
