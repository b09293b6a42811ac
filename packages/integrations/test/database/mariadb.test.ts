import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, type Asking, ask } from './ask.ts';
import { describeDatabase } from './describe-database.ts';
import { hasMariaDb, type MariaDbServer, startMariaDb } from './mariadb-server.ts';

describe.skipIf(!hasMariaDb)('a real server of MariaDB', () => {
  let server: MariaDbServer;
  beforeAll(async () => {
    server = await startMariaDb();
  }, 120_000);
  afterAll(() => server.remove());

  const asking = (more: object = {}): Asking => {
    const { port, user: username, password } = server;
    const credential = { kind: 'mysql', host: '127.0.0.1', port, database: 'shop', username, password, tls: 'off', ...more };
    return { credential, options: { allow: [`127.0.0.1:${port}`] } };
  };
  const query = (sql: string, more: object = {}): Asked => ({
    operation: 'query',
    sql,
    parameters: [],
    readOnly: false,
    maxRows: 10,
    ...more,
  });

  describeDatabase('MariaDB', {
    asking,
    place: () => '?',
    endless: 'select sleep(3600)',
    tables: [
      'drop table if exists orders',
      'create table orders (id int auto_increment primary key, name varchar(200) collate utf8mb4_bin not null, amount bigint, note text, paid boolean, extra json) character set utf8mb4',
      'drop table if exists `Odd "name`',
      'create table `Odd "name` (`a "b`` c` text) character set utf8mb4',
    ],
  });

  it('gives values as JSON has them', async () => {
    const sql = `select 9007199254740993 as big, cast(7 as signed) as seven, cast('1.50' as decimal(5,2)) as exact, x'0102' as bytes,
      cast('2031-01-02' as date) as day, timestamp('2031-01-02 03:04:05') as at, null as none`;
    expect(await ask(asking())(query(sql))).toEqual({
      kind: 'rows',
      rows: [{ big: '9007199254740993', seven: 7, exact: '1.50', bytes: 'AQI=', day: '2031-01-02', at: '2031-01-02 03:04:05', none: null }],
    });
  });

  it.each([
    ["load data local infile '/etc/passwd' into table orders"],
    ["select load_file('/etc/passwd') as a from orders where 1 = 0 into outfile '/tmp/x'"],
    ["prepare p from 'drop table orders'"],
  ])('reads and writes no files, and hides no statement in a text: %s (T13)', async (sql) => {
    expect(await ask(asking())(query(sql))).toMatchObject({ kind: 'failed' });
  });

  it('says nothing of the password when it is refused (P31)', async () => {
    const result = await ask(asking({ username: 'nobody' }))(query('select 1'));
    expect(result).toMatchObject({ kind: 'failed', reason: 'refused' });
    expect(JSON.stringify(result)).not.toContain('canary');
  });

  it('asks for TLS where nothing else is said, and goes on without it never', async () => {
    const { credential, ...others } = asking();
    const { tls: _off, ...strict } = credential;
    expect(await ask({ ...others, credential: strict })(query('select 1'))).toMatchObject({ kind: 'failed', outcome: 'failed' });
  });
});
