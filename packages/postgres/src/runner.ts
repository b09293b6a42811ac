import type { Pool, PoolClient, QueryResult } from 'pg';
import { type Call, createRunner, type Runner, storeUnavailable, type Written } from '@hilo/stores';
import { compile, type Compiled, createWritten, type Database, readRows } from '@hilo/stores/sql-kit';
import { createGatheredReads } from './gathered-reads.ts';
import { type Membership, takenForDead } from './membership.ts';
import { isFromServer, retry } from './postgres-fault.ts';

/** What a runner works with. */
interface RunnerParts {
  readonly pool: Pool;
  /** Connections for what finds every row by a key. */
  readonly keyed: Pool;
  readonly db: Database;
  readonly schema: string;
  /** A process that was declared dead writes nothing, however late (P8). */
  readonly membership: Pick<Membership, 'fence' | 'lose'>;
}

interface Ran {
  readonly rows: readonly unknown[];
  /** The number of returned rows or, without `returning`, of written ones. */
  readonly rowCount: number | null;
}

export function createPostgresRunner({ pool, keyed, db, schema, membership }: RunnerParts): Runner {
  const compiled = new Map<Call['statement'], Compiled & { readonly name: string }>();

  const getCompiled = (statement: Call['statement']): Compiled & { readonly name: string } => {
    const found = compiled.get(statement) ?? { ...compile(statement, db), name: `hilo_${compiled.size}` };
    compiled.set(statement, found);
    return found;
  };

  const run = (client: PoolClient, { statement, values }: Call): Promise<Ran> => {
    const { name, sql, order } = getCompiled(statement);
    return client.query<object>({ name, text: sql, values: [...order(values)] });
  };

  /** All are sent at once; statements after a failed condition are undone with the rest of the transaction. */
  const runAll = async (client: PoolClient, calls: readonly Call[]): Promise<Written> => {
    const rows: (readonly unknown[])[] = [];
    for (const [index, answer] of (await Promise.allSettled(calls.map((one) => run(client, one)))).entries()) {
      if (answer.status === 'rejected') throw answer.reason;
      rows.push(answer.value.rows);
      const one = calls[index];
      if (one?.rows !== undefined && answer.value.rowCount !== one.rows) return createWritten(calls, rows, one);
    }
    return createWritten(calls, rows);
  };

  const reads = createGatheredReads(keyed, getCompiled);
  return createRunner({
    readEach: async <Row>(calls: readonly Call<Row>[]) => {
      if (calls.every(({ statement }) => reads.has(statement)))
        return Promise.all(calls.map(async (one) => readRows(one, await reads.read(one))));
      return retry(() =>
        // All are sent at once: one round trip, however many there are.
        withClient(pool, async (client) => Promise.all(calls.map(async (one) => readRows(one, (await run(client, one)).rows)))),
      );
    },
    /** Two round trips: the transaction with all of its statements, and its end. */
    async write(calls) {
      // As of the request: a write of a process that was declared dead is refused even if it has joined again.
      const me = membership.fence();
      return retry(() =>
        withClient(pool, async (client) => {
          const member = me === 0 ? 'select 0' : `select id from "${schema}".members where id = ${me} for key share`;
          const [opened, ran] = await Promise.allSettled([openTransaction(pool, client, member), runAll(client, calls)]);
          if (opened.status === 'rejected') throw opened.reason;
          const { isAlive, commit } = opened.value;
          if (!isAlive) {
            membership.lose(me);
            throw storeUnavailable(takenForDead);
          }
          if (ran.status === 'rejected') throw ran.reason;
          const written = ran.value;
          if (written.failed === undefined) await commit();
          else await client.query('rollback');
          return written;
        }),
      );
    },
  });
}

/** A failed client is discarded with its transaction: the next one has no leftover state. */
export async function withClient<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
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

/** How often, and how far apart, the outcome of a transaction is queried. */
const maxAttempts = 25;
const pauseMs = 200;

/** An open transaction, and what it has read about its process. */
interface Opened {
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
async function openTransaction(pool: Pool, client: PoolClient, member: string): Promise<Opened> {
  // Several statements in one query have several results.
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
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
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
