import type { DdlDialect } from './ddl-dialect.ts';

/** Statements that carry tables from one schema to the next. */
export type Migration = (dialect: DdlDialect) => readonly string[];

/**
 * Tables of another package in the same database, so that their rows can be written with the store's own in one transaction.
 *
 * @example
 * const tags: Extension = {
 *   name: 'tags',
 *   migrations: [({ integer }) => [`create table tags (id text not null primary key, made_at_ms ${integer} not null)`]],
 * };
 */
export interface Extension {
  /** 1 to 40 lower-case letters. Its tables must not be named like the store's. */
  readonly name: string;
  /** The number of the first migration; 1, when left out. A store with a lower number is refused (`STORE_OLDER`). */
  readonly firstSchema?: number;
  /** Append-only: each has the number after the one before it, and is applied with its number, or not at all. */
  readonly migrations: readonly Migration[];
}
