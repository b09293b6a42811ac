// Reads of one kind that arrive together go to PostgreSQL as one statement.
import { batchLoader } from '@hilo/engine/contract';
import type { Pool } from 'pg';
import type { Call, Value } from '@hilo/stores';
import {
  awaitingReply,
  type Compiled,
  contactNamed,
  nextQueued,
  seenAnswer,
  selectCrashCount,
  selectExecution,
  selectLatest,
} from '@hilo/stores/sql-kit';
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
  nextQueued,
  selectCrashCount,
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
  const { rows } = await pool.query<{ readonly request: number }>({ name: `${name}_many`, text, values: arrays });
  const found = Map.groupBy(rows, ({ request }) => request);
  return all.map((_, index) => found.get(index + 1) ?? []);
}

/** A statement with text parameters, rewritten to run once for each row of one array per parameter. `request` is that row's number. */
export function statementForMany(sql: string, places: number): string {
  const numbers = Array.from({ length: places }, (_, index) => index + 1);
  const arrays = numbers.map((number) => `$${number}::text[]`).join(', ');
  const columns = numbers.map((number) => `value${number}`).join(', ');
  return `select given.place as request, found.* from unnest(${arrays}) with ordinality as given(${columns}, place)
    cross join lateral (${sql.replaceAll(/\$(\d+)/g, 'given.value$1')}) as found`;
}
