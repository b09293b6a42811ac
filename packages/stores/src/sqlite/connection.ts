import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Value } from '../statements/statement.ts';
import { sqliteFault } from './sqlite-fault.ts';

/** One open SQLite database. Its calls come back when they are done: nothing else happens in the process meanwhile. */
export interface Connection {
  /** Runs one statement; it is prepared once, then only run. */
  run(sql: string, values?: readonly Value[]): readonly unknown[];
  /** Runs one statement that is never run again. */
  once(sql: string): void;
  /** Whether a transaction is open. */
  readonly isInTransaction: boolean;
  close(): void;
}

/** @throws what {@link sqliteFault} makes of the database's error */
export const connect = (path: string): Connection => over(translated(() => new DatabaseSync(path, { timeout: 0, allowExtension: false })));

/**
 * Opens a file to look at it: nothing is written.
 *
 * @param isFileAlone - leaves out the log, and looks whoever has the file
 */
export function connectAside(path: string, isFileAlone: boolean): Connection {
  const url = pathToFileURL(path);
  if (isFileAlone) url.searchParams.set('immutable', '1');
  return over(translated(() => new DatabaseSync(url, { timeout: 0, readOnly: true, allowExtension: false })));
}

function over(database: DatabaseSync): Connection {
  const statements = new Map<string, StatementSync>();

  const prepared = (sql: string): StatementSync => {
    const found = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, found);
    return found;
  };

  return {
    run: (sql, values = []) => translated(() => prepared(sql).all(...values)),
    once: (sql) => translated(() => database.exec(sql)),
    get isInTransaction() {
      return database.isTransaction;
    },
    close: () => database.close(),
  };
}

function translated<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw sqliteFault(error);
  }
}
