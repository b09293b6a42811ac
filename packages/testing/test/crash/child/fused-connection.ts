import { type Connection, connect } from '../../../../stores/src/sqlite/connection.ts';
import type { CrashPointName } from '../points.ts';
import type { Fuse } from './fuse.ts';

/** Statements by their beginning. */
const statements: readonly (readonly [RegExp, CrashPointName])[] = [
  [/^begin immediate/, 'sql.begin'],
  [/^commit/, 'sql.commit'],
  [/^pragma user_version =/, 'sql.number'],
  [/^insert into "seen"/, 'sql.seen'],
  [/^(insert into|update) "executions"/, 'sql.execution'],
  [/^insert into "histories"/, 'sql.history'],
  [/^insert into "(contacts|memories)"/, 'sql.contact'],
  [/^insert into "queue"/, 'sql.queue'],
  [/^delete from "queue"/, 'sql.dequeue'],
  [/^insert into "versions"/, 'sql.version'],
  [/^delete from "(executions|histories|seen)"/, 'sql.retention'],
  [/^pragma wal_checkpoint/, 'sql.checkpoint'],
  [/^(create |insert into meta|update meta|pragma application_id =)/, 'sql.migration'],
];

/** SQLite connections that come by a crash point with every statement. */
export interface FusedConnection {
  readonly connect: (path: string) => Connection;
  /** Carries the log over into the database. */
  checkpoint(): void;
}

export function fusedConnection(fuse: Fuse): FusedConnection {
  let connection: Connection | undefined;
  return {
    connect(path) {
      const real = connect(path);
      const fused: Connection = {
        run: (sql, values = []) => fuse.aroundSync(pointsOf(sql, values), () => real.run(sql, values)),
        once: (sql) => fuse.aroundSync(pointsOf(sql, []), () => real.once(sql)),
        get isInTransaction() {
          return real.isInTransaction;
        },
        close: () => real.close(),
      };
      connection = fused;
      return fused;
    },
    checkpoint: () => void connection?.run('pragma wal_checkpoint(truncate)'),
  };
}

function pointsOf(sql: string, values: readonly (string | number | null)[]): readonly CrashPointName[] {
  const points = statements.flatMap(([beginning, name]) => (beginning.test(sql) ? [name] : []));
  if (!points.includes('sql.execution')) return points;
  const state = values.find((value) => typeof value === 'string' && value.startsWith('{'));
  const { wait, depth } = JSON.parse(String(state)) as { readonly wait?: { readonly dueAtMs: number | null }; readonly depth: number };
  if (typeof wait?.dueAtMs === 'number') points.push('sql.wait');
  if (depth > 0 && sql.startsWith('insert')) points.push('sql.child');
  return points;
}
