import { StoreUnavailable } from '../store-unavailable.ts';
import type { CommitNumbers } from './commit-number.ts';
import type { Connection } from './connection.ts';

/** How many writes share one transaction at most: more would keep everything else waiting. */
const largestGroup = 256;

/** Writes that arrive together are made durable together. */
export interface GroupCommit {
  /**
   * Writes in the next shared transaction; resolves after its commit.
   *
   * @param write - runs without a pause; what it wrote is undone when it throws, or when `keeps` says so
   */
  add<Result>(write: () => Result, keeps: (result: Result) => boolean): Promise<Result>;
  /** Commits what still waits, then takes nothing more. */
  close(): void;
}

interface Waiting {
  /** @returns what to call after the commit; nothing, when what it wrote is not to be kept */
  readonly performPlainly: () => (() => void) | undefined;
  /** Inside a savepoint of its own. */
  readonly performApart: () => Outcome;
  readonly reject: (error: unknown) => void;
}

/** What became of one write of a group. */
interface Outcome {
  readonly isKept: boolean;
  /** To be called after the commit. */
  readonly tell: () => void;
}

/**
 * One transaction, and one `fsync`, for all writes of one turn of the event loop. While a commit holds the process, the
 * next writes arrive, so that groups grow with the load and a lone write waits for nobody.
 */
export function createGroupCommit(connection: Connection, numbers: CommitNumbers): GroupCommit {
  const waiting: Waiting[] = [];
  let isClosed = false;
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      commitGroup();
      if (waiting.length > 0) schedule();
    });
  };

  const commitGroup = (): void => {
    const group = waiting.splice(0, largestGroup);
    try {
      undoLeftOver(connection);
      const outcomes = performAll(connection, group);
      const isAnyKept = outcomes.some(({ isKept }) => isKept);
      if (isAnyKept) numbers.next();
      connection.run('commit');
      if (isAnyKept) numbers.committed();
      for (const { tell } of outcomes) tell();
    } catch (error) {
      // All or nothing: what `perform` answered is never told.
      numbers.failed();
      attempt(() => undoLeftOver(connection));
      for (const { reject } of group) reject(error);
    }
  };

  return {
    add: (write, keeps) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(new StoreUnavailable('The store is closed'));
          return;
        }
        waiting.push({
          reject,
          performPlainly: () => {
            const result = write();
            return keeps(result) ? () => resolve(result) : undefined;
          },
          performApart: () => performApart(connection, write, keeps, resolve, reject),
        });
        schedule();
      }),
    close() {
      isClosed = true;
      while (waiting.length > 0) commitGroup();
    },
  };
}

/**
 * Performs a group in one open transaction. Nearly always all of it is kept, and then nothing is spent on keeping its
 * writes apart; else all of it is undone and performed again, each inside a savepoint.
 */
function performAll(connection: Connection, group: readonly Waiting[]): readonly Outcome[] {
  connection.run('begin immediate');
  const outcomes = performPlainly(group);
  if (outcomes !== undefined) return outcomes;
  undoLeftOver(connection);
  connection.run('begin immediate');
  return group.map(({ performApart }) => performApart());
}

/** @returns nothing when any of it is not to be kept */
function performPlainly(group: readonly Waiting[]): readonly Outcome[] | undefined {
  try {
    const outcomes: Outcome[] = [];
    for (const { performPlainly } of group) {
      const tell = performPlainly();
      if (tell === undefined) return undefined;
      outcomes.push({ isKept: true, tell });
    }
    return outcomes;
  } catch {
    return undefined; // the same happens again where it harms no other
  }
}

function performApart<Result>(
  connection: Connection,
  write: () => Result,
  keeps: (result: Result) => boolean,
  resolve: (result: Result) => void,
  reject: (error: unknown) => void,
): Outcome {
  connection.run('savepoint one');
  const undo = (): void => {
    connection.run('rollback to one');
    connection.run('release one');
  };
  try {
    const result = write();
    const isKept = keeps(result);
    if (isKept) connection.run('release one');
    else undo();
    return { isKept, tell: () => resolve(result) };
  } catch (error) {
    // A full disk may end the whole transaction: then the others of the group must not be told that they are kept.
    if (!connection.isInTransaction) throw error;
    undo();
    return { isKept: false, tell: () => reject(error) };
  }
}

/** Ends a transaction that a failure left open: nothing of it was promised to anybody. */
export function undoLeftOver(connection: Connection): void {
  if (connection.isInTransaction) connection.run('rollback');
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // The next call tries again before anything else.
  }
}
