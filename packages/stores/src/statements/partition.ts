import { PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';

// Where processes share a database, each row of a lane has the lane's partition, and every key begins with it: so tables can be divided
// among servers by it. A database of one process has no such column.

/** A value or an expression. */
type Text = RawBuilder<string> | string;

/** SQL for the partition of a text: the same number as `partitionOf`. */
export const partitionSql = (text: string): string => `get_byte(decode(md5(${text}), 'hex'), 0)`;

const [before = '', after = ''] = partitionSql('|').split('|');

/** The same, of a value or an expression. */
export const partition = (text: Text): RawBuilder<number> => sql`${sql.raw(before)}cast(${text} as text)${sql.raw(after)}`;

/** The text by which a contact has a partition: the user's lane, unless an id is long. */
export const userText = (companyId: Text, botId: Text, userKey: Text): RawBuilder<string> =>
  sql`cast(${companyId} as text) || '/user/' || cast(${botId} as text) || '/' || cast(${userKey} as text)`;

/** Whether processes may share the database. */
export const hasPartitions = (db: Pick<Database, 'getExecutor'>): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/** The column of the partition, where there is one. */
export const partColumn = (db: Database): readonly 'part'[] => (hasPartitions(db) ? ['part'] : []);

/** The partition of a lane or of another text, as a value of a row. */
export const partOf = (db: Database, text: Text): { readonly part?: RawBuilder<number> } =>
  hasPartitions(db) ? { part: partition(text) } : {};

/** Whether a row is in the partition of a text. */
export const isInPart = (db: Database, text: Text, column = 'part'): RawBuilder<boolean> =>
  hasPartitions(db) ? sql`${sql.ref(column)} = ${partition(text)}` : sql`true`;

/** Whether rows of two tables are in one partition. */
export const isSamePart = (db: Database, one: string, other: string): RawBuilder<boolean> =>
  hasPartitions(db) ? sql`${sql.ref(`${one}.part`)} = ${sql.ref(`${other}.part`)}` : sql`true`;
