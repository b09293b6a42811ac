import { describe, expect, it } from 'vitest';
import { selectLatest } from './canvases.ts';
import { postgresDatabase, sqliteDatabase } from './database.ts';
import { laneQueries } from './lane-sql.ts';
import { compile, statement, valuesOf } from './statement.ts';

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

describe('the parameters of a statement', () => {
  const removeQueued = (build: (given: { readonly lane: string; readonly seq: number }) => { readonly lane?: string }) =>
    compile(
      statement<{ readonly lane: string; readonly seq: number }>()((db, given) =>
        db.deleteFrom('queue').where('lane', '=', build(given).lane ?? 'nobody'),
      ),
      sqliteDatabase(),
    );

  it('are read by name, one by one or together', () => {
    expect(removeQueued(({ lane }) => ({ lane })).order({ lane: 'a', seq: 1 })).toEqual(['a']);
    expect(removeQueued((given) => valuesOf(given, ['lane'])).order({ lane: 'a', seq: 1 })).toEqual(['a']);
  });

  it.each([
    ['a rest', ({ seq: _seq, ...rest }: { readonly lane: string; readonly seq: number }) => rest],
    ['a spread', (given: { readonly lane: string; readonly seq: number }) => ({ ...given })],
  ])('are refused as %s, which would have none of them', (_name, build) => {
    expect(() => removeQueued(build)).toThrow('The parameters of a statement are read by their names: name each');
  });
});
