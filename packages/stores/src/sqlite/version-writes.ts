// Whether published versions were written: by the canvas store, or by others such as imports, deletions and moves of companies.
import { type Call, createRunner, type Runner } from '../statements/call.ts';
import type { SqliteRunner } from './runner.ts';

/** For a database without other writers: what was read of versions holds as long as none was written. */
export interface VersionWrites {
  /** Another number once a write of versions or gates has begun, and once it is over. */
  count(): number;
  /** Writes, and counts where versions or gates are among the calls. */
  writing<Outcome>(calls: readonly Call[], write: () => Promise<Outcome>): Promise<Outcome>;
  watch(runner: Runner): Runner;
}

/** @param sqlOf - a statement as the database accepts it */
export function watchVersions(sqlOf: SqliteRunner['sqlOf']): VersionWrites {
  let count = 0;
  const known = new WeakMap<Call['statement'], boolean>();
  const touches = ({ statement }: Call): boolean => {
    const found = known.get(statement) ?? writesVersions(sqlOf(statement));
    known.set(statement, found);
    return found;
  };
  const writing: VersionWrites['writing'] = (calls, write) => {
    if (!calls.some(touches)) return write();
    count += 1;
    return write().finally(() => (count += 1)); // also where the outcome is unknown (P2)
  };
  return {
    count: () => count,
    writing,
    watch: (runner) => createRunner({ readEach: runner.readEach, write: (calls) => writing(calls, () => runner.write(calls)) }),
  };
}

const writesVersions = (sql: string): boolean =>
  /\b(?:insert into|insert or \w+ into|update|delete from) "?(?:versions|gates)\b/i.test(sql);
