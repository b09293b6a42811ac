import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { PostgresClient } from '../clients.ts';

/** The row of the floor: 1 kB, about the size of a start in Hilo. */
const row = (number: number): string => JSON.stringify({ id: `execution-${number}`, filler: 'x'.repeat(1_000) });

/** The data of one start in Hilo: its state and its history, in one row. */
const keptBytes = 1_060;

const batch = 64;

/** @returns rows a second */
export const rawSqlite = (directory: string, rows: number): number =>
  sqliteRate(join(directory, 'floor.db'), rows, 'create table if not exists floor (id integer primary key, body text)', (database) => {
    const insert = database.prepare('insert into floor (body) values (?)');
    return (number) => void insert.run(row(number));
  });

/** @returns starts a second, as far as keeping them goes */
export const sqliteByHand = (directory: string, starts: number): number =>
  sqliteRate(join(directory, 'by-hand.db'), starts, byHandSchema, (database) => {
    const execution = database.prepare(
      'insert into executions (name, workflow, status, user, created, due, body) values (?, ?, ?, ?, ?, ?, ?)',
    );
    const contact = database.prepare('insert into contacts (user, phone) values (?, ?)');
    const key = database.prepare('insert into keys (key, execution, created) values (?, ?, ?)');
    return (number) => {
      const user = `51999${process.hrtime.bigint()}`; // another in every round
      const name = randomBytes(16).toString('hex');
      const body = JSON.stringify({ id: number, filler: 'x'.repeat(keptBytes) });
      execution.run(name, 'parking', 'waiting', user, number, number, body);
      contact.run(user, user);
      key.run(`start-${user}`, name, number);
    };
  });

/** A row for an execution, indexed by its random id, workflow, status, user, age and due time; one for the user, and one for the idempotency key. */
const byHandSchema = `
  create table if not exists executions (id integer primary key, name text, workflow text, status text, user text, created integer, due integer, body text);
  create unique index if not exists by_name on executions (name);
  create index if not exists by_workflow on executions (workflow, id);
  create index if not exists by_status on executions (status, id);
  create index if not exists by_user on executions (user, id);
  create index if not exists by_age on executions (created, id);
  create index if not exists by_due on executions (due, id);
  create table if not exists contacts (id integer primary key, user text, phone text);
  create unique index if not exists contacts_by_user on contacts (user);
  create index if not exists contacts_by_phone on contacts (phone);
  create table if not exists keys (key text primary key, execution text, created integer) without rowid`;

/** @returns starts a second in the leanest layout that still finds an execution by its number, by its user's row, and when it is due */
export const sqliteLean = (directory: string, starts: number): number =>
  sqliteRate(join(directory, 'lean.db'), starts, leanSchema, (database) => {
    const execution = database.prepare('insert into executions (secret, workflow, status, due, body) values (?, ?, ?, ?, ?)');
    const contact = database.prepare('insert into contacts (user, executions) values (?, ?)');
    return (number) => {
      const user = `51999${process.hrtime.bigint()}`;
      const body = JSON.stringify({ id: number, filler: 'x'.repeat(keptBytes) });
      const { lastInsertRowid } = execution.run(randomBytes(16), 1, 1, number, body);
      contact.run(user, `[${lastInsertRowid}]`);
    };
  });

/** The number of a row is part of the execution's id; a user's row has the numbers of the user's executions. */
const leanSchema = `
  create table if not exists executions (id integer primary key, secret blob, workflow integer, status integer, due integer, body text);
  create index if not exists by_due on executions (due);
  create table if not exists contacts (user text primary key, executions text) without rowid`;

/** SQLite, 64 per transaction, with Hilo's durability. @returns the rate of the work that `prepare` returns, per second */
function sqliteRate(path: string, rows: number, schema: string, prepare: (database: DatabaseSync) => (number: number) => void): number {
  const database = new DatabaseSync(path);
  database.exec(`pragma journal_mode = wal; pragma synchronous = full; ${schema}`);
  const write = prepare(database);
  const beganMs = performance.now();
  for (let number = 0; number < rows; number += batch) {
    database.exec('begin immediate');
    for (let index = 0; index < batch; index += 1) write(number + index);
    database.exec('commit');
  }
  const perSecond = rows / ((performance.now() - beganMs) / 1000);
  database.close();
  return perSecond;
}

/** The floor on PostgreSQL: one row each, over one connection. @returns rows a second */
export async function rawPostgres(url: string, rows: number): Promise<number> {
  const client = new PostgresClient({ connectionString: url });
  await client.connect();
  const table = `floor_${process.pid}`; // of each process that writes at the same time
  await client.query(`create table ${table} (id bigint generated always as identity primary key, body text)`);
  const beganMs = performance.now();
  for (let number = 0; number < rows; number += batch) {
    await client.query('begin');
    for (let index = 0; index < batch; index += 1)
      await client.query({ name: 'floor', text: `insert into ${table} (body) values ($1)`, values: [row(number + index)] });
    await client.query('commit');
  }
  const perSecond = rows / ((performance.now() - beganMs) / 1000);
  await client.query(`drop table ${table}`);
  await client.end();
  return perSecond;
}
