import type { Client, Pool } from 'pg';
import { readAddress, type Server, withSettings } from './server-address.ts';

/** PostgreSQL's number for 64-bit integers, which come as text: ours are instants and counts, far below 2^53. */
const int8 = 20;

/** The ways to a server. */
export interface Connections {
  /** A separate, unopened connection. @param longestMs - the time limit of one query */
  readonly connect: (longestMs: number, settings?: string) => Client;
  /** Connections with settings of their own: `-c name=value …`. */
  readonly poolWith: (connections: number, settings: string) => Pool;
}

/**
 * Connections to a server. The client library is loaded when a server is to be reached: a service over SQLite starts without it.
 *
 * @param idleMs - how long a transaction may be idle: a process that was paused in one blocks others no longer
 */
export async function loadConnections(server: Server, idleMs: number): Promise<Connections> {
  const address = readAddress(server);
  const { default: pg } = await import('pg');
  const shared = {
    ...address,
    application_name: 'hilo',
    keepAlive: true,
    connectionTimeoutMillis: 5_000, // nothing waits for ever (P13)
    idle_in_transaction_session_timeout: idleMs, // nor for a suspended process
    types: {
      getTypeParser: (id: number) => (id === int8 ? Number : (pg.types.getTypeParser(id) as (text: string) => unknown)),
    },
  };
  // An error of a connection is reported to its user, or it is replaced; without a listener it would end the process.
  const ignore = (): void => undefined;
  const poolWith = (max: number, settings: string): Pool => {
    const pool = new pg.Pool({
      ...shared,
      ...withSettings(address, settings),
      max,
      pipeline: true,
      statement_timeout: 30_000,
      query_timeout: 35_000,
    });
    pool.on('error', ignore);
    pool.on('connect', (client) => client.on('error', ignore));
    return pool;
  };
  const connect = (longestMs: number, settings = ''): Client =>
    new pg.Client({ ...shared, ...withSettings(address, settings), query_timeout: longestMs });
  return { connect, poolWith };
}
