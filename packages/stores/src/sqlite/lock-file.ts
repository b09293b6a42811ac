import { randomInt } from 'node:crypto';
import { basename } from 'node:path';
import { rmSync } from 'node:fs';
import { HiloError } from '@hilo/engine/contract';
import { StoreError } from '../store-error.ts';
import { connect, type Connection, single } from './connection.ts';
import { sqliteFault, unreachable } from './sqlite-fault.ts';
import { sqliteReason } from './sqlite-reason.ts';

/** Keeps every other Hilo from a file, until this process ends, however it ends. */
export interface FileLock {
  /**
   * Checks that the file is the one that was last opened here: not missing, not empty, and no other store's.
   *
   * @param connection - to the file
   * @throws {StoreError} `STORE_DAMAGED`
   */
  check(connection: Connection): void;
  /** Records that this file belongs here. */
  keep(connection: Connection): void;
  release(): void;
}

/** A private database. */
export const noLock: FileLock = { check: () => undefined, keep: () => undefined, release: () => undefined };

const readId = (connection: Connection): number => Number(single(connection, 'pragma user_version'));

/**
 * Locks a file by a small one beside it: this process has several connections to the file, so that SQLite's exclusive lock cannot be
 * used. Both contain the store's random number.
 *
 * @throws {StoreError} `STORE_LOCKED`
 */
export function lockFile(path: string): FileLock {
  const lock = lockAlone(path);
  let isReleased = false;
  return {
    check(connection) {
      const id = readId(lock);
      if (id === 0 || id === readId(connection)) return;
      const name = basename(path);
      const finding = `${name} or ${name}-wal was removed or replaced by another store's; where that was on purpose, remove ${name}-lock too`;
      throw new StoreError('STORE_DAMAGED', { place: path, finding });
    },
    keep(connection) {
      if (readId(connection) === 0) connection.once(`pragma user_version = ${randomInt(1, 0x7fff_ffff)}`);
      if (readId(lock) !== readId(connection)) lock.once(`pragma user_version = ${readId(connection)}`);
    },
    release() {
      if (isReleased) return;
      isReleased = true;
      const isUnused = readId(lock) === 0;
      if (isUnused) rmSync(`${path}-lock`, { force: true }); // no lock file is left beside a refused file
      lock.close();
    },
  };
}

function lockAlone(path: string): Connection {
  let connection: Connection | undefined;
  try {
    connection = connect(`${path}-lock`, 0);
    connection.run('pragma journal_mode = memory');
    connection.run('pragma locking_mode = exclusive'); // held until the process ends
    connection.run('begin exclusive');
    connection.run('commit');
    return connection;
  } catch (error) {
    connection?.close();
    const fault = sqliteFault(error);
    if (!(fault instanceof HiloError)) throw fault;
    if (sqliteReason(error) === 'in use by another process') throw new StoreError('STORE_LOCKED', { place: path }, { cause: error });
    throw unreachable(path, error, fault);
  }
}
