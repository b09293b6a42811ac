// The schema of a store, from its first form to the present one.
import { StoreError } from '../store-error.ts';
import type { DdlDialect } from './ddl-dialect.ts';
import { fewerPages } from './fewer-pages.ts';
import { gates } from './gates.ts';
import { heldSignals } from './held-signals.ts';
import { people } from './people.ts';
import { partitionKeys } from './partition-keys.ts';
import { rowFormat } from './row-format.ts';
import { tables } from './tables.ts';
import { timersByCompany } from './timers-by-company.ts';

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
  /**
   * SQL that selects the companies whose executions nothing may change now: their due times are passed over until they are no longer
   * selected.
   *
   * @param table - the name of a table as SQL has it, with its schema where there is one
   */
  readonly selectPaused?: (table: (name: string) => string) => string;
}

/** The SQL by which extensions select companies whose executions nothing may change. */
export const listPaused = (extensions: readonly Extension[], table: (name: string) => string): readonly string[] =>
  extensions.flatMap(({ selectPaused }) => (selectPaused === undefined ? [] : [selectPaused(table)]));

/** The number of the first schema that this release opens: what an earlier build wrote is refused. */
export const firstSchema = 10;

/**
 * Migrations from one schema to the next, the first to {@link firstSchema}. Append-only: a release opens stores of earlier releases
 * (P36), and refuses those of later ones.
 */
export const migrations: readonly Migration[] = [tables, partitionKeys, heldSignals, fewerPages, rowFormat, gates, people, timersByCompany];

/** A pending migration, and the entry of `meta` after it. */
interface PendingMigration {
  readonly migration: Migration;
  readonly name: string;
  readonly value: string;
}

/**
 * The migrations that bring a store, and the tables of extensions in it, to the schemas of this release: the store's own first.
 *
 * @param meta - the store's metadata; empty when it is new
 * @throws {StoreError} `STORE_NEWER` when a later release migrated any of its tables, `STORE_OLDER` when a build from before the first
 *   supported schema did
 */
export function pendingMigrations(
  extensions: readonly Extension[],
  meta: ReadonlyMap<string, string>,
  place: string,
): readonly PendingMigration[] {
  const others = extensions.map(({ name, migrations, firstSchema: first = 1 }) => ({
    name: numberName(name),
    of: `${place}, tables of "${name}",`,
    migrations,
    first,
  }));
  return [{ name: 'schema', of: place, migrations, first: firstSchema }, ...others].flatMap(({ name, of, migrations, first }) => {
    const schema = Number(meta.get(name) ?? 0);
    const last = first + migrations.length - 1;
    if (schema > last) throw new StoreError('STORE_NEWER', { place: of, schema, known: last });
    if (schema > 0 && schema < first) throw new StoreError('STORE_OLDER', { place: of, schema, first });
    const made = schema === 0 ? 0 : schema - first + 1;
    return migrations.slice(made).map((migration, index) => ({ migration, name, value: String(first + made + index) }));
  });
}

function numberName(name: string): string {
  if (!/^[a-z]{1,40}$/.test(name)) throw new RangeError(`"${name}" is no name of an extension: 1 to 40 lower-case letters`);
  return `schema.${name}`;
}
