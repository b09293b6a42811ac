import { type Connection, connect } from '../src/sqlite/connection.ts';

/** Where a fault happens: instead of the statement, or after it was carried out. */
export type FaultKind = 'before' | 'after';

/** Every statement of a SQLite connection, counted, and some of them failing. */
export interface WatchedConnection {
  readonly connect: (path: string) => Connection;
  /** What was run since `watch` was called last. */
  readonly statements: readonly string[];
  /** Forgets what was run; from now on `fault` decides which statements fail, by their number from 1. */
  watch(fault?: (number: number, sql: string) => FaultKind | undefined): void;
  /** Whether a transaction is open. */
  isInTransaction(): boolean;
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
    connect(path) {
      const real = connect(path);
      connection = real;
      return {
        run(sql, values) {
          statements.push(sql);
          const kind = fault(statements.length, sql);
          if (kind === 'before') throw new DiskFault(`before: ${sql}`);
          const rows = real.run(sql, values);
          if (kind === 'after') throw new DiskFault(`after: ${sql}`);
          return rows;
        },
        get isInTransaction() {
          return real.isInTransaction;
        },
        close: () => real.close(),
      };
    },
  };
}
