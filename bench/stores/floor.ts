import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { PostgresClient } from '../clients.ts';

/** A row about as big as what Hilo keeps of one start. */
const row = (number: number): string => JSON.stringify({ id: `execution-${number}`, filler: 'x'.repeat(1_000) });

const batch = 64;

/** The floor: SQLite, one row each, 64 to a transaction, as durable as Hilo's. @returns rows a second */
export function rawSqlite(directory: string, rows: number): number {
  const database = new DatabaseSync(join(directory, 'floor.db'));
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; create table if not exists floor (id integer primary key, body text)',
  );
  const insert = database.prepare('insert into floor (body) values (?)');
  const beganMs = performance.now();
  for (let number = 0; number < rows; number += batch) {
    database.exec('begin immediate');
    for (let index = 0; index < batch; index += 1) insert.run(row(number + index));
    database.exec('commit');
  }
  const perSecond = rows / ((performance.now() - beganMs) / 1000);
  database.close();
  return perSecond;
}

/** The floor on PostgreSQL: the same over one connection. @returns rows a second */
export async function rawPostgres(url: string, rows: number): Promise<number> {
  const client = new PostgresClient({ connectionString: url });
  await client.connect();
  await client.query('create table if not exists floor (id bigint generated always as identity primary key, body text)');
  const beganMs = performance.now();
  for (let number = 0; number < rows; number += batch) {
    await client.query('begin');
    for (let index = 0; index < batch; index += 1)
      await client.query({ name: 'floor', text: 'insert into floor (body) values ($1)', values: [row(number + index)] });
    await client.query('commit');
  }
  const perSecond = rows / ((performance.now() - beganMs) / 1000);
  await client.query('drop table floor');
  await client.end();
  return perSecond;
}
