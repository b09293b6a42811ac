/** Something to mend in a canvas. Errors refuse publishing, warnings do not. */
export interface Problem {
  /** From the table of problem codes. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly nodeId?: string;
  /** The place, as a JSON pointer (RFC 6901) into the canvas. */
  readonly pointer: string;
  /** All places of the same problem in one node, the first of them `pointer`; left out where there is one. */
  readonly places?: readonly string[];
  /** What is wrong. */
  readonly message: string;
  /** What to do. */
  readonly hint: string;
}

/** Steps into a canvas as a JSON pointer. */
export const pointer = (steps: readonly PropertyKey[]): string =>
  steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
