import type { Json } from '@hilo/engine/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Asked, type Asking, ask } from './ask.ts';
import { injections } from './injections.ts';

/** A real database under test, and how its words differ. */
export interface TestedDatabase {
  readonly asking: () => Asking;
  /** Where the n-th value goes. */
  readonly place: (index: number) => string;
  /** A statement that never ends by itself. */
  readonly endless: string;
  /** What makes the tables anew, one statement each. */
  readonly tables: readonly string[];
}

type Query = Extract<Asked, { readonly operation: 'query' }>;
type List = Extract<Asked, { readonly operation: 'list' }>;

const all: Pick<List, 'where' | 'orderBy' | 'limit' | 'offset'> = {
  where: [],
  orderBy: [{ column: 'id', direction: 'asc' }],
  limit: 100,
  offset: 0,
};
const query = (sql: string, parameters: readonly Json[] = [], more: Partial<Query> = {}): Asked => ({
  operation: 'query',
  sql,
  parameters: [...parameters],
  readOnly: true,
  maxRows: 100,
  ...more,
});

/** What every database holds to. @param database - has tables `orders` (id, name, amount, note, paid, extra) and `Odd "name` */
export function describeDatabase(name: string, { asking, place, endless, tables }: TestedDatabase): void {
  let call: ReturnType<typeof ask>;
  const run = (sql: string) => call(query(sql, [], { readOnly: false }));
  const names = async (): Promise<unknown> => {
    const result = await call({
      operation: 'list',
      table: 'orders',
      ...all,
      columns: ['name'],
      orderBy: [{ column: 'id', direction: 'asc' }],
    });
    return result.kind === 'rows' ? result.rows.map((row) => row['name']) : result;
  };
  const eq = (column: string, value: string | number): List['where'] => [{ column, op: 'eq', value }];

  const fill = async (): Promise<void> => {
    for (const sql of tables) expect(await run(sql)).toMatchObject({ kind: 'changed' });
    for (const [index, who] of ['Ana', 'Luz', 'Eva'].entries()) {
      const values = { name: who, amount: index + 1, paid: index === 0, extra: { n: index } };
      expect(await call({ operation: 'create', table: 'orders', values })).toEqual({
        kind: 'changed',
        affectedRows: 1,
        key: { id: index + 1 },
      });
    }
  };

  describe(`The names of a database: ${name}`, () => {
    beforeAll(async () => {
      call = ask(asking());
      await fill();
    });

    it.each(injections)('knows no table or column %j (T13)', async (text) => {
      const failed = { kind: 'failed', reason: 'unknown-name', outcome: 'failed' };
      expect(await call({ operation: 'list', table: text, ...all })).toMatchObject(failed);
      expect(await call({ operation: 'list', table: 'orders', ...all, columns: [text] })).toMatchObject(failed);
      expect(await call({ operation: 'list', table: 'orders', ...all, orderBy: [{ column: text, direction: 'asc' }] })).toMatchObject(
        failed,
      );
      expect(await call({ operation: 'create', table: 'orders', values: { [text]: 1 } })).toMatchObject({
        ...failed,
        reason: text === '__proto__' ? 'invalid' : 'unknown-name', // a record of values never has that name
      });
      expect(await call({ operation: 'update', table: 'orders', values: { name: 'a' }, where: [...eq(text, 1)] })).toMatchObject(failed);
      expect(await call({ operation: 'delete', table: 'orders', where: [{ column: text, op: 'isNull' }] })).toMatchObject(failed);
      expect(await names()).toEqual(['Ana', 'Luz', 'Eva']);
    });
  });

  describe(`A database: ${name}`, () => {
    beforeAll(() => {
      call = ask(asking());
    });
    beforeEach(fill);

    it('takes no value as null that was not given', async () => {
      const sql = `select ${place(1)} as a, ${place(2)} as b`;
      expect(await call(query(sql, ['x']))).toMatchObject({
        kind: 'failed',
        reason: 'invalid',
        outcome: 'failed',
        message: expect.stringMatching(/missing/) as unknown,
      });
    });

    it('lists rows by conditions, in an order, page by page', async () => {
      const list = (more: Partial<List>) => call({ operation: 'list', table: 'orders', columns: ['name'], ...all, ...more });
      expect(await list({})).toEqual({ kind: 'rows', rows: [{ name: 'Ana' }, { name: 'Luz' }, { name: 'Eva' }] });
      expect(await list({ limit: 1, offset: 1 })).toEqual({ kind: 'rows', rows: [{ name: 'Luz' }] });
      expect(await list({ orderBy: [{ column: 'amount', direction: 'desc' }], limit: 1 })).toEqual({
        kind: 'rows',
        rows: [{ name: 'Eva' }],
      });
      const found = async (op: List['where'][number]['op'], value: Json) =>
        ((await list({ where: [{ column: 'amount', op, value }] })) as { readonly rows: readonly object[] }).rows.length;
      expect(
        await Promise.all([found('eq', 2), found('neq', 2), found('gt', 2), found('gte', 2), found('lt', 2), found('lte', 2)]),
      ).toEqual([1, 2, 1, 2, 1, 2]);
      expect(await Promise.all([found('in', [1, 3, 7]), found('in', [])])).toEqual([2, 0]);
      expect(await list({ where: [{ column: 'name', op: 'like', value: 'E%' }] })).toEqual({ kind: 'rows', rows: [{ name: 'Eva' }] });
      for (const [op, value] of [
        ['contains', 'v'],
        ['startsWith', 'Ev'],
        ['endsWith', 'va'],
      ] as const)
        expect([op, await list({ where: [{ column: 'name', op, value }] })]).toEqual([op, { kind: 'rows', rows: [{ name: 'Eva' }] }]);
      for (const op of ['contains', 'startsWith', 'endsWith'] as const)
        for (const value of ['%', '_', 'E%', '_va', 'E_a', '!', '!%', '\\', "'"])
          expect([op, value, await list({ where: [{ column: 'name', op, value }] })]).toEqual([op, value, { kind: 'rows', rows: [] }]);
      expect(
        await list({
          where: [
            { column: 'note', op: 'isNull' },
            { column: 'name', op: 'notNull' },
          ],
        }),
      ).toMatchObject({
        rows: [{}, {}, {}],
      });
    });

    it('gets one row, or none', async () => {
      const get = (value: number) =>
        call({ operation: 'get', table: 'orders', columns: ['id', 'name', 'amount'], where: [...eq('id', value)], orderBy: [] });
      expect(await get(2)).toEqual({ kind: 'rows', rows: [{ id: 2, name: 'Luz', amount: 2 }] });
      expect(await get(9)).toEqual({ kind: 'rows', rows: [] });
    });

    it('changes and removes the rows it is told to, and no other', async () => {
      const where = [...eq('name', 'Luz')];
      expect(await call({ operation: 'update', table: 'orders', values: { name: 'Lucía', note: null }, where })).toEqual({
        kind: 'changed',
        affectedRows: 1,
      });
      expect(await call({ operation: 'update', table: 'orders', values: { name: 'x' }, where })).toEqual({
        kind: 'changed',
        affectedRows: 0,
      });
      expect(await call({ operation: 'delete', table: 'orders', where: [...eq('name', 'Ana')] })).toEqual({
        kind: 'changed',
        affectedRows: 1,
      });
      expect(await names()).toEqual(['Lucía', 'Eva']);
    });

    it('runs one statement with bound values', async () => {
      expect(await call(query(`select name, amount from orders where amount > ${place(1)} and name <> ${place(2)}`, [1, 'Eva']))).toEqual({
        kind: 'rows',
        rows: [{ name: 'Luz', amount: 2 }],
      });
      expect(await call(query('select 1 as a where 1 = 0'))).toEqual({ kind: 'rows', rows: [] });
    });

    it.each(injections)('keeps %j as the text it is (T13)', async (text) => {
      const before = [...((await names()) as readonly string[])];
      const key = await call({ operation: 'create', table: 'orders', values: { name: text, amount: 9 } });
      expect(key).toMatchObject({ kind: 'changed', affectedRows: 1, key: { id: 4 } });
      expect(await call({ operation: 'get', table: 'orders', columns: ['name'], where: [...eq('name', text)], orderBy: [] })).toMatchObject(
        {
          rows: [{ name: text }],
        },
      );
      expect(await call(query(`select name from orders where name = ${place(1)}`, [text]))).toMatchObject({ rows: [{ name: text }] });
      const where = [{ column: 'name', op: 'eq' as const, value: `${text}-` }];
      expect(await call({ operation: 'delete', table: 'orders', where })).toEqual({ kind: 'changed', affectedRows: 0 });
      expect(await call({ operation: 'update', table: 'orders', values: { note: text }, where: [...eq('id', 4)] })).toMatchObject({
        affectedRows: 1,
      });
      expect(await names()).toEqual([...before, text]);
    });

    it('knows no tables but its own', async () => {
      for (const table of [
        'ORDERS',
        'sqlite_schema',
        'sqlite_master',
        'pg_class',
        'pg_authid',
        'user',
        'mysql.user',
        'information_schema.tables',
      ]) {
        expect(await call({ operation: 'list', table, ...all, orderBy: [] })).toMatchObject({ kind: 'failed', reason: 'unknown-name' });
      }
    });

    it('quotes names that are hard to write', async () => {
      const table = 'Odd "name';
      expect(await call({ operation: 'create', table, values: { 'a "b` c': 'x' } })).toMatchObject({ affectedRows: 1 });
      expect(await call({ operation: 'list', table, ...all, orderBy: [] })).toEqual({ kind: 'rows', rows: [{ 'a "b` c': 'x' }] });
    });

    it('never compares a text with a number', async () => {
      expect(await call({ operation: 'delete', table: 'orders', where: [...eq('name', 0)] })).toEqual({ kind: 'changed', affectedRows: 0 });
      expect(await call({ operation: 'delete', table: 'orders', where: [...eq('id', '1 or 1=1')] })).toMatchObject({
        kind: 'failed',
        reason: 'invalid',
      });
      expect(await call({ operation: 'get', table: 'orders', columns: ['name'], where: [...eq('id', '2')], orderBy: [] })).toMatchObject({
        rows: [{ name: 'Luz' }],
      });
    });

    it.each([
      ['two statements', 'select 1; select 2'],
      ['a second one that removes', 'select 1; delete from orders'],
      ['a second one behind a remark', 'select 1; -- \n delete from orders'],
      ['what is no SQL', 'selectt 1'],
    ])('refuses %s (T13)', async (_what, sql) => {
      expect(await run(sql)).toMatchObject({ kind: 'failed' });
      expect(await names()).toEqual(['Ana', 'Luz', 'Eva']);
    });

    it.each([
      ['insert', "insert into orders (name, amount) values ('x', 1)"],
      ['update', "update orders set name = 'x'"],
      ['delete', 'delete from orders'],
      ['drop', 'drop table orders'],
      ['alter', 'alter table orders add column x int'],
      ['create', 'create table y (a int)'],
    ])('changes nothing by %s where it only reads', async (_what, sql) => {
      expect(await call(query(sql))).toMatchObject({ kind: 'failed', reason: 'read-only', outcome: 'failed' });
      const { credential, ...others } = asking();
      const reading = ask({ ...others, credential: { ...credential, readOnly: true } });
      expect(await reading(query(sql, [], { readOnly: false }))).toMatchObject({ kind: 'failed', reason: 'read-only', outcome: 'failed' });
      expect(await reading({ operation: 'delete', table: 'orders', where: [...eq('id', 1)] })).toMatchObject({ reason: 'read-only' });
      expect(await names()).toEqual(['Ana', 'Luz', 'Eva']);
    });

    it('says which constraint a row breaks', async () => {
      expect(await call({ operation: 'create', table: 'orders', values: { id: 1, name: 'x', amount: 1 } })).toMatchObject({
        kind: 'failed',
        reason: 'constraint',
        outcome: 'failed',
      });
      expect(await call({ operation: 'create', table: 'orders', values: { amount: 1 } })).toMatchObject({ reason: 'constraint' });
    });

    it('keeps a time limit, and says that nobody knows what was done, unless the server said so first (P5, P13)', async () => {
      // Long enough to get a connection on a busy machine first.
      const outcome = expect.stringMatching(/^(?:unknown|failed)$/) as unknown;
      expect(await call(query(endless, [], { timeoutMs: 2_000 }))).toMatchObject({ kind: 'failed', reason: 'timeout', outcome });
    });

    it('ends when whoever asked gives up', async () => {
      const giving = new AbortController();
      const asked = ask({ ...asking(), signal: giving.signal })(query(endless));
      setImmediate(() => giving.abort());
      expect(await asked).toMatchObject({ kind: 'failed', reason: 'timeout' });
    });

    it('gives up what is more than is kept (P16)', async () => {
      const rows = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 900)';
      expect(await call(query(`${rows} select i from n`, [], { maxRows: 899 }))).toMatchObject({ kind: 'failed', reason: 'too-large' });
      expect(await call(query(`${rows} select i from n`, [], { maxRows: 900 }))).toMatchObject({ kind: 'rows' });
      expect(await call(query(`${rows} select i, '${'x'.repeat(100)}' as x from n`, [], { maxRows: 1_000 }))).toMatchObject({
        kind: 'failed',
        reason: 'too-large',
      });
    });

    it('knows no connection of another company (P28)', async () => {
      await expect(ask({ ...asking(), companyId: '8' })(query('select 1'))).rejects.toMatchObject({ code: 'CREDENTIAL_MISSING' });
    });
  });
}
