import type { Statement, Value } from './statement.ts';

/** A row as SQL has it. */
export type StoredRow = { readonly [column: string]: Value };

/** A statement with its values. */
export interface Call<Row = unknown> {
  readonly statement: Statement<never, unknown>;
  readonly values: { readonly [name: string]: Value };
  /** What a row of it means; the row as SQL has it, when left out. */
  readonly decode?: (row: StoredRow) => Row;
  /** The number of rows that it must return or, without `returning`, write: when its transaction depends on it. */
  readonly rows?: number;
}

/** Binds a statement to its values. */
export const call = <Given extends { readonly [name: string]: Value }, Row>(
  statement: Statement<Given, Row>,
  values: Given,
): Call<Row> => ({
  statement,
  values,
});

/**
 * The same as a condition of its transaction: nothing of that is written unless the statement returns or, without `returning`, writes
 * this number of rows.
 */
export const condition = <Given extends { readonly [name: string]: Value }, Row>(
  statement: Statement<Given, Row>,
  values: Given,
  rows = 1,
): Call<Row> => ({ statement, values, rows });

/** A call as a condition of its transaction, as {@link condition} is. */
export const asCondition = <Row>(one: Call<Row>, rows = 1): Call<Row> => ({ ...one, rows });

/** The rows of a call as it means them. */
export const readRows = <Row>({ decode }: Call<Row>, rows: readonly unknown[]): readonly Row[] =>
  // Databases give objects of columns; a call without a meaning for them has the type of its statement.
  decode === undefined ? (rows as readonly Row[]) : (rows as readonly StoredRow[]).map(decode);

/** What became of a write. */
export interface Written {
  /** The first condition that did not hold: then nothing was written. */
  readonly failed: Call | undefined;
  /** The rows that one of its statements returned; none for a statement after a failed condition. */
  rowsOf<Row>(call: Call<Row>): readonly Row[];
}

/** What a database does itself of a {@link Runner}. */
export interface RunnerCore {
  /** Runs several statements, one after the other; others may write in between. @returns the rows of each */
  readEach<Row>(calls: readonly Call<Row>[]): Promise<readonly (readonly Row[])[]>;
  /**
   * Runs a list of statements in one transaction, in order; resolves once it is durable. Put conditions first: a write that fails at its
   * first statement is cheap.
   */
  write(calls: readonly Call[]): Promise<Written>;
}

/** Runs statements on either database. Reads see committed data, including everything that was acknowledged before. */
export interface Runner extends RunnerCore {
  read<Row>(call: Call<Row>): Promise<readonly Row[]>;
  /** The same for a statement that returns at most one row. */
  readOne<Row>(call: Call<Row>): Promise<Row | undefined>;
  /** Runs one statement in a transaction. @returns its first row */
  writeOne<Row>(call: Call<Row>): Promise<Row | undefined>;
}

/** Creates the shorter forms of the two ways to run statements, which the stores share. */
export const createRunner = ({ readEach, write }: RunnerCore): Runner => ({
  readEach,
  write,
  read: async (one) => (await readEach([one]))[0] ?? [],
  readOne: async (one) => (await readEach([one]))[0]?.[0],
  writeOne: async (one) => (await write([one])).rowsOf(one)[0],
});

/** @param rows - the rows of each statement, as far as they ran */
export const createWritten = (calls: readonly Call[], rows: readonly (readonly unknown[])[], failed?: Call): Written => ({
  failed,
  rowsOf: (one) => readRows(one, rows[calls.indexOf(one)] ?? []),
});
