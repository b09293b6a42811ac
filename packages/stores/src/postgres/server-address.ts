// Free of the types of `pg`: these are in the published declarations, and users of SQLite do not install it.

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
export function readAddress(server: Server): Address {
  if ('url' in server) return { connectionString: server.url };
  const options = new Map(addressFields.map((name) => [name, Reflect.get(server.pool.options, name) as unknown]));
  return Object.fromEntries([...options].filter(([, value]) => value !== undefined)) as Address;
}

/** The address with settings added to its own. A URL goes before what stands beside it. */
export function withSettings(address: Address, settings: string): Address {
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
