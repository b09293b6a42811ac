import type { Clock } from '@hilo/engine/contract';
import { createProcessGuard } from '@hilo/drivers/kit';
import type { SqliteLimits } from './database-credential.ts';
import { type SqliteProcess, startSqliteProcess } from './sqlite-process.ts';

/** Lends processes to calls: one at a time each, and the same file again soon after. */
export interface SqliteProcesses {
  /** A process for this file; `isNew` where it has not opened it yet. */
  borrow(path: string, readOnly: boolean): { readonly process: SqliteProcess; readonly isNew: boolean };
  /** Takes it back. One that still works is ended. */
  giveBack(process: SqliteProcess): void;
  /** Ends all of them, those at work too. */
  close(): void;
}

/** A process that has been idle for so long ends. */
const restMs = 10_000;

export function createSqliteProcesses(clock: Clock, limits: SqliteLimits): SqliteProcesses {
  const guard = createProcessGuard();
  const lent = new Map<SqliteProcess, string>();
  const resting = new Map<string, { readonly process: SqliteProcess; readonly timer: unknown }>();

  return {
    borrow(path, readOnly) {
      const key = JSON.stringify([path, readOnly]);
      const rested = resting.get(key);
      resting.delete(key);
      clock.clearTimeout(rested?.timer);
      const isNew = rested === undefined || !rested.process.isIdle();
      const process = isNew ? startSqliteProcess(path, { guard, clock, limits }) : rested.process;
      lent.set(process, key);
      return { process, isNew };
    },
    giveBack(process) {
      const key = lent.get(process);
      lent.delete(process);
      if (key === undefined || !process.isIdle() || resting.has(key)) return process.end();
      const rest = (): void => {
        if (resting.get(key)?.process === process) resting.delete(key);
        process.end();
      };
      resting.set(key, { process, timer: clock.setTimeout(rest, restMs) });
    },
    close() {
      for (const { process, timer } of resting.values()) {
        clock.clearTimeout(timer);
        process.end();
      }
      resting.clear();
      for (const process of lent.keys()) process.end();
      guard.close();
    },
  };
}
