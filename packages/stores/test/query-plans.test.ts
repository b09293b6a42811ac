import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { firstTables } from '../src/schema/first-tables.ts';
import { sqliteWords } from '../src/schema/words.ts';
import * as canvases from '../src/statements/canvases.ts';
import * as contacts from '../src/statements/contacts.ts';
import { sqliteDatabase } from '../src/statements/database.ts';
import * as executions from '../src/statements/executions.ts';
import * as histories from '../src/statements/histories.ts';
import * as queue from '../src/statements/queue.ts';
import * as retention from '../src/statements/retention.ts';
import * as seen from '../src/statements/seen.ts';
import { compile, type Statement } from '../src/statements/statement.ts';

const { listExecutions, ...questions } = executions;
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
  ...questions,
  ...lists,
  ...histories,
  ...contacts,
  ...queue,
  ...seen,
  ...retention,
  ...canvases,
};

describe('the plan of every statement', () => {
  const database = new DatabaseSync(':memory:');
  for (const sql of firstTables(sqliteWords)) database.exec(sql);
  const planOf = (statement: Statement<never, unknown>): readonly string[] =>
    database
      .prepare(`explain query plan ${compile(statement, sqliteDatabase()).sql}`)
      .all()
      .map(({ detail }) => String(detail));

  // What is read whole on purpose: the queue, at start-up; and the few rows of an inner query.
  const isScan = (line: string): boolean => line.startsWith('SCAN ') && !/^SCAN (queue|CONSTANT ROW|\(subquery)/.test(line);

  it.each(Object.entries(statements))('never goes through a whole table: %s', (_name, statement) => {
    expect(planOf(statement).filter(isScan)).toEqual([]);
  });

  it.each([
    ['due', executions.dueWaits, 'executions_due'],
    ['nextDueMs', executions.earliestDue, 'executions_due'],
    ['awaitingReply', executions.awaitingReply, 'executions_replying'],
    ['awaitingSignal', executions.awaitingSignal, 'executions_listening'],
    ['unsettled', executions.unsettledExecutions, 'executions_unsettled'],
    ['list', listExecutions([]), 'executions_by_age'],
  ] as const)('takes the rows of %s from their index, in order', (_name, statement, index) => {
    const plan = planOf(statement);
    expect(plan).toHaveLength(1);
    expect(plan[0]).toContain(index);
  });
});
