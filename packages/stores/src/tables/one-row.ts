// The statements over one row of a table: found, inserted and removed by its key, or found by what no two companies have.
import type { StoredRow } from '../statements/call.ts';
import type { Value } from '../statements/statement.ts';
import { anyStatement } from './row-lists.ts';

interface Parts {
  readonly name: string;
  /** Every column that a statement writes and reads. */
  readonly columns: readonly string[];
  /** What finds a row: its company is among them. */
  readonly keys: readonly string[];
  /** The column in which no two companies have the same value. */
  readonly unique: string | undefined;
}

/** Makes them, once for a table. */
export function oneRow({ name, columns, keys, unique }: Parts) {
  const inserting = (isOnce: boolean) =>
    anyStatement<StoredRow>()((db, given) => {
      const inserted = db
        .insertInto(name)
        .values(Object.fromEntries(columns.map((column) => [column, given[column] ?? null])))
        .returning(keys);
      return isOnce ? inserted.onConflict((conflict) => conflict.doNothing()) : inserted;
    });
  return {
    find: anyStatement<StoredRow>()((db, given) =>
      keys.reduce((rows, key) => rows.where(key, '=', given[key] ?? null), db.selectFrom(name).select(columns)),
    ),
    findUnique: anyStatement<{ readonly value: Value }>()((db, { value }) =>
      db
        .selectFrom(name)
        .select(columns)
        .where(unique ?? '', '=', value),
    ),
    insert: inserting(false),
    insertOnce: inserting(true),
    remove: anyStatement<StoredRow>()((db, given) =>
      keys.reduce((rows, key) => rows.where(key, '=', given[key] ?? null), db.deleteFrom(name)).returning(keys),
    ),
  };
}
