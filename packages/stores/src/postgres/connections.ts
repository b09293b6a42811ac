import type { Client, Pool } from 'pg';
import { StoreError } from '../store-error.ts';

/** A pool of `pg` that a host has: who connects where, and how, is taken from it. Its connections stay the host's. */
export interface HostPool {
  readonly options: object;
}

/** Where the server is: `postgres://user:password@host:5432/database`, or as a pool of the host connects, with connections of our own. */
export type Server = { readonly url: string } | { readonly pool: HostPool };

/** What a connection is made with. */
interface Address {
  readonly connectionString?: string;
  readonly host?: string;
  readonly port?: number;
  readonly database?: string;
  readonly options?: string;
}

/** Fields of a pool's options that say who connects where, and how. */
const addressFields = ['connectionString', 'host', 'port', 'user', 'password', 'database', 'ssl', 'options', 'stream'] as const;

/** Each field is read by its name: a pool hides its password from whoever lists them. */
function readAddress(server: Server): Address {
  if ('url' in server) return { connectionString: server.url };
  const options = new Map(addressFields.map((name) => [name, Reflect.get(server.pool.options, name) as unknown]));
  return Object.fromEntries([...options].filter(([, value]) => value !== undefined)) as Address;
}

/** The address with settings added to its own. A URL goes before what stands beside it. */
function withSettings(address: Address, settings: string): Address {
  if (settings === '') return address;
  const parsed = URL.parse(address.connectionString ?? '');
  if (parsed === null) return { ...address, options: joined(address.options, settings) };
  parsed.searchParams.set('options', joined(parsed.searchParams.get('options') ?? address.options, settings));
  return { ...address, connectionString: parsed.href };
}

const joined = (before: string | undefined, settings: string): string => `${before ?? ''} ${settings}`.trim();

/** The server without secrets. */
export function describePlace(server: Server): string {
  const { connectionString, host, port, database } = readAddress(server);
  if (connectionString === undefined)
    return host === undefined ? 'PostgreSQL' : `PostgreSQL at ${host}:${port ?? 5432}${database === undefined ? '' : `/${database}`}`;
  const parsed = URL.parse(connectionString);
  return parsed === null ? 'PostgreSQL' : `PostgreSQL at ${parsed.hostname}:${parsed.port || '5432'}${parsed.pathname}`;
}

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
 * Connections to a server. The client library is loaded on demand: users of SQLite need not install it.
 *
 * @param idleMs - how long a transaction may be idle: a process that was paused in one blocks others no longer
 * @throws {StoreError} `STORE_UNREACHABLE` when it is not installed
 */
export async function loadConnections(server: Server, idleMs: number): Promise<Connections> {
  const address = readAddress(server);
  const pg = await import('pg').then(
    (module) => module.default,
    (error: unknown) => {
      throw new StoreError(
        'STORE_UNREACHABLE',
        { place: describePlace(server), reason: 'the package "pg" is not installed: npm install pg' },
        { cause: error },
      );
    },
  );
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
