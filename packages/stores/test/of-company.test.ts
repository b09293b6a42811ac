// Statements of one company touch no row of another, and the check of all statements tells those that might.
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../testing/src/arbitraries/json-values.ts';
import {
  call,
  companyQueriesOver,
  companyStatementsOver,
  encodeText,
  flag,
  json,
  lookup,
  openSqliteStore,
  optional,
  queriesOver,
  selected,
  statementsOver,
  sum,
  text,
} from '../src/index.ts';
import { sqliteDatabase } from '../src/statements/database.ts';
import { listUnfenced, type Node } from '../../../scripts/fence/unfenced.ts';

type Row = { readonly company_id: string; readonly id: string; readonly label: string };
type Tables = { readonly parcels: Row; readonly stamps: Row };
const statement = statementsOver<Tables>();
const ofCompany = companyStatementsOver<Tables>();

const extension = {
  name: 'parcels',
  migrations: [
    () =>
      ['parcels', 'stamps'].map(
        (name) => `create table ${name} (company_id text not null, id text not null, label text not null, primary key (company_id, id))`,
      ),
  ],
};

const insert = (['parcels', 'stamps'] as const).map((table) =>
  statement<Row>()((db, { company_id, id, label }) => db.insertInto(table).values({ company_id, id, label })),
);
const all = statement()((db) => db.selectFrom('parcels').selectAll().orderBy('company_id').orderBy('id'));
type Labelled = { readonly label: string };

const statements = {
  reads: ofCompany<Labelled>()((company, { label }) =>
    company.selectFrom('parcels').select(['company_id', 'id']).where('label', '=', label).orderBy('id'),
  ),
  'reads by another name': ofCompany<Labelled>()((company, { label }) =>
    company.selectFrom('parcels as one').select(['one.company_id', 'one.id']).where('one.label', '=', label).orderBy('one.id'),
  ),
  'reads with a join': ofCompany<Labelled>()((company, { label }) =>
    company
      .selectFrom('parcels')
      .innerJoin('stamps', (join) => join.onRef('stamps.company_id', '=', 'parcels.company_id').onRef('stamps.id', '=', 'parcels.id'))
      .select(['parcels.company_id', 'parcels.id'])
      .where('stamps.label', '=', label)
      .orderBy('parcels.id'),
  ),
  'reads what another of its queries finds': ofCompany<Labelled>()((company, { label }) =>
    company
      .selectFrom('parcels')
      .select(['company_id', 'id'])
      .where('id', 'in', company.selectFrom('stamps').select('stamps.id').where('label', '=', label))
      .orderBy('id'),
  ),
  changes: ofCompany<Labelled>()((company, { label }) =>
    company.updateTable('parcels').set({ label: 'changed' }).where('label', '=', label).returning(['company_id', 'id']),
  ),
  removes: ofCompany<Labelled>()((company, { label }) =>
    company.deleteFrom('parcels').where('label', '=', label).returning(['company_id', 'id']),
  ),
};

describe('a statement of a company', () => {
  it.each(Object.entries(statements))('%s its own rows and no others', async (_name, one) => {
    const store = await openSqliteStore({ path: ':memory:', extensions: [extension] });
    const companies = ['1', '12', `1' or '1'='1`, '%', ''].map(encodeText);
    const rows = companies.flatMap((company_id) => ['a', 'b'].map((id) => ({ company_id, id, label: 'same' })));
    await store.runner.write(rows.flatMap((row) => insert.map((into) => call(into, row))));
    for (const companyId of companies) {
      const before = await store.runner.read(call(all, {}));
      const asked = call(one, { companyId, label: 'same' });
      const touched = (await store.runner.write([asked])).rowsOf(asked);
      expect(touched.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(['a', 'b'].map((id) => ({ company_id: companyId, id })));
      const isOther = (row: Row): boolean => row.company_id !== companyId;
      expect((await store.runner.read(call(all, {}))).filter(isOther)).toEqual(before.filter(isOther));
    }
    await store.close();
  });
});

describe('a statement whose values and rows are told by columns', () => {
  const labels = { id: text(), label: text() };
  const write = queriesOver<Tables>()({ companyId: text(), ...labels }, {}, (db, { companyId, id, label }) =>
    db.insertInto('parcels').values({ company_id: companyId, id, label }),
  );
  const companyQuery = companyQueriesOver<Tables>();
  const labelled = companyQuery({ label: labels.label }, labels, (company, { label }) =>
    company.selectFrom('parcels').select(selected('parcels', labels)).where('label', '=', label).orderBy('id'),
  );

  it('reads what was written, of its company alone, whatever characters it has', async () => {
    const store = await openSqliteStore({ path: ':memory:', extensions: [extension] });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyText, { minLength: 2, maxLength: 2 }),
        anyText,
        anyText,
        async ([mine = '', other = ''], id, label) => {
          await store.runner.write([mine, other].map((companyId) => write({ companyId, id, label })));
          expect(await store.runner.read(labelled({ companyId: mine, label }))).toEqual([{ id, label }]);
          const gone = companyQuery({ id: text() }, {}, (company, given) => company.deleteFrom('parcels').where('id', '=', given.id));
          await store.runner.write([mine, other].map((companyId) => gone({ companyId, id })));
        },
      ),
      { numRuns: 50 },
    );
    await store.close();
  });

  it('has values and rows as each column has them', () => {
    const all = { a: lookup(), b: optional(text()), isDone: flag(), list: json<readonly number[]>(), total: sum() };
    const one = queriesOver<Tables>()(all, all, (db) =>
      db
        .selectFrom('parcels')
        .select([
          sql<string>`''`.as('a'),
          sql<string | null>`''`.as('b'),
          sql<number>`1`.as('is_done'),
          sql<string>`'[]'`.as('list'),
          sql<number>`1`.as('total'),
        ]),
    );
    const asked = one({ a: '"', b: undefined, isDone: true, list: [1], total: 7 });
    expect(asked.values).toEqual({ a: '"\\""', b: null, isDone: 1, list: '[1]', total: 7 });
    expect(asked.decode?.({ a: 'a', b: null, is_done: 0, list: '[2]', total: '9' })).toEqual({
      a: 'a',
      b: undefined,
      isDone: false,
      list: [2],
      total: 9,
    });
  });
});

const db = sqliteDatabase().$extendTables<Tables>();
const treeOf = (query: { toOperationNode(): object }): Node => query.toOperationNode() as Node;
const unfencedIn = (query: { toOperationNode(): object }) => listUnfenced(treeOf(query), (table) => table in { parcels: 0, stamps: 0 });
const mine = '1';

describe('the check of all statements', () => {
  it.each([
    ['a company', db.selectFrom('parcels').select('id').where('company_id', '=', mine)],
    ['a company of an alias', db.selectFrom('parcels as one').select('one.id').where('one.company_id', '=', mine)],
    [
      'a company as text',
      db
        .selectFrom('parcels')
        .select('id')
        .where(sql<boolean>`${sql.ref('parcels.company_id')} = ${mine} and id = ${'a'}`),
    ],
    [
      'a company through two joins',
      db
        .selectFrom('parcels as a')
        .innerJoin('stamps as b', (join) => join.onRef('b.company_id', '=', 'a.company_id'))
        .innerJoin('stamps as c', (join) => join.onRef('c.company_id', '=', 'b.company_id'))
        .select('c.id')
        .where('c.company_id', '=', mine),
    ],
    [
      'the company of the query around it',
      db
        .selectFrom('parcels')
        .select('id')
        .where('company_id', '=', mine)
        .where(({ exists, selectFrom }) =>
          exists(selectFrom('stamps').select('stamps.id').whereRef('stamps.company_id', '=', 'parcels.company_id')),
        ),
    ],
    [
      'a company in a query of which it reads',
      db.selectFrom(db.selectFrom('parcels').select('id').where('company_id', '=', mine).as('page')).select('page.id'),
    ],
    ['a company of what it changes', db.updateTable('parcels').set({ label: 'x' }).where('company_id', '=', mine)],
    ['a company of what it removes', db.deleteFrom('parcels').where('company_id', '=', mine)],
  ])('takes %s', (_what, query) => {
    expect(unfencedIn(query)).toEqual([]);
  });

  it.each([
    ['nothing', db.selectFrom('parcels').select('id'), ['parcels']],
    ['another column', db.selectFrom('parcels').select('id').where('id', '=', mine), ['parcels']],
    [
      'one of two companies',
      db
        .selectFrom('parcels')
        .select('id')
        .where(({ or, eb }) => or([eb('company_id', '=', mine), eb('id', '=', 'a')])),
      ['parcels'],
    ],
    ['every other company', db.selectFrom('parcels').select('id').where('company_id', '<>', mine), ['parcels']],
    [
      'a company, or not, as text',
      db
        .selectFrom('parcels')
        .select('id')
        .where(sql<boolean>`${sql.ref('company_id')} = ${mine} or id = 'a'`),
      ['parcels'],
    ],
    [
      'a company of one side of a join',
      db
        .selectFrom('parcels')
        .innerJoin('stamps', (join) => join.onRef('stamps.id', '=', 'parcels.id'))
        .select('stamps.id')
        .where('parcels.company_id', '=', mine),
      ['stamps'],
    ],
    [
      'a company where the rows are found, and none where they are removed',
      db.deleteFrom('parcels').where('id', 'in', db.selectFrom('parcels').select('id').where('company_id', '=', mine)),
      ['parcels'],
    ],
    [
      'a company around a query without one',
      db.selectFrom('parcels').select('id').where('company_id', '=', mine).where('id', 'in', db.selectFrom('stamps').select('stamps.id')),
      ['stamps'],
    ],
    ['what becomes of the company', db.updateTable('parcels').set({ company_id: mine }).where('id', '=', 'a'), ['parcels']],
  ])('refuses %s', (_what, query, tables) => {
    expect(unfencedIn(query)).toEqual(tables);
  });

  it('takes what has a company among any other conditions, and nothing that lacks it', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('id', 'label', 'company_id'), { maxLength: 5 }), (columns) => {
        const query = columns.reduce((rows, column) => rows.where(column, '=', 'x'), db.selectFrom('parcels').select('id'));
        expect(unfencedIn(query)).toEqual(columns.includes('company_id') ? [] : ['parcels']);
      }),
    );
  });
});
