import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSqliteProcesses } from '../../src/database/sqlite-processes.ts';
import { systemClock } from '../../src/system-clock.ts';
import { type Asked, ask } from './ask.ts';
import { describeDatabase } from './describe-database.ts';

const base = mkdtempSync(join(tmpdir(), 'hilo-database-'));
const sqliteDirectory = join(base, 'company');
const query = (sql: string, readOnly = false): Asked => ({ operation: 'query', sql, parameters: [], readOnly, maxRows: 10 });
const asked = (file: string, request: Asked) => ask({ credential: { kind: 'sqlite', file }, sqliteDirectory })(request);

beforeAll(() => {
  mkdirSync(sqliteDirectory);
  new DatabaseSync(join(sqliteDirectory, 'shop.db')).exec('pragma journal_mode = wal');
  new DatabaseSync(join(base, 'other.db')).exec('create table secrets (a text)');
});
afterAll(() => rmSync(base, { recursive: true }));

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
    const processes = createSqliteProcesses(systemClock);
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

  it('gives whole numbers, bytes and nothing as JSON has them', async () => {
    const sql = "select 9007199254740993 as big, 1.5 as half, x'0102' as bytes, null as none, 7 as seven, 9e999 as endless";
    expect(await asked('shop.db', query(sql, true))).toEqual({
      kind: 'rows',
      rows: [{ big: '9007199254740993', half: 1.5, bytes: 'AQI=', none: null, seven: 7, endless: 'Infinity' }],
    });
  });
});
