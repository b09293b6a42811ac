import type { Pool, PoolClient } from 'pg';
import type { Database } from '../statements/database.ts';
import { compile, type Compiled } from '../statements/statement.ts';
import type { Asked, Runner, Steps } from '../statements/steps.ts';
import { StoreUnavailable } from '../store-unavailable.ts';
import { again } from './again.ts';
import { openTransaction } from './commit-outcome.ts';
import { takenForDead, type Membership } from './membership.ts';

/** Where a runner's transactions happen. */
interface Place {
  readonly pool: Pool;
  readonly db: Database;
  readonly schema: string;
  /** Opens a transaction that is as durable as promised. */
  readonly begin: string;
  /** A process that was taken for dead writes nothing, however late it comes (P8). */
  readonly membership: Pick<Membership, 'fence' | 'lose'>;
}

export function createPostgresRunner({ pool, db, schema, begin, membership }: Place): Runner {
  const compiled = new Map<Asked['statement'], Compiled & { readonly name: string }>();

  const compiledOf = (statement: Asked['statement']): Compiled & { readonly name: string } => {
    const found = compiled.get(statement) ?? { ...compile(statement, db), name: `hilo_${compiled.size}` };
    compiled.set(statement, found);
    return found;
  };

  const run = async (client: PoolClient, { statement, values }: Asked): Promise<readonly unknown[]> => {
    const { name, sql, order } = compiledOf(statement);
    return (await client.query<object>({ name, text: sql, values: [...order(values)] })).rows;
  };

  const perform = async <Result>(client: PoolClient, steps: Steps<Result>): Promise<Result> => {
    let step = steps.next([]);
    while (step.done !== true) {
      step = steps.next(await allOf(step.value.map((asked) => run(client, asked))));
    }
    return step.value;
  };

  return {
    read: (steps) => again(() => withClient(pool, (client) => perform(client, steps()))),
    async write(steps, keeps = () => true) {
      // Of the moment it was asked for: what a process wanted that was taken for dead is not written by what it is now.
      const me = membership.fence();
      return again(() =>
        withClient(pool, async (client) => {
          const member = me === 0 ? 'select 0' : `select id from "${schema}".members where id = ${me} for key share`;
          const { isAlive, commit } = await openTransaction(pool, client, begin, member);
          if (!isAlive) {
            membership.lose(me);
            throw new StoreUnavailable(takenForDead);
          }
          const result = await perform(client, steps());
          if (keeps(result)) await commit();
          else await client.query('rollback');
          return result;
        }),
      );
    },
  };
}

/** Waits for every answer, that of the last as well: the connection is in nobody's way afterwards. */
async function allOf<Answer>(answers: readonly Promise<Answer>[]): Promise<readonly Answer[]> {
  await Promise.allSettled(answers);
  return Promise.all(answers);
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
