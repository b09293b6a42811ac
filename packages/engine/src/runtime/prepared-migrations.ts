import type { LaneReads } from '../lane/step.ts';
import { type PreparedMigration, prepareMigration } from '../machine/migrate.ts';

/** Compares the contents of a migration once for all the executions that it is for. */
export interface PreparedMigrations {
  prepare: LaneReads['prepare'];
}

/** As many are kept as operators work on at once. */
const capacity = 16;

export function createPreparedMigrations(): PreparedMigrations {
  const kept = new Map<string, PreparedMigration>();
  return {
    prepare(migration, before, after) {
      const key = JSON.stringify([before.hash, after.hash, migration]);
      const known = kept.get(key);
      // The same content is compiled again once the library has forgotten it.
      if (known?.before === before && known.after === after) return known;
      const prepared = prepareMigration(migration, before, after);
      kept.delete(key);
      kept.set(key, prepared);
      const [oldest] = kept.keys();
      if (kept.size > capacity && oldest !== undefined) kept.delete(oldest);
      return prepared;
    },
  };
}
