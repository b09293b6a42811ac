import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { migrations } from '../src/schema/migrations.ts';
import { sqliteDialect } from '../src/schema/ddl-dialect.ts';
import * as canvases from '../src/statements/canvases.ts';
import * as contacts from '../src/statements/contacts.ts';
import { sqliteDatabase } from '../src/statements/database.ts';
import * as executions from '../src/statements/executions.ts';
import * as lanes from '../src/statements/lane-sql.ts';
import * as held from '../src/statements/held-signals.ts';
import * as inbox from '../src/statements/inbox.ts';
import * as retentionQueries from '../src/statements/retention.ts';
import * as anew from '../src/statements/rows-anew.ts';
import { compile, type Statement } from '../src/statements/statement.ts';

const { listExecutions, bornColumns: _born, advancedColumns: _advanced, recordColumns: _read, ...queries } = executions;
const { queueColumns: _queued, ...inboxQueries } = inbox;
const { laneQueries, ownPart: _ofPostgres, ...ofLanes } = lanes;
// SQLite has no index of the ends of delivery ids.
const { deleteSeen: _byEnd, ...retention } = retentionQueries;
// Read whole at a start: there are at most a thousand of a company.
const { awaitedHeld: _awaited, ...ofHeld } = held;
const { dueWaits, dueWaitsOf, earliestDue, unfinishedLanes } = laneQueries(false);
const filters = [
  [],
  ['userKey'],
  ['workflowId'],
  ['status'],
  ['userKey', 'workflowId'],
  ['userKey', 'status'],
  ['workflowId', 'status'],
  ['userKey', 'workflowId', 'status'],
] as const;
const lists = Object.fromEntries(filters.map((names) => [`a list by ${names.join(' and ') || 'age'}`, listExecutions(names)]));
const statements: { readonly [name: string]: Statement<never, unknown> } = {
  ...queries,
  ...lists,
  ...contacts,
  dueWaits,
  dueWaitsOf,
  earliestDue,
  unfinishedLanes,
  ...ofLanes,
  ...inboxQueries,
  ...retention,
  ...anew,
  ...ofHeld,
  ...canvases,
};
/** Of what there may be any number of rows. */
const pages: { readonly [name: string]: Statement<never, unknown> } = {
  ...lists,
  dueWaits,
  dueWaitsOf,
  unfinishedLanes,
  endedExecutions: retention.endedExecutions,
  executionsAfter: anew.executionsAfter,
};

describe('the plan of every statement', () => {
  const database = new DatabaseSync(':memory:');
  for (const migration of migrations) for (const sql of migration(sqliteDialect)) database.exec(sql);
  const planOf = (statement: Statement<never, unknown>): readonly string[] =>
    database
      .prepare(`explain query plan ${compile(statement, sqliteDatabase()).sql}`)
      .all()
      .map(({ detail }) => String(detail));

  // What is read whole on purpose: the few rows of an inner query, and rows that a statement is given.
  const isScan = (line: string): boolean =>
    line.startsWith('SCAN ') &&
    !/^SCAN (queued$|unsettled$|periods$|companies$|page$|named$|by_phone$|by_bsuid$|CONSTANT ROW|listed VIRTUAL TABLE|\(subquery)/.test(
      line,
    );

  it.each(Object.entries(statements))('never goes through a whole table: %s', (_name, statement) => {
    expect(planOf(statement).filter(isScan)).toEqual([]);
  });

  it.each([
    ['due', dueWaits, 'executions_due '],
    ['due of a company', dueWaitsOf, 'executions_due_by_company (company_id=? AND due_at_ms>? AND due_at_ms<?)'],
    ['nextDueMs', earliestDue, 'executions_due '],
    ['awaitingReply', executions.awaitingReply, 'executions_replying'],
    ['awaitingSignal', executions.awaitingSignal, 'executions_listening'],
    ['unfinishedIn', executions.unsettledExecutions, 'executions_unsettled'],
    ['nextQueued', inbox.nextQueued, 'queue_by_lane'],
    ['nextQueued of what is internal', inbox.nextInternal, 'queue_by_lane'],
    ['how much is queued', inbox.queuedCounts, 'COVERING INDEX queue_by_lane'],
    ['held signals', held.heldOf, 'held_signals_by_name'],
    ['list', listExecutions([]), 'executions_by_age'],
  ] as const)('takes the rows of %s from their index, in order', (_name, statement, index) => {
    const plan = planOf(statement);
    expect(plan[0]).toContain(index);
    expect(plan.filter((line) => line.includes('TEMP B-TREE'))).toEqual([]);
  });

  it.each(Object.entries(lists).filter(([name]) => name.includes('userKey')))(
    'looks the user up in its index, and takes those rows alone, in order: %s',
    (_name, statement) => {
      const plan = planOf(statement);
      expect(plan).toContain('SEARCH own USING COVERING INDEX executions_by_user (<expr>=? AND company_id=? AND user_key=?)');
      expect(plan[0]).toMatch(/^SEARCH executions .*\b(id|rowid)=\?/);
      expect(plan.filter((line) => line.includes('TEMP B-TREE'))).toEqual([]);
    },
  );

  it('looks a contact up by each of its ids', () => {
    const indexes = [
      'contacts_by_phone (company_id=? AND bot_id=? AND phone_key=?)',
      'contacts_by_bsuid (company_id=? AND bot_id=? AND bsuid_key=?)',
    ];
    expect(planOf(contacts.contactOfAlias)).toEqual(expect.arrayContaining(indexes.map((index) => `SEARCH contacts USING INDEX ${index}`)));
  });

  it.each(Object.entries(pages))('reads no more than the page that is asked for: %s', (_name, statement) => {
    expect(compile(statement, sqliteDatabase()).sql).toMatch(/ limit \?$/);
  });

  it('jumps from company to company in the index of their timers', () => {
    expect(planOf(lanes.companiesWithTimers).filter((line) => line.includes('SEARCH executions'))).toEqual([
      'SEARCH executions USING COVERING INDEX executions_due_by_company (company_id>?)',
      'SEARCH executions USING COVERING INDEX executions_due_by_company (company_id>?)',
      'SEARCH executions USING COVERING INDEX executions_due_by_company (company_id=? AND due_at_ms<?)',
    ]);
  });

  it('takes unfinished lanes from two indexes, in order, and stops at the page', () => {
    const read = planOf(unfinishedLanes).filter((line) => / (queue|executions) /.test(line));
    expect(read).toEqual([
      'SEARCH queue USING COVERING INDEX queue_by_lane (lane>?)',
      'SEARCH executions USING INDEX executions_unsettled (lane>?)',
    ]);
  });
});
