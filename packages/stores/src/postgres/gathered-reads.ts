import type { Pool } from 'pg';
import { selectLatest } from '../statements/canvases.ts';
import type { Call } from '../statements/call.ts';
import { contactNamed } from '../statements/contacts.ts';
import { awaitingReply, selectExecution } from '../statements/executions.ts';
import { seenAnswer } from '../statements/inbox.ts';
import type { Compiled, Value } from '../statements/statement.ts';
import { retry } from './postgres-fault.ts';

/** Reads that arrive together are one statement, and one round trip, for each kind of them. */
export interface GatheredReads {
  /** Whether a statement is batched: the frequent ones, with text keys. */
  has(statement: Call['statement']): boolean;
  read(call: Call): Promise<readonly object[]>;
}

const gathered: ReadonlySet<Call['statement']> = new Set<Call['statement']>([
  selectExecution,
  contactNamed,
  selectLatest,
  awaitingReply,
  seenAnswer,
]);

/** @param compiledOf - a statement as PostgreSQL accepts it, and its prepared name */
export function createGatheredReads(
  pool: Pool,
  compiledOf: (statement: Call['statement']) => Compiled & { readonly name: string },
): GatheredReads {
  const loaders = new Map<Call['statement'], (values: readonly Value[]) => Promise<readonly object[]>>();

  const getLoader = (statement: Call['statement']) => {
    const { name, sql } = compiledOf(statement);
    return batchLoader((all: readonly (readonly Value[])[]) => retry(() => readAll(pool, name, sql, all)));
  };

  return {
    has: (statement) => gathered.has(statement),
    read({ statement, values }) {
      const load = loaders.get(statement) ?? getLoader(statement);
      loaders.set(statement, load);
      return load(compiledOf(statement).order(values));
    },
  };
}

/** @returns the rows of each request */
async function readAll(pool: Pool, name: string, sql: string, all: readonly (readonly Value[])[]): Promise<readonly (readonly object[])[]> {
  const [first = []] = all;
  if (all.length === 1) return [(await pool.query<object>({ name, text: sql, values: [...first] })).rows];
  const arrays = first.map((_, place) => all.map((values) => values[place]));
  const text = statementForMany(sql, first.length);
  const { rows } = await pool.query<{ readonly asked_by: number }>({ name: `${name}_many`, text, values: arrays });
  const found = Map.groupBy(rows, ({ asked_by }) => asked_by);
  return all.map((_, index) => found.get(index + 1) ?? []);
}

/** A statement with text parameters, rewritten to run once for each row of one array per parameter. `asked_by` is that row's number. */
export function statementForMany(sql: string, places: number): string {
  const numbers = Array.from({ length: places }, (_, index) => index + 1);
  const arrays = numbers.map((number) => `$${number}::text[]`).join(', ');
  const columns = numbers.map((number) => `value${number}`).join(', ');
  return `select given.place as asked_by, found.* from unnest(${arrays}) with ordinality as given(${columns}, place)
    cross join lateral (${sql.replaceAll(/\$(\d+)/g, 'given.value$1')}) as found`;
}

/**
 * Loads many values with one query: requests during a query are batched into the next one.
 *
 * @param ask - answers a batch, in order
 */
export function batchLoader<Asked, Answer>(ask: (all: readonly Asked[]) => Promise<readonly Answer[]>): (one: Asked) => Promise<Answer> {
  interface Waiting {
    readonly asked: Asked;
    readonly resolve: (answer: Promise<Answer>) => void;
  }
  let waiting: Waiting[] = [];
  let isAsking = false;

  const work = async (): Promise<void> => {
    isAsking = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const answers = ask(batch.map(({ asked }) => asked));
      for (const [index, { resolve }] of batch.entries()) resolve(answers.then((all) => all[index] as Answer));
      await answers.catch(() => undefined); // the callers get the error
    }
    isAsking = false;
  };

  return (asked) =>
    new Promise((resolve) => {
      waiting.push({ asked, resolve });
      if (!isAsking) queueMicrotask(() => void (isAsking || work()));
    });
}
