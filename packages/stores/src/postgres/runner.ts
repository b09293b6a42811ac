import type { Pool, PoolClient } from 'pg';
import type { Database } from '../statements/database.ts';
import { compile, type Compiled } from '../statements/statement.ts';
import type { Asked, Runner, Steps } from '../statements/steps.ts';
import { commitOf } from './commit-outcome.ts';
import { faultOf, unavailable } from './postgres-fault.ts';

/** How often something that failed in passing is tried, and how long the first pause is; each is twice the one before. */
const mostAttempts = 6;
const firstPauseMs = 30;

/** @param begin - opens a transaction that is as durable as promised */
export function createPostgresRunner(pool: Pool, db: Database, begin: string): Runner {
  const compiled = new Map<Asked['statement'], Compiled & { readonly name: string }>();

  const compiledOf = (statement: Asked['statement']): Compiled & { readonly name: string } => {
    const found = compiled.get(statement) ?? { ...compile(statement, db), name: `hilo_${compiled.size}` };
    compiled.set(statement, found);
    return found;
  };

  const perform = async <Result>(client: PoolClient, steps: Steps<Result>): Promise<Result> => {
    let step = steps.next([]);
    while (step.done !== true) {
      const { name, sql, order } = compiledOf(step.value.statement);
      const { rows } = await client.query({ name, text: sql, values: [...order(step.value.values)] });
      step = steps.next(rows);
    }
    return step.value;
  };

  return {
    read: (steps) => again(() => withClient(pool, (client) => perform(client, steps()))),
    write: (steps, keeps = () => true) =>
      again(() =>
        withClient(pool, async (client) => {
          const commit = await commitOf(pool, client, begin);
          const result = await perform(client, steps());
          if (keeps(result)) await commit();
          else await client.query('rollback');
          return result;
        }),
      ),
  };
}

/** A client that failed is let go of with its transaction: the next one is in no state that anybody left behind. */
async function withClient<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(failure);
  }
}

/** Tries again what failed in passing: everything of the attempt before is undone. */
async function again<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let number = 1; ; number += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (faultOf(error) !== 'passing' || number === mostAttempts) throw unavailable(error);
      await new Promise((resolve) => setTimeout(resolve, firstPauseMs * 2 ** (number - 1)));
    }
  }
}
