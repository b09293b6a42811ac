import type { Statement, Value } from './statement.ts';

/** A statement to run, with its values. */
export interface Asked {
  readonly statement: Statement<never, unknown>;
  readonly values: { readonly [name: string]: Value };
}

/**
 * What is done in one transaction, whatever the database: it asks, a few statements at a time, and goes on with the rows of
 * each. SQLite runs it through without a pause, PostgreSQL is asked once for all statements of a time.
 */
export type Steps<Result> = Generator<readonly Asked[], Result, readonly (readonly unknown[])[]>;

/** Runs a statement. */
export function* ask<Given extends { readonly [name: string]: Value }, Row>(
  statement: Statement<Given, Row>,
  values: Given,
): Steps<readonly Row[]> {
  const [rows = []] = yield [{ statement, values }];
  return rows as readonly Row[];
}

/** Runs a statement that gives one row, or none. */
export function* askOne<Given extends { readonly [name: string]: Value }, Row>(
  statement: Statement<Given, Row>,
  values: Given,
): Steps<Row | undefined> {
  const [row] = yield* ask(statement, values);
  return row;
}

/** Runs a statement once for each of several values, in their order. @returns the rows of each */
export function* askEach<Given extends { readonly [name: string]: Value }, Row>(
  statement: Statement<Given, Row>,
  all: readonly Given[],
): Steps<readonly (readonly Row[])[]> {
  return (all.length === 0 ? [] : yield all.map((values) => ({ statement, values }))) as readonly (readonly Row[])[];
}

/**
 * Does several things at a time: what they all ask is asked at once, in the order in which they are given.
 *
 * @returns what each came to
 */
export function* sideBySide<Results extends readonly unknown[]>(
  ...all: { readonly [Index in keyof Results]: Steps<Results[Index]> }
): Steps<Results> {
  const results: unknown[] = [];
  let open = all.map((steps, index) => ({ index, steps, step: steps.next([]) }));
  for (;;) {
    const asking: Asking[] = [];
    for (const { index, steps, step } of open) {
      if (step.done === true) results[index] = step.value;
      else asking.push({ index, steps, asked: step.value });
    }
    if (asking.length === 0) return results as unknown as Results;
    const answers = yield asking.flatMap(({ asked }) => asked);
    let from = 0;
    open = asking.map(({ index, steps, asked }) => {
      const mine = answers.slice(from, (from += asked.length));
      return { index, steps, step: steps.next(mine) };
    });
  }
}

interface Asking {
  readonly index: number;
  readonly steps: Steps<unknown>;
  readonly asked: readonly Asked[];
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
