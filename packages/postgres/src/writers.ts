import { nowMs } from '@hilo/stores/sql-kit';
import type { Pool, QueryResult } from 'pg';
import { storeUnavailable } from '@hilo/stores';

/**
 * A row that each group of commits moves from one token to the next, in its own statement, together with its answer. By it the outcome
 * of a group whose answer was lost is found (P2).
 */
export interface Writer {
  readonly id: number;
  token: string;
  /** Whether the row may be missing, or its content unknown: then another one is created. */
  isOver: boolean;
}

interface WriterRow {
  readonly id: number;
  readonly token: string;
  readonly answer: string | null;
}

/** The rows that this process writes with: one for each group in flight. */
export interface Writers {
  take(): Promise<Writer>;
  giveBack(writer: Writer): void;
  /**
   * The outcome of a group whose answer was lost. If it has not happened it never will: its token is invalidated, so that the statement
   * changes nothing however late it reaches the server.
   *
   * @returns its answer; `undefined` when it has not happened
   * @throws {HiloError} `STORE_UNAVAILABLE` while the server cannot be reached
   */
  outcome(writer: Writer, token: string, error: unknown): Promise<string | undefined>;
  /** Finds out whether a writer's row is still there. */
  check(writer: Writer): Promise<void>;
}

/** How often, and how far apart, the server is queried. */
const maxAttempts = 25;
const pauseMs = 200;

/** A row that was not written for so long is a dead process's. */
const forgottenAfterMs = 86_400_000;

export function createWriters(pool: Pool, schema: string): Writers {
  const table = `"${schema}".writers`;
  const idle: Writer[] = [];

  const make = async (): Promise<Writer> => {
    // Without a wait for the disk: the first group makes it durable, and where a crash comes before, another row is made.
    const answers = (await pool.query(`begin; set local synchronous_commit to off;
      with forgotten as (delete from ${table} where at_ms < ${nowMs} - ${forgottenAfterMs})
        insert into ${table} (token, at_ms) values ('0', ${nowMs}) returning id, token;
      commit`)) as unknown as readonly QueryResult<WriterRow>[];
    const made = answers.flatMap(({ rows }) => rows)[0];
    if (made === undefined) throw new Error('A writer was made, and PostgreSQL does not say which');
    return { id: made.id, token: made.token, isOver: false };
  };

  /** @returns the row after the lost token was invalidated, unless it had moved on */
  const giveUp = async ({ id, token }: Writer, instead: string): Promise<WriterRow | undefined> => {
    const given = await pool.query<WriterRow>(
      `update ${table} set token = $3, answer = null where id = $1 and token = $2 returning id, token, answer`,
      [id, token, instead],
    );
    // Only another statement sees what was written while this one waited for the row.
    const { rows } =
      given.rows.length > 0 ? given : await pool.query<WriterRow>(`select id, token, answer from ${table} where id = $1`, [id]);
    return rows[0];
  };

  return {
    take: async () => idle.pop() ?? make(),
    giveBack(writer) {
      if (!writer.isOver) idle.push(writer);
    },
    async outcome(writer, token, error) {
      const instead = `${token} given up`;
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        try {
          const row = await giveUp(writer, instead);
          if (row === undefined) break;
          writer.token = row.token;
          if (row.token === instead) return undefined;
          if (row.token === token) return row.answer ?? undefined;
          break;
        } catch {
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
        }
      }
      writer.isOver = true;
      throw storeUnavailable('PostgreSQL: whether the commit happened is unknown', { cause: error });
    },
    async check(writer) {
      const { rows } = await pool.query(`select from ${table} where id = $1 and token = $2`, [writer.id, writer.token]);
      writer.isOver = rows.length === 0;
    },
  };
}
