import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '@hilo/engine/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqliteLimits } from '../../src/database/database-credential.ts';
import { startSqliteProcess } from '../../src/database/sqlite-process.ts';
import { createSqliteProcesses } from '../../src/database/sqlite-processes.ts';
import { type Asked, ask, closeDrivers } from './ask.ts';
import { describeDatabase } from './describe-database.ts';

const base = mkdtempSync(join(tmpdir(), 'hilo-database-'));
const sqliteDirectory = join(base, 'company');
const query = (sql: string, readOnly = false): Extract<Asked, { operation: 'query' }> => ({
  operation: 'query',
  sql,
  parameters: [],
  readOnly,
  maxRows: 10,
});
/** Files by name, each with a driver of its own, whose process is kept for the next call. */
const files = new Map<string, ReturnType<typeof ask>>();
const asked = (file: string, request: Asked) => {
  const call = files.get(file) ?? ask({ credential: { kind: 'sqlite', file }, sqliteDirectory });
  files.set(file, call);
  return call(request);
};

beforeAll(() => {
  mkdirSync(sqliteDirectory);
  new DatabaseSync(join(sqliteDirectory, 'shop.db')).exec('pragma journal_mode = wal');
  new DatabaseSync(join(base, 'other.db')).exec('create table secrets (a text)');
});
afterAll(() => {
  closeDrivers();
  rmSync(base, { recursive: true });
});

describeDatabase('SQLite', {
  asking: () => ({ credential: { kind: 'sqlite', file: 'shop.db' }, sqliteDirectory }),
  place: () => '?',
  endless: 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n',
  tables: [
    'drop table if exists orders',
    'create table orders (id integer primary key, name text not null, amount integer, note text, paid boolean, extra json)',
    'drop table if exists "Odd ""name"',
    'create table "Odd ""name" ("a ""b` c" text)',
  ],
});

describe('the SQLite file of a company', () => {
  it.each(['../other.db', '/etc/passwd', '..', '.', '', 'a/../../other.db', 'link.db', 'folder', '\0', 'file:other.db'])(
    'is never %j (T13)',
    async (file) => {
      try {
        symlinkSync(join(base, 'other.db'), join(sqliteDirectory, 'link.db'));
        mkdirSync(join(sqliteDirectory, 'folder'));
      } catch {
        // an earlier case has made them
      }
      const result = await asked(file, query('select 1')).catch((error: unknown) => error);
      expect(result).toMatchObject(file === '' ? { code: 'CREDENTIAL_INVALID' } : { kind: 'failed', outcome: 'failed' });
      expect(JSON.stringify(result)).not.toContain(base);
    },
  );

  it('stays open for the next call, until all is closed', async () => {
    const processes = createSqliteProcesses(systemClock, sqliteLimits);
    const file = join(sqliteDirectory, 'shop.db');
    const first = processes.borrow(file, true);
    expect(await first.process.say({ file, readOnly: true })).toEqual({ kind: 'open' });
    processes.giveBack(first.process);
    const second = processes.borrow(file, true);
    expect(second).toEqual({ process: first.process, isNew: false });
    processes.giveBack(second.process);
    const busy = processes.borrow(file, false).process;
    processes.close();
    for (const process of [first.process, busy]) await expect(process.say({ file, readOnly: true })).rejects.toThrow('was closed');
  });

  it('is closed while a long statement is on its way to its process, and nothing else breaks', async () => {
    const closed = Promise.withResolvers<void>();
    const guard = { watch: () => () => closed.resolve() };
    const file = join(sqliteDirectory, 'shop.db');
    const process = startSqliteProcess(file, { guard, clock: systemClock, limits: sqliteLimits });
    // A process that starts reads nothing yet, and a pipe holds some 64 KB: the rest meets a broken pipe.
    const asked = process.say({ text: 'select ?', values: ['x'.repeat(1_000_000)], maxRows: 1, growthBytes: 0 });
    process.end();
    await expect(asked).rejects.toThrow('was closed');
    await closed.promise; // an error that nobody listens for would end this file
  });

  it('is none where the operator serves none', async () => {
    expect(await ask({ credential: { kind: 'sqlite', file: 'shop.db' } })(query('select 1'))).toMatchObject({ reason: 'refused' });
  });

  it('is never the store of Hilo, by its mark (T13)', async () => {
    new DatabaseSync(join(sqliteDirectory, 'own.db')).exec(`pragma application_id = ${0x48_69_6c_6f}; create table meta (name text)`);
    expect(await asked('own.db', query('select * from meta'))).toMatchObject({ kind: 'failed', reason: 'refused' });
  });

  it('is a database', async () => {
    writeFileSync(join(sqliteDirectory, 'text.db'), 'This is no database, and long enough to be looked at as one.'.repeat(20));
    expect(await asked('text.db', query('select * from sqlite_schema'))).toMatchObject({ kind: 'failed' });
    expect(await asked('none.db', query('select 1'))).toMatchObject({ kind: 'failed', reason: 'unreachable', outcome: 'failed' });
  });

  it.each([
    ['attach', `attach '${join(base, 'other.db')}' as other`],
    ['a file that is made', `vacuum into '${join(base, 'copy.db')}'`],
    ['a file beside it', `vacuum into '${join(sqliteDirectory, 'copy.db')}'`],
    ['a pragma', 'pragma journal_mode = off'],
    ['a writable schema', 'pragma writable_schema = on'],
    ['a pragma as a table', 'select * from pragma_database_list'],
    ['an extension', "select load_extension('/lib/x.so')"],
    ['a change of the schema by hand', 'delete from sqlite_schema'],
  ])('is all that is reached: not by %s (T13)', async (_what, sql) => {
    expect(await asked('shop.db', query(sql))).toMatchObject({ kind: 'failed' });
  });

  it.each([
    'begin',
    'savepoint later',
    'create temp table goods (id integer primary key)',
    'create temp view goods as select 1 as id',
    'create temp trigger undo after insert on main.goods begin delete from main.goods; end',
  ])('is the same for each call, whatever one before it has asked for: %s (P1, P5)', async (begun) => {
    const file = join(sqliteDirectory, 'goods.db');
    new DatabaseSync(file).exec('drop table if exists goods; create table goods (id integer primary key)');
    const one = ask({ credential: { kind: 'sqlite', file: 'goods.db' }, sqliteDirectory });
    expect(await one(query(begun))).toMatchObject({ kind: 'failed', reason: 'refused', outcome: 'failed' });
    expect(await one({ operation: 'create', table: 'goods', values: { id: 7 } })).toMatchObject({ kind: 'changed' });
    expect(new DatabaseSync(file).prepare('select id from main.goods').all()).toMatchObject([{ id: 7 }]);
  });

  it.each([
    'select length(hex(zeroblob(9000000)))',
    'select zeroblob(17000000)',
    "select replace(hex(zeroblob(9000)), '0', hex(zeroblob(9000)))",
  ])('makes no value that fills the machine: %s (P22)', async (sql) => {
    expect(await asked('shop.db', query(sql, true))).toMatchObject({ kind: 'failed', reason: 'too-large', outcome: 'failed' });
  });

  it.each([
    [
      'a processor',
      'with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c',
      { processorMs: 300 },
      'timeout',
      '300 ms of a processor',
    ],
    [
      'memory, in place of files in the folder of the machine',
      'with recursive c(x) as (select 1 union all select x + 1 from c) select count(distinct hex(randomblob(300))) from c',
      { residentMb: 150 },
      'too-large',
      '150 MB of memory',
    ],
    [
      'memory for what is sorted',
      'with recursive c(x) as (select 1 union all select x + 1 from c limit 9000000) select x, randomblob(300) from c order by 2',
      { residentMb: 150 },
      'too-large',
      '150 MB of memory',
    ],
  ] as const)(
    'takes no more than its share of %s, long before the time of the call is over (P20, P22)',
    async (_what, sql, limits, reason, message) => {
      const call = ask({ credential: { kind: 'sqlite', file: 'shop.db' }, sqliteDirectory, limits: { lookMs: 20, ...limits } });
      const result = await call({ ...query(sql, true), timeoutMs: 3_600_000 });
      expect(result).toMatchObject({ kind: 'failed', reason, message: expect.stringContaining(message) as unknown });
      expect(await call(query('select 1 as one', true))).toEqual({ kind: 'rows', rows: [{ one: 1 }] });
    },
  );

  it('grows to what is left of the company’s folder and no further, by one statement or by many (P22, P26)', async () => {
    const folder = join(base, 'full');
    const folderBytes = 8_000_000;
    mkdirSync(folder);
    for (const file of ['a.db', 'b.db']) new DatabaseSync(join(folder, file)).exec('create table t (a blob)');
    writeFileSync(join(folder, 'kept.txt'), Buffer.alloc(2_000_000));
    const call = (file: string) => ask({ credential: { kind: 'sqlite', file }, sqliteDirectory: folder, limits: { folderBytes } });
    const insert = (rows: number): Asked =>
      query(
        `insert into t(a) with recursive c(x) as (select 1 union all select x + 1 from c limit ${rows}) select randomblob(1000000) from c`,
      );
    const full = {
      kind: 'failed',
      reason: 'too-large',
      outcome: 'failed',
      message: 'The databases of the company are full: they may have 8 MB together',
    };
    expect(await call('a.db')(insert(200))).toEqual({ ...full, code: undefined });
    let results: readonly unknown[] = [];
    for (let n = 0; n < 6; n += 1) results = await Promise.all(['a.db', 'b.db'].map((file) => call(file)(insert(1))));
    expect(results).toMatchObject([full, full]);
    const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(folderBytes);
    expect(await call('a.db')(query('select count(*) > 0 as some from t', true))).toMatchObject({ rows: [{ some: 1 }] });
    expect(await call('a.db')(query('delete from t'))).toMatchObject({ kind: 'changed' });
    expect(await call('a.db')(insert(1))).toMatchObject({ kind: 'changed' }); // in the room that was made
  });

  it('is worked on by few calls of a company at once, over all of its files (P23)', async () => {
    const call = ask({ credential: { kind: 'sqlite', file: 'shop.db' }, sqliteDirectory, limits: { atOnce: 1, processorMs: 500 } });
    const order: string[] = [];
    const endless = call(query('with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c', true));
    await Promise.all([endless.then(() => order.push('endless')), call(query('select 1', true)).then(() => order.push('short'))]);
    expect(order).toEqual(['endless', 'short']);
  });

  it.each([
    ['select ? as a, ? as b', [1], 'places for 2 values, and "parameters" has 1: 1 of them is missing'],
    ['select ? as a where 0 and ?', [], 'places for 2 values, and "parameters" has 0: 2 of them are missing'],
    ['insert into orders (name) values (?)', [], 'places for 1 value, and "parameters" has 0: 1 of them is missing'],
    ['select ?2 as a', [1], 'places for 2 values, and "parameters" has 1'],
    ['select 1', [1], 'places for 0 values, and "parameters" has 1: 1 too many'],
    ['select :id as a', [], 'places with names: write "?" for each value'],
    ['select $1 as a', [1], 'places with names'],
    ['select ?, @id as a', [1], 'places with names'],
  ])('takes no value as null that was not given: %s', async (sql, parameters, message) => {
    expect(await asked('shop.db', { ...query(sql), parameters })).toMatchObject({
      kind: 'failed',
      reason: 'invalid',
      outcome: 'failed',
      message: expect.stringContaining(message) as unknown,
    });
  });

  it.each([
    ['select ?2 as a, ?1 as b', [1, 2], { a: 2, b: 1 }],
    ["-- a comment?\nselect ? as a, '?' as b /* ? */;", [null], { a: null, b: '?' }],
    [`select ${Array.from({ length: 900 }, () => '?').join(' + ')} as a`, Array.from({ length: 900 }, () => 1), { a: 900 }],
  ])('takes as many values as the statement has places', async (sql, parameters, row) => {
    expect(await asked('shop.db', { ...query(sql, true), parameters })).toEqual({ kind: 'rows', rows: [row] });
  });

  it('gives whole numbers, bytes and nothing as JSON has them', async () => {
    const sql = "select 9007199254740993 as big, 1.5 as half, x'0102' as bytes, null as none, 7 as seven, 9e999 as endless";
    expect(await asked('shop.db', query(sql, true))).toEqual({
      kind: 'rows',
      rows: [{ big: '9007199254740993', half: 1.5, bytes: 'AQI=', none: null, seven: 7, endless: 'Infinity' }],
    });
  });
});
