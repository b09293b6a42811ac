// What a connection gives for rows: the objects that SQLite's own interface gives, also once a table has got further columns meanwhile.
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { connect } from '../src/sqlite/connection.ts';
import { withDirectory } from './temporary-directory.ts';

const value = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => text.isWellFormed() && !text.includes('\0')),
  fc.integer(),
  fc.double({ noNaN: true }),
);

it('gives rows as SQLite gives them: every type of value, any number of rows, and of two columns of one name the last', () => {
  const [ours, theirs] = [connect(':memory:'), new DatabaseSync(':memory:')];
  const both = (text: string): void => {
    ours.once(text);
    theirs.exec(text);
  };
  both('create table t (n integer primary key, a any, b any) strict');
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value), { maxLength: 8 }), (rows) => {
      both('delete from t');
      for (const [number, [a, b]] of rows.entries()) {
        const written = [number, a, b] as const;
        const put = 'insert into t values (?, ?, ?) returning n, a, b as "a b", a as n';
        expect(ours.write(put, written)).toEqual({ rows: theirs.prepare(put).all(...written), count: 1 });
      }
      for (const asked of ['select * from t order by n', 'select n, a, b as a from t order by n', 'select count(*) from t'])
        expect(ours.run(asked)).toEqual(theirs.prepare(asked).all());
      expect(ours.write('update t set a = b', [])).toEqual({ rows: [], count: rows.length });
    }),
    { numRuns: 50 },
  );
});

it(
  'sees the columns that another connection adds to a table of which all are selected',
  withDirectory(async (directory) => {
    const path = join(directory, 'a.db');
    const [one, other] = [connect(path), connect(path)];
    one.once('create table t (a integer)');
    one.once('insert into t values (1)');
    const asked = 'select * from t';
    expect(one.run(asked)).toEqual([{ a: 1 }]);
    for (const added of ['b', 'c']) {
      other.once(`alter table t add column ${added} integer default 7`);
      expect(one.run(asked)).toEqual(other.run(asked));
      expect(Object.keys(one.run(asked)[0] ?? {}).at(-1)).toBe(added);
    }
    one.close();
    other.close();
  }),
);
