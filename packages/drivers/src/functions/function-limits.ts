import { limits } from '@hilo/engine/contract';

/** Every bound of a deployed function, in one table (P13, P20). */
export const functionLimits = {
  /** A call without its own time limit. */
  callMs: 60_000,
  /** From the start of the process until the module is loaded. */
  startMs: 30_000,
  /** How long calls of a process that was replaced may still take. */
  drainMs: 10_000,
  /** A process that has been idle for so long ends; the next call starts another. */
  restMs: 5 * 60_000,
  /** What JavaScript may allocate; over it, the process ends. */
  heapMb: 64,
  /** The same with memory outside of the heap, such as buffers; sampled at `lookMs`, except while the process is idle. */
  residentMb: 256,
  lookMs: 200,
  /** What an idle process may keep of that: above it the process ends, and the next call starts another. */
  restingMb: 128,
  /** CPU time of calls before their process gets a lower priority than others. */
  foregroundMs: 2_000,
  /** Concurrent calls of one function. */
  calls: 50,
  /** Functions with a process at once; idle ones make room. */
  processes: 32,
  /** One company's share of these, however few are left (P23). */
  share: 0.25,
  /** Calls that one function makes at once; further ones wait in its process. */
  fetches: 10,
  /** What such a call may send, and what it may bring back. */
  fetchBytes: 1_000_000,
  /** One line of a process: 1 MB in base64, with its wrapping. */
  lineBytes: 1_500_000,
  /** The levels and keys of a body, with its wrapping; a workflow stores fewer, and reports that itself. */
  answerDepth: limits.depth + 16,
  answerKeys: limits.keys + 1_000,
  /** Values in a result, including lists and objects: building as many as fit into 1.2 MB would block others (P20). */
  answerParts: 200_000,
  /** What a function may write to the log, for each call: what it prints, and calls of its `fetch` that are refused. */
  logLines: 100,
  logLineChars: 1_000,
  /** After a start that failed; doubled for each that follows. */
  firstPauseMs: 500,
  longestPauseMs: 30_000,
} as const;

export type FunctionLimits = { readonly [Name in keyof typeof functionLimits]: number };
