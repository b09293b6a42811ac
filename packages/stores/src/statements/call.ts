import type { Statement, Value } from './statement.ts';

/** A statement with its values. */
export interface Call<Row = unknown> {
  readonly statement: Statement<never, Row>;
  readonly values: { readonly [name: string]: Value };
  /** How many rows it has to give or, where it gives none, to write: where the write that it belongs to depends on it. */
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
 * The same as a condition of the write that it stands in: nothing of it is written unless the statement gives so many rows or,
 * where it gives none, writes so many.
 */
export const condition = <Given extends { readonly [name: string]: Value }, Row>(
  statement: Statement<Given, Row>,
  values: Given,
  rows = 1,
): Call<Row> => ({ statement, values, rows });

/** What became of a write. */
export interface Written {
  /** The first condition that did not hold: then nothing was written. */
  readonly failed: Call | undefined;
  /** The rows that one of its statements gave; none of a statement that stands behind a failed condition. */
  rowsOf<Row>(call: Call<Row>): readonly Row[];
}

/** What a database does itself of a {@link Runner}. */
export interface RunnerCore {
  /** Runs several statements, one after the other; others may write in between. @returns the rows of each */
  readEach<Row>(calls: readonly Call<Row>[]): Promise<readonly (readonly Row[])[]>;
  /**
   * Runs a list of statements in one transaction, in their order; resolves once it is durable. Put conditions first: a write
   * that fails at its first statement costs nobody anything.
   */
  write(calls: readonly Call[]): Promise<Written>;
}

/** Runs statements, whatever the database. What is read is committed, and contains all that was answered before. */
export interface Runner extends RunnerCore {
  read<Row>(call: Call<Row>): Promise<readonly Row[]>;
  /** The same for a statement that gives one row, or none. */
  readOne<Row>(call: Call<Row>): Promise<Row | undefined>;
  /** Runs one statement in a transaction. @returns its first row */
  writeOne<Row>(call: Call<Row>): Promise<Row | undefined>;
}

export const createRunner = ({ readEach, write }: RunnerCore): Runner => ({
  readEach,
  write,
  read: async (one) => (await readEach([one]))[0] ?? [],
  readOne: async (one) => (await readEach([one]))[0]?.[0],
  writeOne: async (one) => (await write([one])).rowsOf(one)[0],
});

/** @param rows - what each statement gave, as far as they were run */
export const writtenOf = (calls: readonly Call[], rows: readonly (readonly unknown[])[], failed?: Call): Written => ({
  failed,
  rowsOf: <Row>(one: Call<Row>) => (rows[calls.indexOf(one)] ?? []) as readonly Row[],
});
