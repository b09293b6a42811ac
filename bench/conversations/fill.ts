import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { countConversationDays } from '../../packages/server/src/platform/database/conversation-tables.ts';
import { defaultSettings, openService } from '../../packages/server/src/index.ts';
import { PostgresClient } from '../clients.ts';
import { client } from '../server/credentials.ts';
import { bot, workspaceWith } from '../server/workspace.ts';

/** Where a service keeps its conversations. */
export interface Place {
  /** Holds `hilo.db`, or only the key where the database is PostgreSQL's. */
  readonly data: string;
  readonly databaseUrl?: string;
}

export const operatorIds = { first: 100, count: 50 } as const;

/** The stretch over which conversations are spread evenly. */
export const days = 90;
export const firstDay = '2026-04-01';

const workspace = workspaceWith({
  clients: [client],
  bots: [bot('bot_wa', 'whatsapp'), bot('bot_web', 'web')],
  teams: [{ id: 5, name: 'Support' }],
  operators: Array.from({ length: operatorIds.count }, (_, index) => ({
    id: operatorIds.first + index,
    names: `Operator ${index}`,
    email: `operator${index}@bench.test`,
    teamIds: [5],
  })),
});

/** Creates the store of a service, with one company and a number of conversations. The database itself writes them. */
export async function fillStore({ data, databaseUrl }: Place, count: number): Promise<void> {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const service = await openService({ ...defaultSettings, data, databaseUrl }, { log, runs: false });
  await service.importWorkspace({ workspace });
  await service.close();
  await (databaseUrl === undefined ? fillSqlite(join(data, 'hilo.db'), count) : fillPostgres(databaseUrl, count));
}

/** Everybody has a name. */
const users = `
  with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 49999)
  insert into people (company_id, person_key, user_id, names) select '1', '51' || n, '51' || n, 'User ' || n from numbers where true
    on conflict (company_id, person_key) do update set names = excluded.names`;

/** Two of three on WhatsApp; each hundredth is active, the others ended in the ways in which conversations end. */
const conversations = (count: number): string => `
  with recursive numbers(n) as (select cast(0 as bigint) union all select n + 1 from numbers where n < ${count - 1}),
  begun as (select n, ${Date.parse(firstDay)} + n * 7919 % ${count} * ${Math.floor((days * 86_400_000) / count)} as start_at_ms from numbers)
  insert into conversations (company_id, id, bot_id, user_key, user_id, operator_id, team_name, state, was_replied, ended_reason,
    origin, start_at_ms, end_at_ms, first_replied_at_ms, response_count, response_total_ms, response_times_ms, last_message_by)
  select '1', 'conv_' || n, case when n % 3 = 0 then 'bot_web' else 'bot_wa' end, '51' || n % 50000, '51' || n % 50000,
    ${operatorIds.first} + n / 7 % ${operatorIds.count}, 'Support',
    case when n % 100 = 0 then 'active' when n % 10 < 6 then 'closed' when n % 10 < 8 then 'resolved' when n % 10 < 9 then 'expired' else 'transferred' end,
    n % 2, 'closed_by_operator', 'organic', start_at_ms, start_at_ms + 600000, start_at_ms + 30000, 2, 60000, '[30000,30000]', 'user'
  from begun`;

/** Nothing is counted row by row here: that is what the last statement is for. */
function fillSqlite(path: string, count: number): void {
  const database = new DatabaseSync(path);
  const triggers = database.prepare(`select name, sql from sqlite_schema where type = 'trigger' and tbl_name = 'conversations'`).all();
  database.exec('begin');
  for (const { name } of triggers) database.exec(`drop trigger ${String(name)}`);
  database.exec(users);
  database.exec(conversations(count));
  database.exec(countConversationDays());
  for (const { sql } of triggers) database.exec(String(sql));
  database.exec('commit');
  database.close();
}

/** Connects to the schema in which the tables of Hilo are. */
export async function connectTo(url: string): Promise<{ readonly database: InstanceType<typeof PostgresClient>; readonly schema: string }> {
  const database = new PostgresClient({ connectionString: url });
  await database.connect();
  const { rows } = await database.query(`select schemaname as name from pg_tables where tablename = 'conversations'`);
  const schema = String(rows[0]?.['name']);
  await database.query(`set search_path to ${schema}`);
  return { database, schema };
}

async function fillPostgres(url: string, count: number): Promise<void> {
  const { database } = await connectTo(url);
  await database.query(users);
  await database.query('alter table conversations disable trigger user');
  await database.query(conversations(count));
  await database.query(countConversationDays());
  await database.query('alter table conversations enable trigger user');
  await database.query('vacuum analyze'); // what autovacuum does on its own, some minutes later
  await database.query('checkpoint'); // so is all that was written: the questions come to a database at rest
  await database.end();
}
