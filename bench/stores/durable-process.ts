// What a contestant of the durable parts can be told, whatever it is made of: see `hilo-process.ts`, `dbos-process.mjs` and
// `restate-process.mjs`. Each says that it is up, and then does what it is told.

/** What the process says when it is up. */
export interface Started {
  /** From the moment in which it began to open what it keeps, its own modules loaded. */
  readonly startMs: number;
  readonly residentBytes: number;
}

/** Start so many executions, numbered from `first`, or resume these, so many callers at a time. */
export type Work = { readonly callers: number } & (
  | { readonly do: 'start'; readonly first: number; readonly count: number }
  | { readonly do: 'resume'; readonly ids: readonly string[] }
);

/** What came of it. A start counts when it is durably accepted; a resume when the execution has durably ended. */
export interface Worked {
  readonly allMs: number;
  readonly latenciesMs: readonly number[];
  /** Of what was started, in the order of the numbers; empty for a resume. */
  readonly ids: readonly string[];
}
