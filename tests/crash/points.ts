/** The side of a crash point on which a process dies. */
export type Side = 'before' | 'after';
export const sides: readonly Side[] = ['before', 'after'];

/** A place where a process is killed (RELIABILITY 2.2). */
export interface CrashPoint {
  readonly name: string;
  /** The rows of the table in RELIABILITY 2.2 that it covers; none for what the table does not list. */
  readonly rows: readonly number[];
  /** The promises at stake. */
  readonly promises: string;
  /** How often it may be passed before it kills: as often as a life surely reaches it, and once more. */
  readonly mostSkipped: number;
}

const point = <const Name extends string>(name: Name, rows: readonly number[], promises: string, mostSkipped: number) => ({
  name,
  rows,
  promises,
  mostSkipped,
});

/**
 * Where a process can die that has no HTTP server and the store for itself. Rows 1, 2, 5 and 22 of the table are the
 * server's: `packages/server/test/crash`. Rows 6 and 13 need several processes over one PostgreSQL:
 * `tests/durability/lease-deaths.test.ts`.
 */
export const crashPoints = [
  // The store's port: before a commit is requested, and once it is known to be durable.
  point('start.commit', [4], 'P1 P2', 3),
  point('message.commit', [4], 'P1 P10', 3),
  point('turn.commit', [11], 'P3 P9', 4),
  point('reply.commit', [14, 15], 'P7 P9', 1),
  point('resume.commit', [14, 15], 'P2 P7', 1),
  point('intent.commit', [7, 19], 'P3 P4 P9', 8),
  point('call.commit', [10, 11], 'P3 P4', 6),
  point('send.commit', [20], 'P4 P9', 6),
  point('wait.commit', [12], 'P11', 6),
  point('timer.commit', [16], 'P11', 4),
  point('child.commit', [17], 'P18', 3),
  point('child-end.commit', [18], 'P18', 2),
  point('parent.commit', [18], 'P18', 2),
  point('cancel.commit', [], 'P18', 0),
  point('draft', [21], 'P14 P15', 1),
  point('publish', [21], 'P14 P15', 1),
  point('recovery', [11, 19], 'P1 P3', 0),
  point('timers.claimed', [16], 'P11', 3),
  point('retention', [24], 'P1', 0),

  // The clock: a timer's callback.
  point('timer.ring', [16], 'P11', 3),

  // The drivers: before the first byte, with half of the bytes written; with all of them written, with the peer's answer unread.
  point('call.bytes', [8], 'P3 P4 P5', 5),
  point('call.done', [9], 'P3 P4 P5', 5),
  point('send.bytes', [19], 'P4 P9', 4),
  point('send.done', [20], 'P4 P9', 4),

  // The answer to a caller: before it is written, and after.
  point('answer', [4, 15], 'P1 P2 P7', 8),

  // A group of commits: handed to the writer thread; durable and unreported.
  point('group.handed-over', [3, 11], 'P1 P2 P3', 20),
  point('group.committed', [4, 11, 15], 'P1 P2 P7', 20),

  // Single statements of SQLite.
  point('sql.begin', [3], 'P1', 12),
  point('sql.seen', [3], 'P1 P10', 6),
  point('sql.execution', [3, 10], 'P3 P8', 12),
  point('sql.wait', [12], 'P11', 6),
  point('sql.child', [17], 'P18', 3),
  point('sql.history', [3, 10], 'P3 P19', 12),
  point('sql.contact', [3], 'P1 P3', 3),
  point('sql.queue', [3, 18], 'P1 P18', 6),
  point('sql.dequeue', [10, 18], 'P3 P9', 5),
  point('sql.commit', [4, 11], 'P1 P3', 20),
  point('sql.version', [21], 'P14 P15', 1),
  point('sql.retention', [24], 'P1', 2),
  point('sql.checkpoint', [24], 'P1 P26', 0),
  point('sql.migration', [23], 'P36', 27),
] as const satisfies readonly CrashPoint[];

export type CrashPointName = (typeof crashPoints)[number]['name'];

/** One death: where, and how often the place is passed before. */
export interface Kill {
  readonly point: CrashPointName;
  readonly side: Side;
  readonly skipped: number;
}

export const killName = ({ point, side, skipped }: Kill): string => `${side} ${point}, passed ${skipped} times`;
