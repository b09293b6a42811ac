import { describe, expect, it } from 'vitest';
import { selectLatest } from './canvases.ts';
import { postgresDatabase, sqliteDatabase } from './database.ts';
import { laneQueries } from './lane-sql.ts';
import { compile } from './statement.ts';

describe('a limit', () => {
  it.each([
    ['SQLite', sqliteDatabase()],
    ['PostgreSQL', postgresDatabase('hilo')],
  ] as const)('is part of the statement when it is constant, on %s', (_name, db) => {
    const latest = compile(selectLatest, db);
    expect(latest.sql).toMatch(/ limit 1$/);
    expect(latest.order({ companyId: '1', workflowId: 'order' })).toEqual(['1', 'order']);
  });

  it('is a parameter otherwise', () => {
    const due = compile(laneQueries(false).dueWaits, sqliteDatabase());
    expect(due.sql).toMatch(/ limit \?$/);
    expect(due.order({ atMs: 7, me: 0, limit: 5 }).at(-1)).toBe(5);
  });
});
