import type { Pool } from 'pg';
import { createCanvasStore } from '../canvas-store.ts';
import type { DurableStore } from '../durable-store.ts';
import { createExecutionStore } from '../execution-store.ts';
import { prune } from '../prune.ts';
import { postgresDatabase } from '../statements/database.ts';
import { StoreRefused } from '../store-refused.ts';
import { loadPool, placeOf } from './load-pg.ts';
import { faultOf } from './postgres-fault.ts';
import { prepareSchema } from './prepare-schema.ts';
import { readDurability } from './read-durability.ts';
import { createPostgresRunner } from './runner.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`. */
  readonly url: string;
  /** The schema that holds the tables, made when it is missing: `hilo`, when left out. */
  readonly schema?: string;
  /** Refuses to begin a new store: for a place where one was (P26). */
  readonly mustExist?: boolean;
  /** Connections at most: 10, when left out. */
  readonly connections?: number;
}

/**
 * Opens a store in PostgreSQL 13 or newer, for any number of processes. It needs the package `pg`.
 *
 * @throws {StoreRefused} when the server is not reached, or the schema is missing, foreign or newer
 */
export async function openPostgresStore({
  url,
  schema = 'hilo',
  mustExist = false,
  connections = 10,
}: PostgresOptions): Promise<DurableStore> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new RangeError(`"${schema}" is no name of a schema: a to z, digits and "_"`);
  const place = `${placeOf(url)}, schema ${schema}`;
  const pool = await loadPool(url, connections);
  try {
    const { begin, durability } = await prepare(pool, schema, place, mustExist);
    const runner = createPostgresRunner(pool, postgresDatabase(schema), begin);
    return {
      executions: createExecutionStore(runner),
      canvases: createCanvasStore(runner),
      durability,
      prune: (retention) => prune(runner, retention),
      close: once(() => pool.end()),
    };
  } catch (error) {
    await pool.end();
    if (faultOf(error) === 'mistake' && !isOfAuthentication(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreRefused('STORE_UNREACHABLE', { place, reason }, { cause: error });
  }
}

async function prepare(pool: Pool, schema: string, place: string, mustExist: boolean) {
  const client = await pool.connect();
  try {
    const found = await readDurability(client, place);
    await prepareSchema(client, schema, place, mustExist);
    return found;
  } finally {
    client.release(true); // with whatever transaction a refusal left open
  }
}

/** No such user, password or database. */
const isOfAuthentication = (error: unknown): boolean => error instanceof Error && 'code' in error && /^(28|3D)/.test(String(error.code));

const once = <Result>(work: () => Promise<Result>): (() => Promise<Result>) => {
  let done: Promise<Result> | undefined;
  return () => (done ??= work());
};
