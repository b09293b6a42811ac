// Databases on the PostgreSQL that all files of a run share.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { inject } from 'vitest';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the address of the PostgreSQL that the files of a run share. */
    postgres: string;
  }
}

/**
 * Makes a new, empty database on the PostgreSQL that all files of a run share: for tests that neither stop the server nor change its
 * settings or roles, which need one of their own (`startPostgres`). Everything there is removed at the end of the run.
 *
 * @returns its address
 * @throws {Error} with what the server said, when none can be had
 */
export async function createDatabase(): Promise<string> {
  const answer = await fetch(inject('postgres'));
  if (!answer.ok) throw new Error(await answer.text());
  const url = await answer.text();
  const name = `of_test_${randomBytes(8).toString('hex')}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return url.replace(/[^/]+$/, name);
}

/** The server of a run, in the process around it: starts with the first that asks for it. */
export async function offerPostgres(): Promise<{ readonly address: string; close(): Promise<void> }> {
  let started: Promise<PostgresServer> | undefined;
  const server = createServer((_request, response) => {
    // Each file has connections of its own, and some processes too.
    started ??= startPostgres({ connections: 500 });
    started.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await (await started)?.remove();
    },
  };
}
