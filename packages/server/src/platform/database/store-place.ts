// Where a service keeps what it has: in a file of its data directory, which one process has to itself, or in a database of a PostgreSQL
// server, which several processes may share. How the two differ outside of their statements is told here.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { openPostgresStore, readServerPlace } from '@hilo/postgres';
import { type DurableStore, type Extension, type OnUnreadable, openSqliteStore, type Runner } from '@hilo/stores';
import type * as pg from 'pg';

/** How a store is opened, wherever it is. */
interface OpenOptions {
  readonly mustExist: boolean;
  readonly extensions: readonly Extension[];
  readonly onUnreadable?: OnUnreadable;
  readonly around?: (runner: Runner) => Runner;
}

/** Where a store is. */
export interface StorePlace {
  /** Names the store in its data directory: the file, or a server's database without the secrets of its URL. */
  readonly name: string;
  /** The same for a person. */
  readonly described: string;
  /** Whether several processes may be at work over it. */
  readonly hasOthers: boolean;
  /** Whether a store is there; `unknown` at a server, which tells when it is opened. */
  readonly exists: () => boolean | 'unknown';
  /** What it is opened with, and the log must hide (P31). */
  readonly secrets: readonly string[];
  /** Where its server listens, as an allow list names it: what canvases call leads there never (T13). */
  readonly listAddresses: () => readonly string[];
  /** @throws {StoreError} */
  readonly open: (options: OpenOptions) => Promise<DurableStore>;
}

/** The settings that say where a store is. */
export interface StoreSettings {
  /** The directory of the file, and of what is kept beside any store. */
  readonly data: string;
  /** The address of the database, where a server has the store: `postgres://user:password@host:5432/database`. */
  readonly databaseUrl: string | undefined;
}

export const placeStore = ({ data, databaseUrl }: StoreSettings): StorePlace =>
  databaseUrl === undefined ? inFile(join(data, 'hilo.db')) : atServer(databaseUrl);

const inFile = (path: string): StorePlace => ({
  name: 'hilo.db',
  described: `SQLite, ${resolve(path)}`,
  hasOthers: false,
  exists: () => existsSync(path),
  secrets: [],
  listAddresses: () => [],
  open: (options) => openSqliteStore({ ...options, path }),
});

function atServer(url: string): StorePlace {
  const place = readServerPlace(url);
  const { host = '', port = '', database = '' } = place ?? {};
  return {
    name: place === undefined ? 'postgres' : `postgres://${host}:${port || '5432'}${database}`,
    described: `PostgreSQL, ${host}${port === '' ? '' : `:${port}`}${database}`,
    hasOthers: true,
    exists: () => 'unknown',
    secrets: readPasswords(url),
    listAddresses: () => listAddresses(url),
    open: (options) => openPostgresStore({ ...options, url }),
  };
}

/** The password of an address, in whichever of the two places PostgreSQL's client reads it from. */
function readPasswords(address: string): readonly string[] {
  const url = URL.parse(address);
  return url === null ? [] : [decode(url.password), url.searchParams.get('password') ?? ''];
}

/** As the client reads it: a "%" that escapes nothing is one. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address is resolved as the store's client does: `?host=` before the host of the URL, then the environment. */
function listAddresses(url: string): readonly string[] {
  // Loaded where there is a server: with a file as its store, the service never needs it.
  const { Client } = createRequire(import.meta.url)('pg') as typeof pg;
  const { host, port } = new Client({ connectionString: url });
  // Behind a socket of this machine is a server that may listen on its ports, too.
  return host.split(',').map((name) => (name.startsWith('/') ? `localhost:${port}` : `${name.includes(':') ? `[${name}]` : name}:${port}`));
}
