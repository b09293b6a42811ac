import type { Json } from '@hilo/engine/contract';

/** How values of a column are passed to the database. */
export type ColumnKind = 'text' | 'number' | 'json' | 'list' | 'other';

/** A table as the database itself describes it. */
export interface Table {
  /** Columns by their name, in the table's order. */
  readonly columns: ReadonlyMap<string, ColumnKind>;
  /** The columns of the primary key. */
  readonly key: readonly string[];
}

/** A text with a place for each value. */
export interface Statement {
  readonly text: string;
  readonly values: readonly Json[];
}

/** The result of a statement. `names` are its columns, empty when it returns no rows. */
export interface Outcome {
  readonly names: readonly string[];
  readonly rows: readonly (readonly Json[])[];
  readonly affectedRows: number;
  /** The generated number of a new row, when the database reports it beside the rows. */
  readonly insertId?: Json;
}

/** What databases write differently. */
export interface Dialect {
  /** A name of the database, quoted. */
  quote(name: string): string;
  /** Where the n-th value goes, from 1. */
  place(index: number): string;
  /** Whether an `insert` can return what it has written. */
  readonly returns: boolean;
}

/** A connection for one call. */
export interface Session {
  readonly dialect: Dialect;
  /**
   * Finds a table of the connection by its exact name.
   *
   * @throws {DriverError}
   */
  table(name: string): Promise<Table | undefined>;
  /**
   * Runs one statement; several in one text are refused.
   *
   * @throws {DriverError}
   */
  run(statement: Statement, maxRows: number): Promise<Outcome>;
  /** Ends it at once. */
  end(): void;
}

/** What a session is opened with. */
export interface Opening {
  /** Ends the session in any state. */
  readonly signal: AbortSignal;
  /** The rest of the call's time. */
  readonly timeoutMs: number;
  /** Whether every change is refused. */
  readonly readOnly: boolean;
  /** Whose call it is. */
  readonly companyId: string;
}

/**
 * A table out of rows about its columns: the name, the type, and whether it belongs to the primary key. `undefined` where
 * there are none.
 */
export function readTable(rows: readonly (readonly Json[])[], kindOf: (type: string) => ColumnKind): Table | undefined {
  if (rows.length === 0) return undefined;
  return {
    columns: new Map(rows.map(([column, type]) => [readText(column), kindOf(readText(type))])),
    key: rows.filter(([, , isKey]) => isKey === true || (typeof isKey === 'number' && isKey > 0)).map(([column]) => readText(column)),
  };
}

const readText = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
