// A new database is what its migrations would have made, one after the other.
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Extension, openSqliteStore } from '../src/index.ts';
import { sqliteDialect } from '../src/schema/ddl-dialect.ts';
import { pendingMigrations } from '../src/schema/migrations.ts';
import { withDirectory } from './temporary-directory.ts';

/** Each thing that statements of a migration may leave behind, or take away again. */
const visits: Extension = {
  name: 'visits',
  migrations: [
    ({ growing, neverAgain, integer, byKey }) => [
      `create table visits (id ${neverAgain}, place text not null, seen ${integer} not null default 1) strict`,
      `create table totals (place text not null primary key, visits ${integer} not null) ${byKey}`,
      `create table scrap (id ${growing})`,
    ],
    ({ afterEach }) => [
      'create index visits_by_place on visits (place) where seen > 0',
      "insert into totals (place, visits) values ('Lima', 1)",
      "insert into visits (id, place) values (41, 'Lima'), (7, 'Quito')",
      "delete from visits where place = 'Lima'",
      ...afterEach('insert', 'visits', 'update totals set visits = visits + 1 where place = new.place'),
      "insert into visits (place) values ('Lima')",
      'drop table scrap',
    ],
    () => [
      'alter table visits add column note text',
      'alter table visits rename column seen to counted',
      'drop index visits_by_place',
      'create view cities as select distinct place from visits',
    ],
  ],
};

const other: Extension = { name: 'other', migrations: [() => ["create table other (name text); insert into other values ('it''s')"]] };

/** Definitions in their order, and all rows, those of SQLite's own tables too. */
function contentOf(database: DatabaseSync): unknown {
  const definitions = database.prepare('select type, name, sql from sqlite_schema order by type, name').all();
  const rows = definitions.flatMap(({ type, name }) =>
    type === 'table' ? database.prepare(`select '${String(name)}' as of, * from "${String(name)}"`).all() : [],
  );
  database.close();
  return { definitions, rows: rows.filter(({ of, name }) => !(of === 'meta' && name === 'application')) };
}

function migrated(extensions: readonly Extension[]): unknown {
  const database = new DatabaseSync(':memory:');
  for (const { migration, name, value } of pendingMigrations(extensions, new Map(), 'here')) {
    for (const sql of migration(sqliteDialect)) database.exec(sql);
    database.prepare('insert or replace into meta (name, value) values (?, ?)').run(name, value);
  }
  return contentOf(database);
}

it.each([
  ['of the store alone', []],
  ['with tables of another', [visits]],
  ['with tables of two others', [other, visits]],
  ['with those of the two in another order', [visits, other]],
] as const)('a new file %s has the tables, the rows and the next numbers that its migrations leave (P36)', (_name, extensions) =>
  withDirectory(async (directory) => {
    const path = join(directory, 'new.db');
    await (await openSqliteStore({ path, extensions })).close();
    expect(contentOf(new DatabaseSync(path))).toEqual(migrated(extensions));
    await (await openSqliteStore({ path, extensions, mustExist: true })).close();
  })(),
);
