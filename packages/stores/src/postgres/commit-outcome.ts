import type { Pool, PoolClient, QueryResult } from 'pg';
import { StoreUnavailable } from '../store-unavailable.ts';
import { isFromServer } from './postgres-fault.ts';

/** How often, and how far apart, it is asked what became of a transaction. */
const mostQuestions = 25;
const pauseMs = 200;

/**
 * Opens a transaction whose end can be asked for: when the answer to `commit` is lost, the server is asked what became of
 * it. Neither is it tried blindly again, nor reported as a failure that did not happen (P2).
 *
 * @returns what commits it
 */
export async function commitOf(pool: Pool, client: PoolClient, begin: string): Promise<() => Promise<void>> {
  // Several statements in one question have several answers.
  const answers = (await client.query(`${begin}; select pg_current_xact_id()::text as id`)) as unknown as readonly QueryResult<{
    readonly id: string;
  }>[];
  const id = answers.at(-1)?.rows[0]?.id ?? '';
  return async () => {
    try {
      await client.query('commit');
    } catch (error) {
      if (isFromServer(error)) throw error;
      await settle(pool, id, error);
    }
  };
}

/** @throws what the transaction failed with, when it did not happen */
async function settle(pool: Pool, id: string, error: unknown): Promise<void> {
  for (let question = 1; question <= mostQuestions; question += 1) {
    const status = await statusOf(pool, id);
    if (status === 'committed') return;
    if (status === 'aborted') throw error;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new StoreUnavailable('PostgreSQL: whether the commit happened is unknown', { cause: error });
}

/** @returns nothing while the server cannot be asked */
async function statusOf(pool: Pool, id: string): Promise<string | undefined> {
  try {
    const { rows } = await pool.query<{ readonly status: string }>('select pg_xact_status($1::xid8) as status', [id]);
    return rows[0]?.status;
  } catch {
    return undefined;
  }
}
