import { type Connection, connect } from '../src/sqlite/connection.ts';

/** Where a fault happens: instead of the statement, or after it was carried out. `full` is what SQLite says of a full disk. */
export type FaultKind = 'before' | 'after' | 'full';

/** Every statement of a SQLite connection, counted, and some of them failing. */
export interface WatchedConnection {
  readonly connect: (path: string) => Connection;
  /** What was run since `watch` was called last. */
  readonly statements: readonly string[];
  /** Forgets what was run; from now on `fault` decides which statements fail, by their number from 1. */
  watch(fault?: (number: number, sql: string) => FaultKind | undefined): void;
  /** Whether a transaction is open. */
  isInTransaction(): boolean;
  /** Runs a statement behind the store's back, uncounted. */
  run(sql: string): readonly object[];
}

/** What a failing disk says. */
class DiskFault extends Error {
  override readonly name = 'DiskFault';
}

export function watchedConnection(): WatchedConnection {
  let connection: Connection | undefined;
  let statements: string[] = [];
  let fault: (number: number, sql: string) => FaultKind | undefined = () => undefined;
  return {
    get statements() {
      return statements;
    },
    watch(chosen = () => undefined) {
      statements = [];
      fault = chosen;
    },
    isInTransaction: () => connection?.isInTransaction ?? false,
    run: (sql) => (connection?.run(sql) ?? []) as readonly object[],
    connect(path) {
      const real = connect(path);
      connection = real;
      const watched = <Result>(sql: string, work: () => Result): Result => {
        statements.push(sql);
        const kind = fault(statements.length, sql);
        if (kind === 'full') throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
        if (kind === 'before') throw new DiskFault(`before: ${sql}`);
        const result = work();
        if (kind === 'after') throw new DiskFault(`after: ${sql}`);
        return result;
      };
      return {
        run: (sql, values) => watched(sql, () => real.run(sql, values)),
        write: (sql, values) => watched(sql, () => real.write(sql, values)),
        once: (sql) => watched(sql, () => real.once(sql)),
        define: real.define,
        get isInTransaction() {
          return real.isInTransaction;
        },
        close: () => real.close(),
      };
    },
  };
}
