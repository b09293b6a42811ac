import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { Value } from '../statements/statement.ts';

// Not imported: a Node.js without it would name it, and not the version that is needed.
const { DatabaseSync } = process.getBuiltinModule('node:sqlite');

/** One open SQLite database. Its calls come back when they are done: nothing else happens in the thread meanwhile. */
export interface Connection {
  /** Runs one statement, prepared once. @returns its rows */
  run(sql: string, values?: readonly Value[]): readonly unknown[];
  /**
   * Runs one statement of a write. Without `returning` SQLite takes a third of the time: it needs no temporary table for the result.
   *
   * @returns its rows, and the number of returned or, without `returning`, written rows
   */
  write(sql: string, values: readonly Value[]): { readonly rows: readonly unknown[]; readonly count: number };
  /** Runs one statement that is never run again. */
  once(sql: string): void;
  /** Gives statements a function, whose answer depends on what it is given alone. */
  define(name: string, work: (...given: SQLOutputValue[]) => SQLInputValue): void;
  /** Whether a transaction is open. */
  readonly isInTransaction: boolean;
  close(): void;
}

/**
 * @param longestWaitMs - how long a statement waits for a lock of another tool on the file
 * @throws errors of SQLite unchanged: see `sqliteFault`
 */
export function connect(path: string, longestWaitMs = 1_000): Connection {
  const database = new DatabaseSync(path, { timeout: longestWaitMs, allowExtension: false });
  const statements = new Map<string, Prepared>();

  const prepared = (sql: string): Prepared => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    const found = { statement, columns: namesOf(statement) };
    statements.set(sql, found);
    return found;
  };

  return {
    run: (sql, values = []) => readAll(prepared(sql), values),
    write(sql, values) {
      const found = prepared(sql);
      if (found.columns.length === 0) return { rows: none, count: Number(found.statement.run(...values).changes) };
      const rows = readAll(found, values);
      return { rows, count: rows.length };
    },
    once: (sql) => database.exec(sql),
    define: (name, work) => database.function(name, { deterministic: true, directOnly: true }, work),
    get isInTransaction() {
      return database.isTransaction;
    },
    close: () => database.close(),
  };
}

interface Prepared {
  readonly statement: StatementSync;
  /** The names of its columns; none of a statement without rows. */
  columns: readonly string[];
}

const none: readonly never[] = [];

const namesOf = (statement: StatementSync): readonly string[] => statement.columns().map(({ name }) => name);

/**
 * The rows of a statement as objects. SQLite gives them as arrays: objects of its own take 1.6 times as long, and are kept in memory until
 * the whole heap is collected, also those that nobody has any more.
 */
function readAll(found: Prepared, values: readonly Value[]): readonly object[] {
  const rows = found.statement.all(...values) as unknown as readonly (readonly SQLOutputValue[])[]; // `setReturnArrays`, which the types do not follow
  // Another process may have added a column to a table of which all are selected.
  if (rows[0] !== undefined && rows[0].length !== found.columns.length) found.columns = namesOf(found.statement);
  const { columns } = found;
  return rows.map((row) => {
    const object: { [name: string]: SQLOutputValue | undefined } = {};
    for (let place = 0; place < columns.length; place += 1) object[columns[place] ?? ''] = row[place];
    return object;
  });
}

/** The single value of a statement. */
export const single = (connection: Connection, sql: string): unknown => Object.values(connection.run(sql)[0] ?? {})[0];

/**
 * Makes commits durable before they are answered (P1), and disables code that is defined in the file.
 *
 * @returns the settings, read back
 */
export function makeDurable(connection: Connection): { readonly journal_mode: string; readonly synchronous: number } {
  connection.run('pragma journal_mode = wal');
  connection.run('pragma synchronous = full');
  connection.run('pragma fullfsync = on'); // on a Mac, else the drive may still hold it back
  connection.run('pragma checkpoint_fullfsync = on');
  connection.run('pragma trusted_schema = off');
  // Measured with 64 writers: far more commits than with SQLite's own 2 MB; with 32 MB a fifth of the writer's time was spent scanning the
  // cache at each commit that had moved pages.
  connection.run('pragma cache_size = -8000');
  return {
    journal_mode: String(single(connection, 'pragma journal_mode')),
    synchronous: Number(single(connection, 'pragma synchronous')),
  };
}
