// Clients that packages here depend on, and the benchmark itself does not: as far as they are used, with types of their own.
import { createRequire } from 'node:module';

interface Undici {
  readonly Client: new (
    origin: string,
  ) => {
    request(options: {
      readonly method: 'GET' | 'POST';
      readonly path: string;
      readonly headers: { readonly [name: string]: string };
      readonly body?: string;
    }): Promise<{ readonly statusCode: number; readonly body: AsyncIterable<Uint8Array> & { text(): Promise<string> } }>;
    close(): Promise<void>;
  };
}

interface Pg {
  readonly Client: new (options: {
    readonly connectionString: string;
  }) => {
    connect(): Promise<unknown>;
    query(
      query: string | { readonly name: string; readonly text: string; readonly values: readonly string[] },
    ): Promise<{ readonly rows: readonly { readonly [column: string]: unknown }[] }>;
    end(): Promise<void>;
  };
}

const installedIn = (name: 'drivers' | 'stores') => createRequire(new URL(`../packages/${name}/package.json`, import.meta.url));

/** The client of HTTP that the drivers use: one connection. */
export const { Client: HttpClient } = installedIn('drivers')('undici') as Undici;

/** The client of PostgreSQL that the stores use. */
export const { Client: PostgresClient } = installedIn('stores')('pg') as Pg;

/** The first process of a PostgreSQL server, from its pid file. */
export async function postmasterOf(url: string): Promise<number> {
  const client = new PostgresClient({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select split_part(pg_read_file('postmaster.pid'), e'\\n', 1) as pid");
  await client.end();
  return Number(rows[0]?.['pid']);
}
