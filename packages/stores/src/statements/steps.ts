import type { Statement, Value } from './statement.ts';

/** A statement to run, with its values. */
export interface Asked {
  readonly statement: Statement<never, unknown>;
  readonly values: { readonly [name: string]: Value };
}

/**
 * What is done in one transaction, one statement after the other, whatever the database: it asks and goes on with the
 * rows. SQLite runs it through without a pause, PostgreSQL waits for each answer.
 */
export type Steps<Result> = Generator<Asked, Result, readonly unknown[]>;

/** Runs a statement. */
export function* ask<Given extends { readonly [name: string]: Value }, Row>(
  statement: Statement<Given, Row>,
  values: Given,
): Steps<readonly Row[]> {
  return (yield { statement, values }) as readonly Row[];
}

/** Runs a statement that gives one row, or none. */
export function* askOne<Given extends { readonly [name: string]: Value }, Row>(
  statement: Statement<Given, Row>,
  values: Given,
): Steps<Row | undefined> {
  const [row] = yield* ask(statement, values);
  return row;
}

/** Whoever runs steps. */
export interface Runner {
  /** Sees what is committed. */
  read<Result>(steps: () => Steps<Result>): Promise<Result>;
  /**
   * Runs in one transaction; resolves once it is durable.
   *
   * @param steps - may be run again from the beginning, when nothing of it was kept
   * @param keeps - whether what was written is kept with this result; else it is undone
   */
  write<Result>(steps: () => Steps<Result>, keeps?: (result: Result) => boolean): Promise<Result>;
}
