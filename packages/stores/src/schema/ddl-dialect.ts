/**
 * What the databases call by different names, in statements that make tables. Those are SQL, without Kysely's schema builder and migrator:
 * most of them need what it only takes as text (strict tables, collations, generated columns, triggers), and a migration is one
 * transaction with the number that says so.
 */
export interface DdlDialect {
  /** Whether several processes may share the database. */
  readonly isShared: boolean;
  /** Statements for a database that processes share, and for no other. */
  readonly whereShared: (...statements: readonly string[]) => readonly string[];
  /** Statements for a database that one process has to itself, and for no other. */
  readonly whereOwn: (...statements: readonly string[]) => readonly string[];
  /** 64 bits. */
  readonly integer: string;
  /** A primary key that grows by itself. */
  readonly growing: string;
  /** The same, when numbers of removed rows must not be reused. */
  readonly neverAgain: string;
  /** Appended to a table that is mostly found by its primary key. */
  readonly byKey: string;
  /** Statements after which a column of texts is compared byte by byte, in the same order on every machine. */
  readonly bytewise: (table: string, column: string) => readonly string[];
  /**
   * A trigger: runs a statement for each row of a table that is inserted, updated or deleted, in the same transaction. The statement may
   * use `new`, `old`, or both.
   *
   * @param when - a condition on the row
   */
  readonly afterEach: (event: 'insert' | 'update' | 'delete', table: string, statement: string, when?: string) => readonly string[];
}

export const sqliteDialect: DdlDialect = {
  isShared: false,
  whereShared: () => [],
  whereOwn: (...statements) => statements,
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
  whereShared: (...statements) => statements,
  whereOwn: () => [],
  integer: 'bigint',
  growing: 'bigint generated always as identity primary key',
  neverAgain: 'bigint generated always as identity primary key',
  byKey: '',
  bytewise: (table, column) => [`alter table ${table} alter column ${column} type text collate "C"`],
  // A function uses the tables of the schema in which it was created, whatever the session's search path is.
  afterEach: (event, table, statement, when) => [
    `create function ${table}_after_${event}() returns trigger language plpgsql set search_path from current as
      $$ begin ${statement}; return null; end $$`,
    `create trigger ${table}_after_${event} after ${event} on ${table}
      for each row ${condition(when)} execute function ${table}_after_${event}()`,
  ],
};

const condition = (when: string | undefined): string => (when === undefined ? '' : `when (${when})`);
