import { type Connection, connect } from '../../../packages/stores/src/sqlite/connection.ts';
import type { CrashPointName } from '../points.ts';
import type { Fuse } from './fuse.ts';

/** Statements by their beginning. */
const statements: readonly (readonly [RegExp, CrashPointName])[] = [
  [/^begin immediate/, 'sql.begin'],
  [/^commit/, 'sql.commit'],
  [/^insert into "seen"/, 'sql.seen'],
  [/^(insert into|update) "executions"/, 'sql.execution'],
  [/^insert into "histories"/, 'sql.history'],
  [/^insert into "(contacts|memories)"/, 'sql.contact'],
  [/^insert into "queue"/, 'sql.queue'],
  [/^delete from "queue"/, 'sql.dequeue'],
  [/^insert into "versions"/, 'sql.version'],
  [/^delete from "(executions|histories|seen)"/, 'sql.retention'],
  [/^pragma wal_checkpoint/, 'sql.checkpoint'],
  [/^(create |insert into "?meta|update meta|pragma application_id =)/i, 'sql.migration'],
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
        write: (sql, values) => fuse.aroundSync(pointsOf(sql, values), () => real.write(sql, values)),
        once: (sql) => fuse.aroundSync(pointsOf(sql, []), () => real.once(sql)),
        define: real.define,
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
  const given = givenColumns(sql, values);
  if (given.get('due_at_ms') !== null) points.push('sql.wait');
  if (sql.startsWith('insert') && given.get('parent_execution_id') !== null) points.push('sql.child');
  return points;
}

/** The values of a statement on executions by column, for columns with a single value. */
function givenColumns(sql: string, values: readonly (string | number | null)[]): ReadonlyMap<string, string | number | null> {
  const written = sql.startsWith('insert')
    ? sql.slice(0, sql.indexOf(' values '))
    : sql.slice(sql.indexOf(' set '), sql.indexOf('"reply_order"'));
  const names = [...written.matchAll(/[(,] ?"(\w+)"|"(\w+)" = /g)].map(([, inserted, updated]) => inserted ?? updated ?? '');
  return new Map(names.map((name, place) => [name, values[place] ?? null]));
}
