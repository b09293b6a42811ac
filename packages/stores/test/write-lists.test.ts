import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Connection, connect } from '../src/sqlite/connection.ts';
import { type Write, writeGroup, type WriteStatement } from '../src/sqlite/write-group.ts';

/** Statements over one small table, each of which some states of it refuse. */
const statement: fc.Arbitrary<WriteStatement> = fc
  .oneof(
    fc.record({
      sql: fc.constant('insert into t (k, n) values (?, 0) on conflict do nothing returning k'),
      key: fc.nat(3),
      rows: fc.constantFrom(1, undefined),
    }),
    fc.record({
      sql: fc.constant('update t set n = n + 1 where k = ? and n < 3 returning n'),
      key: fc.nat(3),
      rows: fc.constantFrom(1, undefined),
    }),
    fc.record({ sql: fc.constant('delete from t where k = ? returning k'), key: fc.nat(3), rows: fc.constantFrom(0, 1, undefined) }),
    fc.record({ sql: fc.constant('select k from t where k <= ?'), key: fc.nat(3), rows: fc.constantFrom(0, 2, undefined) }),
    // A mistake: the row is there already, and nothing says what then.
    fc.record({ sql: fc.constant('insert into t (k, n) values (?, 9) returning k'), key: fc.nat(3), rows: fc.constant(undefined) }),
  )
  .map(({ sql, key, rows }) => ({ sql, values: [key], rows }));

const group: fc.Arbitrary<readonly Write[]> = fc.array(fc.array(statement, { minLength: 1, maxLength: 4 }), { maxLength: 12 });

function database() {
  const connection = connect(':memory:');
  connection.once('create table t (k integer primary key, n integer not null)');
  return connection;
}

const stateOf = (connection: ReturnType<typeof database>) => connection.run('select k, n from t order by k');

const comparable = (outcomes: ReturnType<typeof writeGroup>) => outcomes.map((outcome) => ('error' in outcome ? 'error' : outcome));

describe('writes of one group', () => {
  it('come to what they come to one after the other, each in a transaction of its own', () => {
    fc.assert(
      fc.property(group, (writes) => {
        const [together, apart] = [database(), database()];
        const outcomes = writeGroup(together, writes);
        const each = writes.flatMap((write) => writeGroup(apart, [write]));
        expect(comparable(outcomes)).toEqual(comparable(each));
        expect(stateOf(together)).toEqual(stateOf(apart));
        expect(together.isInTransaction).toBe(false);
        together.close();
        apart.close();
      }),
    );
  });

  it('are judged by how many rows they write, whether they give them or not', () => {
    const silent = (write: Write): Write => write.map((one) => ({ ...one, sql: one.sql.replace(/ returning \w$/, '') }));
    const verdicts = (outcomes: ReturnType<typeof writeGroup>) =>
      outcomes.map((outcome) => ('error' in outcome ? 'error' : outcome.failed));
    fc.assert(
      fc.property(group, (writes) => {
        const [giving, counting] = [database(), database()];
        expect(verdicts(writeGroup(counting, writes.map(silent)))).toEqual(verdicts(writeGroup(giving, writes)));
        expect(stateOf(counting)).toEqual(stateOf(giving));
        giving.close();
        counting.close();
      }),
    );
  });

  it('of which all fail behind their first statement are each tried once, and nothing of them is left', () => {
    const connection = database();
    const failing: Write = [
      { sql: 'insert into t (k, n) values (?, 0) returning k', values: [1], rows: 1 },
      { sql: 'select k from t where k = ?', values: [7], rows: 1 },
    ];
    let statements = 0;
    const counted: Connection = {
      ...connection,
      run: (sql, values) => ((statements += 1), connection.run(sql, values)),
      write: (sql, values) => ((statements += 1), connection.write(sql, values)),
    };
    Object.defineProperty(counted, 'isInTransaction', { get: () => connection.isInTransaction });
    const outcomes = writeGroup(
      counted,
      Array.from({ length: 256 }, () => failing),
    );
    expect(outcomes.every((outcome) => 'failed' in outcome && outcome.failed === 1)).toBe(true);
    expect(stateOf(connection)).toEqual([]);
    expect(statements).toBe(256 * 4); // begin, both statements, rollback
    connection.close();
  });
});
