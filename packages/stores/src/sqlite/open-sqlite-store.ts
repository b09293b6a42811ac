// Opens a store in a file of SQLite.
import { createCanvasStore } from '../canvas-store.ts';
import type { DurableStore } from '../durable-store.ts';
import { keepContacts, ownIdFirst } from '../contacts.ts';
import { createExecutionStore } from '../execution-store.ts';
import { forgetByKey, prune } from '../prune.ts';
import { type Extension, listPaused } from '../schema/migrations.ts';
import type { OnUnreadable } from '../rows.ts';
import { unshared } from '../sharing.ts';
import { laneQueries } from '../statements/lane-sql.ts';
import type { Runner } from '../statements/call.ts';
import { commitWith, rowsOfCommit } from '../commit.ts';
import { type Connection, connect } from './connection.ts';
import { keepForOwner } from '../owner-alone.ts';
import { inMemory, prepareDatabase, prepareFile } from './prepare-database.ts';
import { keepRecords } from './kept-records.ts';
import { lockFile, noLock } from './lock-file.ts';
import { createSqliteRunner } from './runner.ts';
import { watchVersions } from './version-writes.ts';
import { createInlineWriter, openWriterThread, type Writer } from './writer.ts';

/** Which file, and how it is opened. */
export interface SqliteOptions {
  /** The path of the file, or `:memory:` for one that ends with the process. A missing directory is created. */
  readonly path: string;
  /** Refuses to begin a new store: for a place where one was (P26). */
  readonly mustExist?: boolean;
  /** A file up to this size is checked page by page before anything is read from it: 64 MB, when left out. */
  readonly checkedUpToBytes?: number;
  /** Tables of others that are to be in the same file. */
  readonly extensions?: readonly Extension[];
  /** Goes around every write but commits, such as to write more in the same transaction. */
  readonly around?: (runner: Runner) => Runner;
  /** Is told of each execution whose row cannot be read: it is quarantined, and all others go on (P17). */
  readonly onUnreadable?: OnUnreadable;
}

/**
 * Opens a SQLite file, for this process alone: WAL, a thread that writes, and one `fsync` for all that is committed together.
 *
 * @example
 * import { createEngine } from '@hilo/engine';
 * import { drive, sendMessage, standardNodes } from '@hilo/nodes';
 * import { openSqliteStore } from '@hilo/stores';
 *
 * const store = await openSqliteStore({ path: './hilo.db' });
 * const engine = createEngine({ nodes: standardNodes, drivers: [drive(sendMessage, send)], store });
 * await engine.start();
 *
 * @throws {StoreError} when the file is missing, foreign, newer, damaged, or in use by another process
 */
export const openSqliteStore = (options: SqliteOptions): Promise<DurableStore> =>
  openWith(async (path, connection) => {
    if (path === inMemory) return createInlineWriter(connection);
    connection.run('pragma query_only = on'); // from here on this connection reads alone
    return openWriterThread(path);
  }, options);

/**
 * The same over one connection alone, in this thread.
 *
 * @param connect - the seam where tests let the disk fail
 */
export const openOver = (connect: (path: string) => Connection, options: SqliteOptions): Promise<DurableStore> =>
  openWith(async (_path, connection) => createInlineWriter(connection), options, connect);

/** @param openWriter - the seam where tests let a process die around a group of commits */
export async function openWith(
  openWriter: (path: string, connection: Connection) => Promise<Writer>,
  { path, mustExist = false, checkedUpToBytes = 64_000_000, extensions = [], around = (runner) => runner, onUnreadable }: SqliteOptions,
  open: (path: string) => Connection = connect,
): Promise<DurableStore> {
  const isChecked = await prepareFile(path, mustExist, checkedUpToBytes);
  const lock = path === inMemory ? noLock : lockFile(path);
  try {
    const { connection, durability } = prepareDatabase(() => open(path), path, lock, isChecked, extensions);
    if (path !== inMemory) await keepForOwner(['', '-wal', '-shm', '-lock'].map((ending) => `${path}${ending}`));
    const writer = await openWriter(path, connection).catch((error: unknown) => {
      connection.close();
      throw error;
    });
    const own = createSqliteRunner(connection, writer);
    const kept = keepRecords(own.sqlOf);
    const versionWrites = watchVersions(own.sqlOf);
    const inner = versionWrites.watch(kept.watch(own));
    const contacts = keepContacts(ownIdFirst(inner), own.sqlOf);
    const runner = contacts.watch(inner);
    const sharing = { ...unshared, queries: laneQueries(false, listPaused(extensions, String)) };
    const commit: DurableStore['commitWith'] = async (changes, calls) => {
      const rows = rowsOfCommit(changes);
      const write = () => versionWrites.writing(calls, () => commitWith(own, sharing.fence(changes.saves), changes, calls, rows));
      return contacts.committing(changes, calls, kept.committing(changes, rows, calls, write));
    };
    const outer = around(runner);
    const executions = createExecutionStore(runner, sharing, contacts.lookUp, onUnreadable);
    return {
      executions: {
        ...executions,
        commit: (changes) => commit(changes, []),
        load: (companyId, executionId) => kept.find(companyId, executionId) ?? executions.load(companyId, executionId),
      },
      canvases: createCanvasStore(outer, { isAlone: true, versionWrites: versionWrites.count, database: 'sqlite' }),
      runner: outer,
      commitWith: commit,
      durability,
      clock: (system) => system,
      rewrite: own.rewrite,
      prune: (retention) => prune(runner, retention, forgetByKey),
      close() {
        kept.clear(); // a closed store answers nothing
        return own.close().finally(lock.release);
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
