// Runs statements on SQLite.
import { findsParts, findsPartsName } from '../folded-text.ts';
import { type Call, createRunner, createWritten, readRows, type Runner } from '../statements/call.ts';
import { sqliteDatabase } from '../statements/database.ts';
import { compile, type Compiled } from '../statements/statement.ts';
import { storeClosed } from '../store-error.ts';
import type { Connection } from './connection.ts';
import { createGroupCommit } from './group-commit.ts';
import { sqliteFault, withFaults } from './sqlite-fault.ts';
import type { WriteStatement } from './write-group.ts';
import type { Writer } from './writer.ts';

/** Runs statements on SQLite. */
export interface SqliteRunner extends Runner {
  /** A statement as SQLite accepts it. */
  sqlOf(statement: Call['statement']): string;
  /** See `rewrite` of a store. */
  rewrite(): Promise<void>;
  close(): Promise<void>;
}

const db = sqliteDatabase();
/** What is compiled does not depend on the file: the stores of a process share it. */
const compiled = new WeakMap<Call['statement'], Compiled>();

function getCompiled(statement: Call['statement']): Compiled {
  const found = compiled.get(statement) ?? compile(statement, db);
  compiled.set(statement, found);
  return found;
}

/** @param connection - for reads: it sees what the writer has committed */
export function createSqliteRunner(connection: Connection, writer: Writer): SqliteRunner {
  connection.define(findsPartsName, findsParts);
  const group = createGroupCommit(writer);
  let isClosed = false;
  let rewriting: Promise<void> = Promise.resolve();
  let nextRewriting: Promise<void> | undefined;

  const createStatement = ({ statement, values, rows }: Call): WriteStatement => {
    const { sql, order } = getCompiled(statement);
    return { sql, values: order(values), rows };
  };

  const runner = createRunner({
    async readEach<Row>(calls: readonly Call<Row>[]) {
      if (isClosed) throw storeClosed();
      return withFaults(() => {
        if (connection.isInTransaction) connection.run('rollback'); // else it would read uncommitted data
        return calls.map((one) => {
          const { sql, values } = createStatement(one);
          return readRows(one, connection.run(sql, values));
        });
      });
    },
    async write(calls) {
      const outcome = await group.add(calls.map(createStatement));
      if ('error' in outcome) throw sqliteFault(outcome.error);
      return createWritten(calls, outcome.rows, outcome.failed === undefined ? undefined : calls[outcome.failed]);
    },
  });
  return {
    ...runner,
    sqlOf: (statement) => getCompiled(statement).sql,
    rewrite() {
      if (isClosed) return Promise.reject(storeClosed());
      // Whoever asks while one is under way shares the next: that one sees what they have removed.
      const next = (nextRewriting ??= rewriting.then(() => {
        nextRewriting = undefined;
        const begun = writer.rewrite?.().catch((error: unknown) => Promise.reject(sqliteFault(error))) ?? Promise.resolve();
        rewriting = begun.catch(() => undefined);
        return begun;
      }));
      return next;
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await group.close();
      connection.close();
      await writer.close(); // the last to close the file checkpoints the log
    },
  };
}
