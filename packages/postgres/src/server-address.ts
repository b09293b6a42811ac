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
  const { connectionString = '' } = address;
  const [before = '', query = ''] = connectionString.split(/\?(.*)/s);
  if (connectionString === '' || !isUrl(before)) return { ...address, options: joined(address.options, settings) };
  const parameters = new URLSearchParams(query);
  parameters.set('options', joined(parameters.get('options') ?? address.options, settings));
  return { ...address, connectionString: `${before}?${parameters.toString()}` };
}

const isUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text);

/** Where an address leads. */
export interface ServerPlace {
  /** A name, an address, or the directory of a Unix socket; empty for the one that `pg` takes by default. */
  readonly host: string;
  /** Empty for the usual one. */
  readonly port: string;
  /** With a slash before it. */
  readonly database: string;
}

/** Where `postgres://…` leads, as `pg` reads it: `host` and `port` of its query go first. `undefined` for what is no such address. */
export function readServerPlace(url: string): ServerPlace | undefined {
  // No host behind a user is a host of no name, which a URL cannot have.
  const parsed = URL.parse(url.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=[/?#]|$)/, '$1-'));
  if (parsed === null || !isUrl(url)) return undefined;
  const hostname = parsed.hostname === '-' ? '' : parsed.hostname;
  const { searchParams: query } = parsed;
  return { host: query.get('host') ?? decodeURIComponent(hostname), port: query.get('port') ?? parsed.port, database: parsed.pathname };
}

/** Why an address can lead to no server, in a sentence without its secrets; `undefined` when it may. */
export function explainServerUrl(url: string): string | undefined {
  const [, authority = ''] = /^postgres(?:ql)?:\/\/([^/?#]*)/.exec(url) ?? [];
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  const { host, port } = readServerPlace(url) ?? { host: hosts, port: '' };
  const several = [hosts, host, port].find((part) => part.includes(','));
  if (several !== undefined)
    return `names several servers (${several.slice(0, 200)}), and connections go to one: name the one that takes writes, or an address before them that leads to it`;
  if (readServerPlace(url) === undefined) return 'is no address such as postgres://user:password@host:5432/database';
  if (host.includes('/') && !host.startsWith('/'))
    return `names the directory "${host.slice(0, 200)}" of a socket, which begins with "/": write ?host=/var/run/postgresql`;
  return undefined;
}

const joined = (before: string | undefined, settings: string): string => `${before ?? ''} ${settings}`.trim();

/** The server without secrets. */
export function describePlace(server: Server): string {
  const { connectionString, host, port, database } = readAddress(server);
  if (connectionString === undefined)
    return host === undefined ? 'PostgreSQL' : `PostgreSQL at ${host}:${port ?? 5432}${database === undefined ? '' : `/${database}`}`;
  const place = readServerPlace(connectionString);
  return place === undefined ? 'PostgreSQL' : `PostgreSQL at ${place.host}:${place.port || '5432'}${place.database}`;
}
