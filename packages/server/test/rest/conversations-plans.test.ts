import { DatabaseSync } from 'node:sqlite';
import type { Statement } from '@hilo/stores';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../../stores/src/schema/migrations.ts';
import { sqliteDialect } from '../../../stores/src/schema/ddl-dialect.ts';
import { postgresDatabase, sqliteDatabase } from '../../../stores/src/statements/database.ts';
import { compile } from '../../../stores/src/statements/statement.ts';
import * as sql from '../../src/conversations/sql.ts';
import {
  contactKeys,
  countConversations,
  countDays,
  filterColumns,
  type FilterName,
  pageOfConversations,
} from '../../src/conversations/list.ts';
import { figuresWithoutOperator, figuresOfOperator } from '../../src/statistics/statistics.ts';
import { openService } from '../../src/service/open-service.ts';
import { serviceTables } from '../../src/platform/database/tables.ts';
import { withPlace } from '../data/open-for-test.ts';
import { openDatabase } from '../data/runtime.ts';
import { settingsFor } from '../data/settings.ts';

const names = Object.keys(filterColumns) as FilterName[];
/** Every combination of filters. */
const combinations = Array.from({ length: 2 ** names.length }, (_, bits) => names.filter((_name, index) => (bits & (1 << index)) !== 0));

type Any = Statement<never, unknown>;
const lists: readonly (readonly [string, Any])[] = combinations.flatMap((filters) => {
  const by = filters.join(' and ') || 'nothing';
  return [
    [`a page by ${by}`, pageOfConversations(filters)],
    [`a count by ${by}`, countConversations(filters)],
  ] as const;
});
const { insertConversation: _values, joinGroup: _joins, active: _condition, ...acts } = sql;
/** Values for statements over a table value, which are made with them. */
const given = { companyId: '1', id: 'c', conversationId: 'c', leavingId: 'l', partsSent: 0, after: 1 };
const all: readonly (readonly [string, Any])[] = [
  ...lists,
  ['counts by day', countDays],
  ['the ids of a user', contactKeys],
  ['a count by the ids of a user', countConversations(['userKey', 'userKey2'])],
  ['figures of an operator', figuresOfOperator],
  ['figures without an operator', figuresWithoutOperator],
  ...Object.entries(acts).map(([name, act]) => [name, 'build' in act ? act : act(given).statement] as const),
];

describe('the plan of every statement about conversations', () => {
  const database = new DatabaseSync(':memory:');
  for (const migration of [...migrations, ...serviceTables.migrations]) for (const sql of migration(sqliteDialect)) database.exec(sql);
  const planOf = (statement: Any): readonly string[] =>
    database
      .prepare(`explain query plan ${compile(statement, sqliteDatabase()).sql}`)
      .all()
      .map(({ detail }) => String(detail));

  it.each(all)('on SQLite scans no table, and sorts no more than a page: %s', (_name, statement) => {
    const plan = planOf(statement);
    expect(plan.filter((line) => line.startsWith('SCAN ') && line !== 'SCAN page')).toEqual([]);
    const page = plan.findIndex((line) => line === 'SCAN page');
    expect(plan.slice(0, Math.max(page, 0)).filter((line) => line.includes('TEMP B-TREE'))).toEqual([]);
  });

  it.each([
    [
      'a page',
      pageOfConversations([]),
      'SEARCH conversations USING COVERING INDEX conversations_by_age (company_id=? AND start_at_ms>? AND start_at_ms<?)',
    ],
    [
      'a page of one state',
      pageOfConversations(['state']),
      'SEARCH conversations USING COVERING INDEX conversations_by_state (company_id=? AND state=? AND start_at_ms>? AND start_at_ms<?)',
    ],
    [
      'a page of one operator',
      pageOfConversations(['operatorId']),
      'SEARCH conversations USING COVERING INDEX conversations_by_operator (company_id=? AND operator_id=? AND start_at_ms>? AND start_at_ms<?)',
    ],
    [
      'a page of one bot',
      pageOfConversations(['botId']),
      'SEARCH conversations USING COVERING INDEX conversations_by_bot (company_id=? AND bot_id=? AND start_at_ms>? AND start_at_ms<?)',
    ],
    [
      'a page of one user',
      pageOfConversations(['userKey']),
      'SEARCH conversations USING COVERING INDEX conversations_by_user (company_id=? AND user_key=? AND start_at_ms>? AND start_at_ms<?)',
    ],
    [
      'a page of one bot and one state',
      pageOfConversations(['botId', 'state']),
      'SEARCH conversations USING COVERING INDEX conversations_by_bot_state (company_id=? AND bot_id=? AND state=? AND start_at_ms>? AND start_at_ms<?)',
    ],
    [
      'a page of one operator and one state',
      pageOfConversations(['operatorId', 'state']),
      'SEARCH conversations USING COVERING INDEX conversations_by_operator_state (company_id=? AND operator_id=? AND state=? AND start_at_ms>? AND start_at_ms<?)',
    ],
    [
      'a page of one bot and one operator',
      pageOfConversations(['botId', 'operatorId']),
      'SEARCH conversations USING COVERING INDEX conversations_by_bot_operator (company_id=? AND bot_id=? AND operator_id=? AND start_at_ms>? AND start_at_ms<?)',
    ],
    [
      'figures of an operator',
      figuresOfOperator,
      'SEARCH conversations USING COVERING INDEX conversations_figures (company_id=? AND operator_id=? AND start_at_ms>? AND start_at_ms<?)',
    ],
    ['conversations that are due', sql.dueConversations, 'SEARCH conversations USING INDEX conversations_due (due_at_ms<?)'],
    ['workflows that are told', sql.conversationsToReport, 'SEARCH conversations USING INDEX conversations_untold (tell_at_ms<?)'],
  ] as const)('reads %s from an index, in order', (_name, statement, search) => {
    expect(planOf(statement)).toContain(search);
  });

  it(
    'on PostgreSQL goes through no table of millions',
    withPlace(async ({ directory, log }) => {
      const settings = await openDatabase();
      const service = await openService(settingsFor(directory, settings), { log, runs: false });
      const client = new pg.Client({ connectionString: settings.databaseUrl });
      await client.connect();
      const { rows } = await client.query<{ schema: string }>(
        `select schemaname as schema from pg_tables where tablename = 'conversations'`,
      );
      const schema = rows[0]?.schema ?? 'public';
      await client.query(`set search_path to ${schema}`);
      await client.query(`insert into conversations (company_id, id, bot_id, user_key, user_id, operator_id, state, was_replied, origin, start_at_ms, response_count, response_total_ms)
          select '1', 'c' || n, 'b' || n % 3, 'u' || n % 500, 'u' || n % 500, n % 50, (array['closed', 'resolved', 'expired', 'transferred'])[1 + n % 4], n % 2, 'organic', 1767225600000 + n * 60000::bigint, 0, 0
          from generate_series(1, 20000) as n`);
      await client.query('vacuum analyze');
      await client.query(`set plan_cache_mode = force_generic_plan`);
      for (const [name, statement] of all) {
        const { sql } = compile(statement, postgresDatabase(schema));
        const places = Math.max(0, ...[...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
        await client.query(`prepare asked as ${sql}`);
        const explained = await client.query<{ 'QUERY PLAN': string }>(
          `explain execute asked${places === 0 ? '' : `(${Array.from({ length: places }, () => 'null').join(', ')})`}`,
        );
        await client.query('deallocate asked');
        const plan = explained.rows.map((row) => row['QUERY PLAN']);
        expect({ name, scans: plan.filter((line) => /Seq Scan on conversation(s|_days)/.test(line)) }).toEqual({ name, scans: [] });
      }
      await client.end();
      await service.close();
    }),
    120_000,
  );
});
