import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listColumns, movedTables, notMoved, notMovedColumns } from '../../src/tenants/moving/moved-tables.ts';
import { bytesOf, contents, fill, fillings, leave, misplaced, withMoves } from './companies.ts';
import { postgresDatabase, sqliteFile } from './databases.ts';
import { drawn } from '../../../../scripts/vitest/part-of.ts';

const isNotMoved = (table: string, column: string): boolean => `${table}.${column}` in notMovedColumns || `*.${column}` in notMovedColumns;

const kinds = {
  SQLite: sqliteFile,
  PostgreSQL: postgresDatabase,
} as const;

describe.each(Object.entries(kinds))('the tables of %s', (_name, begin) => {
  it('each move with a company or say why not, column by column', async () => {
    const database = await begin();
    try {
      const known = new Map(movedTables.map((table) => [table.name, table]));
      const silent = (await database.columns()).filter(({ table, name }) => {
        const moved = known.get(table);
        if (moved === undefined) return !(table in notMoved);
        const columns = [...listColumns(moved), 'company_id', moved.number, moved.of?.column];
        return !columns.includes(name) && !isNotMoved(table, name);
      });
      expect(silent).toEqual([]); // moved-tables.ts has to say whether they move with a company
    } finally {
      await database.remove();
    }
  });
});

const pairs = [
  ['SQLite', 'SQLite', 3],
  ['SQLite', 'PostgreSQL', 2],
  ['PostgreSQL', 'PostgreSQL', 2],
  ['PostgreSQL', 'SQLite', 2],
] as const;

describe.each(drawn(pairs, 2))('from %s to %s', (from, to, numRuns) => {
  it('every row of a company moves, and none of another: there, and back again', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fillings, fillings, async (mine, others) => {
        const [a, b] = [await kinds[from](), await kinds[to]()];
        try {
          await fill(a, '1', mine);
          await fill(a, '12', others);
          await fill(b, '7', others);
          const [whole, beside, there] = [await contents(a, '1'), await contents(a, '12'), await contents(b, '7')];

          const file = await leave(a, '1');
          const staying = new Set(movedTables.flatMap(({ name, stays }) => (stays === true ? [name] : [])));
          for (const [table, rows] of Object.entries(await contents(a, '1'))) expect(rows).toEqual(staying.has(table) ? whole[table] : []);
          const { rows } = await withMoves(b, (moves) => moves.arrive(bytesOf(file)));
          expect(rows).toBe(file.join('').split('\n').length - 3);
          expect(await contents(b, '1')).toEqual(whole);
          expect(await misplaced(b)).toEqual([]);
          expect(await contents(a, '12')).toEqual(beside);
          expect(await contents(b, '7')).toEqual(there);
          expect(await b.rows('company_move_rows')).toEqual([]);

          const back = await leave(b, '1');
          await withMoves(a, (moves) => moves.arrive(bytesOf(back)));
          expect(await contents(a, '1')).toEqual(whole);
          await withMoves(b, (moves) => moves.forget('1'));
          expect(Object.values(await contents(b, '1')).flat()).toEqual([]);
          expect(await contents(b, '7')).toEqual(there);
        } finally {
          await a.remove();
          await b.remove();
        }
      }),
      { numRuns, endOnFailure: true },
    );
  });
});
