/** The side of a crash point on which a process dies. */
export type Side = 'before' | 'after';
export const sides: readonly Side[] = ['before', 'after'];

/** A place where a process is killed. */
export interface CrashPoint {
  readonly name: string;
  /** The promises at stake. */
  readonly promises: string;
  /** How often it may be passed before it kills: as often as a process surely reaches it, and once more. */
  readonly maxSkipped: number;
}

const point = <const Name extends string>(name: Name, promises: string, maxSkipped: number) => ({
  name,
  promises,
  maxSkipped,
});

/**
 * Where a process can die that has no HTTP server and the store for itself. Those of a server are in `packages/server/test/crash`, those of
 * several processes over one PostgreSQL in `tests/durability/lease-deaths.campaign.test.ts`.
 */
export const crashPoints = [
  // The store's port: before a commit is requested, and once it is known to be durable.
  point('start.commit', 'P1 P2', 3),
  point('message.commit', 'P1 P10', 3),
  point('turn.commit', 'P3 P9', 4),
  point('reply.commit', 'P7 P9', 1),
  point('resume.commit', 'P2 P7', 1),
  point('intent.commit', 'P3 P4 P9', 8),
  point('call.commit', 'P3 P4', 6),
  point('send.commit', 'P4 P9', 6),
  point('wait.commit', 'P11', 6),
  point('timer.commit', 'P11', 4),
  point('child.commit', 'P18', 3),
  point('child-end.commit', 'P18', 2),
  point('parent.commit', 'P18', 2),
  point('cancel.commit', 'P18', 0),
  // The commit of a late writer over an execution that is kept, once its own was acknowledged: it is refused, and what is kept is dropped.
  point('late.commit', 'P3 P8', 4),
  point('draft', 'P14 P15', 1),
  point('publish', 'P14 P15', 1),
  point('recovery', 'P1 P3', 0),
  point('timers.claimed', 'P11', 3),
  point('retention', 'P1', 0),

  // The clock: a timer's callback.
  point('timer.ring', 'P11', 3),

  // The drivers: before the first byte, with half of the bytes written; with all of them written, with the peer's answer unread.
  point('call.bytes', 'P3 P4 P5', 5),
  point('call.done', 'P3 P4 P5', 5),
  point('send.bytes', 'P4 P9', 4),
  point('send.done', 'P4 P9', 4),

  // The answer to a caller: before it is written, and after.
  point('answer', 'P1 P2 P7', 8),

  // A group of commits: handed to the writer thread; durable and unreported.
  point('group.handed-over', 'P1 P2 P3', 20),
  point('group.committed', 'P1 P2 P7', 20),

  // Single statements of SQLite.
  point('sql.begin', 'P1', 12),
  point('sql.seen', 'P1 P10', 6),
  point('sql.execution', 'P3 P8', 12),
  point('sql.wait', 'P11', 6),
  point('sql.child', 'P18', 3),
  point('sql.history', 'P3 P19', 12),
  point('sql.contact', 'P1 P3', 3),
  point('sql.queue', 'P1 P18', 6),
  point('sql.dequeue', 'P3 P9', 5),
  point('sql.commit', 'P1 P3', 20),
  point('sql.version', 'P14 P15', 1),
  point('sql.retention', 'P1', 2),
  point('sql.checkpoint', 'P1 P26', 0),
  point('sql.migration', 'P36', 27),
] as const satisfies readonly CrashPoint[];

export type CrashPointName = (typeof crashPoints)[number]['name'];

/** One death: where, and how often the place is passed before. */
export interface Kill {
  readonly point: CrashPointName;
  readonly side: Side;
  readonly skipped: number;
}

export const killName = ({ point, side, skipped }: Kill): string => `${side} ${point}, passed ${skipped} times`;
