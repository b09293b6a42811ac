import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { directPool, type PostgresServer, startPostgres } from './postgres-server.ts';

const portOf = ({ url }: PostgresServer): number => Number(new URL(url).port);

const tablesOf = async ({ url }: PostgresServer): Promise<readonly object[]> => {
  const pool = directPool(url);
  const { rows } = await pool.query<object>(`select tablename from pg_tables where schemaname = 'public'`);
  await pool.end();
  return rows;
};

it('is a server of its own, when another one has taken its port', async () => {
  const first = await startPostgres();
  const second = await startPostgres({ port: portOf(first) });
  const pool = directPool(first.url);
  await pool.query('create table of_the_first ()');
  await pool.end();
  expect(await tablesOf(first)).toEqual([{ tablename: 'of_the_first' }]);
  expect(await tablesOf(second)).toEqual([]);
  await second.remove();
  await first.remove();
});

it('fails when it is started again and another program has its port', async () => {
  const server = await startPostgres();
  await server.crash();
  const other = createServer((socket) => socket.destroy()).listen(portOf(server), '127.0.0.1');
  await once(other, 'listening');
  await expect(server.start()).rejects.toThrow(`PostgreSQL did not start again: another program took port ${portOf(server)}`);
  other.close();
  await once(other, 'close');
  await server.start();
  await server.remove();
});
