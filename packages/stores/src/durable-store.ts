import type { Clock, Commit, Committed, ExecutionStore } from '@hilo/engine/contract';
import type { DurableCanvases } from './canvas-store.ts';
import type { Call, Runner } from './statements/call.ts';

/** Both ports of the engine over one database, and what an operator needs to know of it. */
export interface DurableStore {
  readonly executions: ExecutionStore;
  readonly canvases: DurableCanvases;
  readonly durability: Durability;
  /** Runs statements over the tables of an `Extension`, as safely as the store's own. */
  readonly runner: Runner;
  /**
   * Commits as `executions.commit` does, and writes `calls` in the same transaction: both are written, or neither. A condition
   * among them that does not hold is a `conflict`.
   */
  commitWith(commit: Commit, calls: readonly Call[]): Promise<Committed>;
  /**
   * The engine's clock. Where processes share the store it is the database's, carried forward between two looks at it, so
   * that their machines may disagree (P12); it never goes back. Else it is the system's own.
   */
  clock(system: Clock): Clock;
  /** Removes what need not be kept any longer, a little at a time: others are served in between. */
  prune(retention: Retention): Promise<Pruned>;
  /** Writes what was asked for before, then closes the database. */
  close(): Promise<void>;
}

/** What a commit survives, read back from the database after it was opened (P1). */
export interface Durability {
  readonly database: 'sqlite' | 'postgres';
  /** `power-loss` is the promise; anything less is a setting of the database. */
  readonly survives: 'power-loss' | 'process-death' | 'nothing';
  /** Settings in the database's own words: `journal_mode`, `synchronous`, `synchronous_commit`. */
  readonly settings: { readonly [name: string]: string | number };
}

/** How long what has ended is kept. Executions that run, wait or are in quarantine stay, however old. */
export interface Retention {
  /** The present, in milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** For executions that completed, were cancelled or expired, since their last advance. */
  readonly completedForMs: number;
  /** For executions that failed. */
  readonly failedForMs: number;
  /** Removes no execution that was not exported; any, when left out. */
  readonly onlyExported?: boolean;
}

/** How much was removed. */
export interface Pruned {
  readonly executions: number;
  /** Delivery ids whose time was over. */
  readonly seen: number;
}
