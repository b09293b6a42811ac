/** What the databases call by different names. */
export interface Words {
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
}

export const sqliteWords: Words = {
  integer: 'integer',
  growing: 'integer primary key',
  neverAgain: 'integer primary key autoincrement',
  byKey: 'strict, without rowid',
  bytewise: () => [],
};

export const postgresWords: Words = {
  integer: 'bigint',
  growing: 'bigint generated always as identity primary key',
  neverAgain: 'bigint generated always as identity primary key',
  byKey: '',
  bytewise: (table, column) => [`alter table ${table} alter column ${column} type text collate "C"`],
};
