import type { Pool } from 'pg';
import { StoreRefused } from '../store-refused.ts';

/** PostgreSQL's number for 64-bit integers, which come as text: ours are instants and counts, far below 2^53. */
const int8 = 20;

/**
 * Connections to a server. The client library is loaded now and not before: who keeps to SQLite need not install it.
 *
 * @throws {StoreRefused} `STORE_UNREACHABLE` when it is not installed
 */
export async function loadPool(url: string, connections: number): Promise<Pool> {
  const pg = await import('pg').then(
    (module) => module.default,
    (error: unknown) => {
      throw new StoreRefused(
        'STORE_UNREACHABLE',
        { place: placeOf(url), reason: 'the package "pg" is not installed: npm install pg' },
        { cause: error },
      );
    },
  );
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: 'hilo',
    keepAlive: true,
    // Nothing waits for ever (P13); a process that was paused in a transaction holds nobody up for long.
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    query_timeout: 35_000,
    idle_in_transaction_session_timeout: 30_000,
    types: {
      getTypeParser: (id: number) => (id === int8 ? Number : (pg.types.getTypeParser(id) as (text: string) => unknown)),
    },
  });
  // A connection that breaks is told of by whoever uses it, or replaced; without listeners it would end the process.
  const ignore = (): void => undefined;
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

/** The address without what is secret in it. */
export function placeOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? 'PostgreSQL' : `PostgreSQL at ${parsed.hostname}:${parsed.port || '5432'}${parsed.pathname}`;
}
