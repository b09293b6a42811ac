// The commands of every contestant of the durable parts: see `hilo-process.ts`, `dbos-process.mjs` and `restate-process.mjs`. Each
// reports that it is up, and then runs commands.

/** The message of a process that is up. */
export interface Started {
  /** From the moment in which it began to open what it keeps, its own modules loaded. */
  readonly startMs: number;
  readonly residentBytes: number;
}

/** Start a number of executions, numbered from `first`, or resume these, with a number of callers. */
export type Work = { readonly callers: number } & (
  | { readonly do: 'start'; readonly first: number; readonly count: number }
  | { readonly do: 'resume'; readonly ids: readonly string[] }
);

/** The result. A start counts when it is durably accepted; a resume when the execution has durably ended. */
export interface Worked {
  readonly allMs: number;
  readonly latenciesMs: readonly number[];
  /** The longest collection of V8's old generation meanwhile, in milliseconds; what marked before it is not counted. */
  readonly collectionMs?: number;
  /** How many of the calls were forwarded to the process that has their lane; none, where there is one process. */
  readonly forwarded?: number;
  /** Latencies of the starts, in the order of the numbers; empty for a resume. */
  readonly ids: readonly string[];
}
