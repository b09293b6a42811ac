import type { Database } from '../statements/database.ts';
import { compile, type Compiled } from '../statements/statement.ts';
import type { Asked, Runner, Steps } from '../statements/steps.ts';
import { StoreUnavailable } from '../store-unavailable.ts';
import { createCommitNumbers } from './commit-number.ts';
import type { Connection } from './connection.ts';
import { createGroupCommit, undoLeftOver } from './group-commit.ts';
import type { Witness } from './witness.ts';

/** Runs steps on SQLite, each through without a pause. */
export interface SqliteRunner extends Runner {
  close(): void;
}

export function createSqliteRunner(connection: Connection, db: Database, witness: Witness): SqliteRunner {
  const group = createGroupCommit(connection, createCommitNumbers(connection, witness));
  const compiled = new Map<Asked['statement'], Compiled>();
  let isClosed = false;

  const compiledOf = (statement: Asked['statement']): Compiled => {
    const found = compiled.get(statement) ?? compile(statement, db);
    compiled.set(statement, found);
    return found;
  };

  const run = ({ statement, values }: Asked): readonly unknown[] => {
    const { sql, order } = compiledOf(statement);
    return connection.run(sql, order(values));
  };

  const perform = <Result>(steps: Steps<Result>): Result => {
    let step = steps.next([]);
    while (step.done !== true) {
      step = steps.next(step.value.map(run));
    }
    return step.value;
  };

  return {
    async read(steps) {
      if (isClosed) throw new StoreUnavailable('The store is closed');
      undoLeftOver(connection); // else it would see what was never committed
      return perform(steps());
    },
    write: (steps, keeps = () => true) => group.add(() => perform(steps()), keeps),
    close() {
      if (isClosed) return;
      isClosed = true;
      group.close();
      connection.close();
      witness.close();
    },
  };
}
