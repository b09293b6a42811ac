/** What the databases call by different names, in statements that make tables. */
export interface DdlDialect {
  /** Whether several processes may share the database. */
  readonly isShared: boolean;
  /** 64 bits. */
  readonly integer: string;
  /** A primary key that grows by itself. */
  readonly growing: string;
  /** The same, when no number may be given again though its row is gone. */
  readonly neverAgain: string;
  /** Stands behind a table that is mostly found by its primary key. */
  readonly byKey: string;
  /** Statements after which a column of texts is compared byte by byte, in the same order on every machine. */
  readonly bytewise: (table: string, column: string) => readonly string[];
  /**
   * Statements after which another statement runs with each row of a table that is inserted, updated or deleted, in the same
   * transaction. It knows the row as `new`, as `old`, or both.
   *
   * @param when - only with rows of which this holds
   */
  readonly afterEach: (event: 'insert' | 'update' | 'delete', table: string, statement: string, when?: string) => readonly string[];
}

export const sqliteDialect: DdlDialect = {
  isShared: false,
  integer: 'integer',
  growing: 'integer primary key',
  neverAgain: 'integer primary key autoincrement',
  byKey: 'strict, without rowid',
  bytewise: () => [],
  afterEach: (event, table, statement, when) => [
    `create trigger ${table}_after_${event} after ${event} on ${table} for each row ${condition(when)} begin ${statement}; end`,
  ],
};

export const postgresDialect: DdlDialect = {
  isShared: true,
  integer: 'bigint',
  growing: 'bigint generated always as identity primary key',
  neverAgain: 'bigint generated always as identity primary key',
  byKey: '',
  bytewise: (table, column) => [`alter table ${table} alter column ${column} type text collate "C"`],
  // A function sees the tables of the schema it was made in, whatever the session's own search path is.
  afterEach: (event, table, statement, when) => [
    `create function ${table}_after_${event}() returns trigger language plpgsql set search_path from current as
      $$ begin ${statement}; return null; end $$`,
    `create trigger ${table}_after_${event} after ${event} on ${table}
      for each row ${condition(when)} execute function ${table}_after_${event}()`,
  ],
};

const condition = (when: string | undefined): string => (when === undefined ? '' : `when (${when})`);
