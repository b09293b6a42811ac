import type { Statement, Steps, Value } from '@hilo/stores';

/** Runs a statement once for each of several values, all at a time. @returns the rows of each */
export function* askEach<Given extends { readonly [name: string]: Value }, Row>(
  statement: Statement<Given, Row>,
  all: readonly Given[],
): Steps<readonly (readonly Row[])[]> {
  return (all.length === 0 ? [] : yield all.map((values) => ({ statement, values }))) as readonly (readonly Row[])[];
}
