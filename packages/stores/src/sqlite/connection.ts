import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Value } from '../statements/statement.ts';
import { sqliteFault } from './sqlite-fault.ts';

/** One open SQLite database. Its calls come back when they are done: nothing else happens in the process meanwhile. */
export interface Connection {
  /** Runs one statement; it is prepared once, then only run. */
  run(sql: string, values?: readonly Value[]): readonly unknown[];
  /** Whether a transaction is open. */
  readonly isInTransaction: boolean;
  close(): void;
}

/** @throws what {@link sqliteFault} makes of the database's error */
export function connect(path: string): Connection {
  const database = translated(() => new DatabaseSync(path, { timeout: 0, allowExtension: false }));
  const statements = new Map<string, StatementSync>();

  const prepared = (sql: string): StatementSync => {
    const found = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, found);
    return found;
  };

  return {
    run: (sql, values = []) => translated(() => prepared(sql).all(...values)),
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
