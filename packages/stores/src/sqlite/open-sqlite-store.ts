import { createCanvasStore } from '../canvas-store.ts';
import type { DurableStore } from '../durable-store.ts';
import { createExecutionStore } from '../execution-store.ts';
import { prune } from '../prune.ts';
import type { Extension } from '../schema/extension.ts';
import { unshared } from '../sharing.ts';
import { sqliteDatabase } from '../statements/database.ts';
import { commitWith } from '../commit.ts';
import { type Connection, connect } from './connection.ts';
import { prepareDatabase } from './prepare-database.ts';
import { prepareFile } from './prepare-file.ts';
import { createSqliteRunner } from './runner.ts';

/** Which file, and how it is opened. */
export interface SqliteOptions {
  /** Where the file is, or `:memory:` for one that is gone with the process. A missing directory is made. */
  readonly path: string;
  /** Refuses to begin a new store: for a place where one was (P26). */
  readonly mustExist?: boolean;
  /** A file up to this size is checked page by page before anything is read from it: 64 MB, when left out. */
  readonly checkedUpToBytes?: number;
  /** Tables of others that are to be in the same file. */
  readonly extensions?: readonly Extension[];
}

/**
 * Opens a SQLite file, for this process alone: WAL, and one `fsync` for all that is committed in one turn of the event loop.
 *
 * @example
 * const { executions, canvases, close } = await openSqliteStore({ path: './data/hilo.db' });
 * const engine = createEngine({ nodes, drivers, clock, random, store: executions, canvases });
 *
 * @throws {StoreRefused} when the file is missing, foreign, newer, damaged, or in use by another process
 */
export const openSqliteStore = (options: SqliteOptions): Promise<DurableStore> => openOver(connect, options);

/** @param connect - the seam where tests let the disk fail */
export async function openOver(
  connect: (path: string) => Connection,
  { path, mustExist = false, checkedUpToBytes = 64_000_000, extensions = [] }: SqliteOptions,
): Promise<DurableStore> {
  const isChecked = await prepareFile(path, mustExist, checkedUpToBytes);
  const { connection, durability, witness } = prepareDatabase(() => connect(path), path, isChecked, extensions);
  const runner = createSqliteRunner(connection, sqliteDatabase(), witness);
  return {
    executions: createExecutionStore(runner),
    canvases: createCanvasStore(runner),
    runner,
    commitWith: (commit, calls) => commitWith(runner, unshared, commit, calls),
    durability,
    clock: (system) => system,
    prune: (retention) => prune(runner, retention),
    close: runner.close,
  };
}
