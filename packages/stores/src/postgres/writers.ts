import type { Pool } from 'pg';
import { StoreUnavailable } from '../store-unavailable.ts';

/**
 * A row that each group of commits takes from one token to the next, in its own statement, and leaves its answer in. It is
 * what a group whose answer was lost is asked by (P2).
 */
export interface Writer {
  readonly id: number;
  token: string;
  /** Whether the row may be gone, or what it holds unknown: then another is made. */
  isOver: boolean;
}

/** The rows that this process writes with: one for each group in flight. */
export interface Writers {
  take(): Promise<Writer>;
  giveBack(writer: Writer): void;
  /**
   * What became of a group whose answer was lost. Where it has not happened it never will: its token is given up, so that the
   * statement changes nothing however late the server gets it.
   *
   * @returns its answer; nothing where it has not happened
   * @throws {StoreUnavailable} while the server cannot be asked
   */
  outcome(writer: Writer, token: string, error: unknown): Promise<string | undefined>;
  /** Finds out whether a writer's row is still there. */
  check(writer: Writer): Promise<void>;
}

/** How often, and how far apart, the server is asked. */
const mostQuestions = 25;
const pauseMs = 200;

/** A row that was not written for so long is a dead process's. */
const forgottenAfterMs = 86_400_000;

export function createWriters(pool: Pool, schema: string): Writers {
  const table = `"${schema}".writers`;
  const nowMs = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
  const idle: Writer[] = [];

  const make = async (): Promise<Writer> => {
    await pool.query(`delete from ${table} where at_ms < ${nowMs} - $1`, [forgottenAfterMs]);
    const { rows } = await pool.query<{ readonly id: number; readonly token: string }>(
      `insert into ${table} (token, at_ms) values ('0', ${nowMs}) returning id, token`,
    );
    const [made] = rows;
    if (made === undefined) throw new Error('A writer was made, and PostgreSQL does not say which');
    return { ...made, isOver: false };
  };

  /** @returns the token that the row has after the one that was lost was given up */
  const giveUp = async ({ id, token }: Writer, instead: string): Promise<{ readonly token: string; readonly answer: string | null }[]> => {
    await pool.query(`update ${table} set token = $3, answer = null where id = $1 and token = $2`, [id, token, instead]);
    const { rows } = await pool.query<{ readonly token: string; readonly answer: string | null }>(
      `select token, answer from ${table} where id = $1`,
      [id],
    );
    return rows;
  };

  return {
    take: async () => idle.pop() ?? make(),
    giveBack(writer) {
      if (!writer.isOver) idle.push(writer);
    },
    async outcome(writer, token, error) {
      const instead = `${token} given up`;
      for (let question = 1; question <= mostQuestions; question += 1) {
        try {
          const [row] = await giveUp(writer, instead);
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
      throw new StoreUnavailable('PostgreSQL: whether the commit happened is unknown', { cause: error });
    },
    async check(writer) {
      const { rows } = await pool.query(`select from ${table} where id = $1 and token = $2`, [writer.id, writer.token]);
      writer.isOver = rows.length === 0;
    },
  };
}
