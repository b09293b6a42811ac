import { availableParallelism } from 'node:os';
import { limits } from '@hilo/engine/contract';

/** Every bound of running the code of canvases, in one table (P13, P20, P22, P23). */
export const codeLimits = {
  /** From the start of a process until it can run code. */
  startMs: 30_000,
  /** How long a run waits for its first turn; the node waits for as much, and for the start of a process. */
  waitMs: 30_000,
  /** How long a run goes on beyond twice its time while the machine gives it less of a processor than that. */
  busyMs: 20_000,
  /** How long a company runs on while others wait; halved for each of its last runs that did not end in time. */
  turnMs: 500,
  shortestTurnMs: 60,
  /** Waiting runs of one company. */
  waiting: 100,
  /** Runs at once, each of another company: one processor stays free for the host. */
  atOnce: Math.max(1, Math.min(availableParallelism() - 1, 4)),
  /** Companies that have a process at once. */
  processes: 8,
  /** A process that has not run anything for so long ends. */
  restMs: 60_000,
  /** The heap of the process around the sandbox; the sandbox has its own limit. */
  heapMb: 64,
  /** One line from the process: a result as a text within JSON, where every byte may be escaped. */
  lineBytes: 7 * limits.valueBytes,
} as const;

/** How much time, memory and output the code of a node may take. */
export type CodeLimits = { readonly [Name in keyof typeof codeLimits]: number };
