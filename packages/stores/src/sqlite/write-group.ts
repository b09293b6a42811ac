import type { Value } from '../statements/statement.ts';
import type { Connection } from './connection.ts';
import { sqliteReason } from './sqlite-reason.ts';

/** One statement of a write. */
export interface WriteStatement {
  readonly sql: string;
  readonly values: readonly Value[];
  /** The number of rows that it must return or, without `returning`, write; any when left out. */
  readonly rows?: number | undefined;
}

/** Statements that are written together or not at all. */
export type Write = readonly WriteStatement[];

/** What became of a write: the rows of each statement that was run, and which condition did not hold; or why it failed. */
export type WriteOutcome =
  | { readonly rows: readonly (readonly unknown[])[]; readonly failed: number | undefined }
  | { readonly error: unknown };

/**
 * Writes a group in one transaction. A write whose condition fails, or that throws, leaves nothing and does not affect the others.
 *
 * @returns the outcome of each, once durable
 */
export function writeGroup(connection: Connection, group: readonly Write[]): readonly WriteOutcome[] {
  const outcomes: WriteOutcome[] = [];
  while (outcomes.length < group.length) {
    try {
      outcomes.push(...writeSome(connection, group.slice(outcomes.length)));
    } catch (error) {
      // Earlier transactions are durable; nothing of this one was acknowledged.
      tryRollback(connection);
      while (outcomes.length < group.length) outcomes.push({ error });
    }
  }
  return outcomes;
}

/**
 * Writes as much of a group as one transaction can hold. A write that has changed something before it fails ends the transaction: those
 * before it are repeated without it, and those after it are left for the next.
 *
 * @returns the outcomes of the first writes, at least one
 */
function writeSome(connection: Connection, group: readonly Write[]): readonly WriteOutcome[] {
  const tried = writeUntilDirty(connection, group);
  const last = tried.at(-1);
  if (last === undefined || !last.isDirty) return commit(connection, tried);
  connection.run('rollback');
  if (tried.length === 1) return [last.outcome];
  const kept = writeUntilDirty(connection, group.slice(0, tried.length - 1));
  if (kept.some(({ isDirty }) => isDirty)) throw new Error('The same statements over the same rows came to something else');
  return [...commit(connection, kept), last.outcome];
}

interface Tried {
  readonly outcome: WriteOutcome;
  /** Whether it may have written something that must not stay. */
  readonly isDirty: boolean;
}

function commit(connection: Connection, tried: readonly Tried[]): readonly WriteOutcome[] {
  const isAnyKept = tried.some(({ outcome }) => 'rows' in outcome && outcome.failed === undefined);
  connection.run(isAnyKept ? 'commit' : 'rollback');
  return tried.map(({ outcome }) => outcome);
}

/** Begins a transaction, and writes into it up to the first that must not stay, and that one included. */
function writeUntilDirty(connection: Connection, group: readonly Write[]): readonly Tried[] {
  if (connection.isInTransaction) connection.run('rollback'); // a failure left it open: nothing of it was acknowledged
  connection.run('begin immediate');
  const tried: Tried[] = [];
  for (const write of group) {
    const one = tryOne(connection, write);
    tried.push(one);
    if (one.isDirty) break;
  }
  return tried;
}

/** @throws when the database itself fails: then nothing of the transaction stays */
function tryOne(connection: Connection, write: Write): Tried {
  const rows: (readonly unknown[])[] = [];
  try {
    for (const { sql, values, rows: wanted } of write) {
      const { rows: given, count } = connection.write(sql, values);
      rows.push(given);
      if (wanted !== undefined && count !== wanted)
        return { outcome: { rows, failed: rows.length - 1 }, isDirty: rows.length > 1 || count > 0 };
    }
    return { outcome: { rows, failed: undefined }, isDirty: false };
  } catch (error) {
    // A full disk may end the whole transaction: then the others of the group must not be reported as stored.
    if (sqliteReason(error) !== undefined || !connection.isInTransaction) throw error;
    return { outcome: { error }, isDirty: true };
  }
}

function tryRollback(connection: Connection): void {
  try {
    if (connection.isInTransaction) connection.run('rollback');
  } catch {
    // The next transaction tries again before anything else.
  }
}
