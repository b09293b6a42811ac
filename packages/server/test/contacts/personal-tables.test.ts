// Every table says whether an erasure knows it: a new one that does not is found here, before somebody asks what is still kept of them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clearedTables, impersonalTables, personalTables } from '../../src/contacts/erasure/personal-tables.ts';
import { tables } from '../../src/platform/tables/all.ts';
import { type Column, postgresDatabase, sqliteFile, type TestDatabase } from '../moving/databases.ts';

/** Columns that name or describe a person, wherever they are. */
const isOfPerson = /^(?:user_|person_|contact$|contact_id|phone|bsuid|names$|address$|message$|execution$|execution_id|conversation_id)/;

/** Such columns of operators, of processes, and of executions that are gone. */
const ofOthers = new Set(['operators.names', 'members.address', 'erased_executions.execution_id']);

const sentence = (table: string): string =>
  `Table "${table}" does not say what of it is of a person: write \`personal\` into its defineTable, or list it in contacts/erasure/personal-tables.ts`;

describe.each([
  ['SQLite', sqliteFile],
  ['PostgreSQL', postgresDatabase],
] as const)('the tables of %s', (_name, begin) => {
  let database: TestDatabase;
  let columns: readonly Column[];
  beforeAll(async () => {
    database = await begin();
    columns = await database.columns();
  });
  afterAll(() => database.remove());

  it('each say what of them is of a person', () => {
    const values = new Map(tables.map(({ name, options }) => [name as string, options.personal]));
    const listed = new Set([...personalTables.map(({ name }) => name), ...Object.keys(clearedTables), ...Object.keys(impersonalTables)]);
    const silent = [...new Set(columns.map(({ table }) => table))].filter((table) =>
      values.has(table) ? values.get(table) === undefined : !listed.has(table),
    );
    expect(silent.map(sentence)).toEqual([]);
  });

  it('have columns that name a person only where an erasure clears them', () => {
    const known = new Map(personalTables.map((table) => [table.name, table]));
    const wrong = columns.filter(({ table, name }) => {
      if (table in clearedTables || !isOfPerson.test(name) || ofOthers.has(`${table}.${name}`)) return false;
      const personal = known.get(table);
      if (personal === undefined) return true;
      return personal.blanks !== undefined && personal.column !== name && !(name in personal.blanks);
    });
    expect(wrong.map(({ table, name }) => `${table}.${name} names a person, and no erasure clears it`)).toEqual([]);
  });

  it('have the columns by which rows of a person are found', () => {
    const names = new Set(columns.map(({ table, name }) => `${table}.${name}`));
    const missing = personalTables.flatMap(({ name, column, among, blanks = {} }) =>
      [column, ...(among === undefined ? [] : [among]), ...Object.keys(blanks), 'company_id'].flatMap((each) =>
        names.has(`${name}.${each}`) ? [] : [`${name}.${each}`],
      ),
    );
    expect(missing).toEqual([]);
  });
});
