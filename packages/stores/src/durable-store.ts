import type { Clock, Commit, Committed, ExecutionStore } from '@hilo/engine/contract';
import type { DurableCanvases } from './canvas-store.ts';
import type { Call, Runner } from './statements/call.ts';

/** Both ports of the engine on one database, and what an operator needs to know about it. */
export interface DurableStore {
  readonly executions: ExecutionStore;
  readonly canvases: DurableCanvases;
  readonly durability: Durability;
  /** Runs statements over the tables of an `Extension`, as safely as the store's own. */
  readonly runner: Runner;
  /**
   * Commits like `executions.commit`, and writes `calls` in the same transaction: both or neither. A failed condition among them is a
   * `conflict`.
   */
  commitWith(commit: Commit, calls: readonly Call[]): Promise<Committed>;
  /**
   * The engine's clock. Where processes share the store it is the database's, carried forward between two readings, so
   * that their machines may disagree (P12); it never goes back. Else it is the system's own.
   */
  clock(system: Clock): Clock;
  /**
   * Takes no part in the lanes from now on where other processes serve them: calls are handed to those. Absent where no other may.
   *
   * @returns whether others serve them
   */
  visit?(): Promise<boolean>;
  /**
   * Writes the whole file anew, so that what was removed before can be read nowhere in it any more, nor in its log. A database file keeps the
   * bytes of removed rows in free pages, and in free places of others. Writes that come meanwhile wait. Absent where the database does it by
   * itself.
   *
   * @throws {HiloError} `STORE_UNAVAILABLE`, such as on a full disk: it takes as much room again as the file
   */
  rewrite?(): Promise<void>;
  /** Removes what need not be kept any longer, a little at a time: others are served in between. */
  prune(retention: Retention): Promise<Pruned>;
  /** Finishes earlier writes, then closes the database. */
  close(): Promise<void>;
}

/** What a commit survives, read back from the database after opening (P1). */
export interface Durability {
  readonly database: 'sqlite' | 'postgres';
  /** `power-loss` is the promise; anything less is a setting of the database. */
  readonly survives: 'power-loss' | 'process-death' | 'nothing';
  /** The database's own settings: `journal_mode`, `synchronous`, `synchronous_commit`. */
  readonly settings: { readonly [name: string]: string | number };
}

/** Whether other processes may be at work over the same store: a SQLite file is one process's. */
export const hasOthers = ({ durability }: { readonly durability: Pick<Durability, 'database'> }): boolean =>
  durability.database === 'postgres';

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
  /** Companies that keep all of their executions. */
  readonly exceptCompanies?: readonly string[];
}

/** How much was removed. */
export interface Pruned {
  readonly executions: number;
  /** Expired delivery ids. */
  readonly seen: number;
}
