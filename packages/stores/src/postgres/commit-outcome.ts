import type { Pool, PoolClient, QueryResult } from 'pg';
import { storeUnavailable } from '../store-error.ts';
import { isFromServer } from './postgres-fault.ts';

/** How often, and how far apart, the outcome of a transaction is queried. */
const mostQuestions = 25;
const pauseMs = 200;

/** An open transaction, and what it has read about its process. */
export interface Opened {
  /** Whether the requesting member is still a member. */
  readonly isAlive: boolean;
  commit(): Promise<void>;
}

/**
 * Opens a transaction whose outcome can be queried: when the answer to `commit` is lost, the server is asked. The transaction is neither
 * retried blindly, nor reported as a failure that did not happen (P2).
 *
 * @param member - locks the row of `members` until the end: it cannot be declared dead in between
 */
export async function openTransaction(pool: Pool, client: PoolClient, member: string): Promise<Opened> {
  // Several statements in one question have several answers.
  const answers = (await client.query(
    `begin; select pg_current_xact_id()::text as id, ${startedAt} as started, (${member}) as member`,
  )) as unknown as readonly QueryResult<{
    readonly id: string;
    readonly started: string;
    readonly member: number | null;
  }>[];
  const { id = '', started = '', member: found = null } = answers.at(-1)?.rows[0] ?? {};
  return {
    isAlive: found !== null,
    async commit() {
      try {
        await client.query('commit');
      } catch (error) {
        if (isFromServer(error)) throw error;
        await settle(pool, { id, started }, error);
      }
    },
  };
}

/** When the server was started, as text that no time zone changes. */
const startedAt = 'extract(epoch from pg_postmaster_start_time())::text';

/** A transaction as the server shows it while it runs. */
interface Named {
  readonly id: string;
  readonly started: string;
}

/**
 * A server that crashed reuses the ids of transactions that never reached its log. One that was restarted since and reports the id as
 * committed may mean another transaction: the outcome is then unknown (P1, P2).
 *
 * @throws the error of the transaction, when it did not happen; `STORE_UNAVAILABLE` when that is unknown
 */
async function settle(pool: Pool, { id, started }: Named, error: unknown): Promise<void> {
  for (let question = 1; question <= mostQuestions; question += 1) {
    const found = await readStatus(pool, id);
    if (found?.status === 'aborted') throw error;
    if (found?.status === 'committed' && found.started === started) return;
    if (found?.status === 'committed') break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw storeUnavailable('PostgreSQL: whether the commit happened is unknown', { cause: error });
}

/** @returns `undefined` while the server cannot be reached */
async function readStatus(pool: Pool, id: string): Promise<{ readonly status: string | null; readonly started: string } | undefined> {
  try {
    const { rows } = await pool.query<{ readonly status: string | null; readonly started: string }>(
      `select pg_xact_status($1::xid8) as status, ${startedAt} as started`,
      [id],
    );
    return rows[0];
  } catch {
    return undefined;
  }
}
