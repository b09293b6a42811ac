import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@hilo/engine/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../stores/test/postgres-server.ts';
import { type ServiceProcess, startService } from '../service-process.ts';

/** Where the processes of a test keep everything, one after the other or side by side. */
export interface Place extends Disposable {
  readonly directory: string;
  /** The database, where it is PostgreSQL's. */
  readonly databaseUrl: string | undefined;
  start(args?: readonly string[], env?: { readonly [name: string]: string }): Promise<ServiceProcess>;
}

/** Makes a new place for a workspace, over the store that is described. */
export type OpenPlace = (workspace: JsonObject) => Promise<Place>;

/** @param databaseUrl - PostgreSQL's, instead of the file in the directory */
export function openPlace(workspace: JsonObject, databaseUrl?: string): Place {
  const directory = mkdtempSync(join(tmpdir(), 'hilo-process-'));
  const files = mkdtempSync(join(tmpdir(), 'hilo-workspace-'));
  const file = join(files, 'workspace.json');
  writeFileSync(file, JSON.stringify(workspace));
  const always = ['--workspace', file, ...(databaseUrl === undefined ? [] : ['--database-url', databaseUrl])];
  return {
    directory,
    databaseUrl,
    start: (args = [], env = {}) => startService(directory, [...always, ...args], env),
    [Symbol.dispose]() {
      for (const made of [directory, files]) rmSync(made, { recursive: true, force: true });
    },
  };
}

/** Describes tests over PostgreSQL; each place has a database of its own. */
export function describeOverPostgres(name: string, tests: (open: OpenPlace) => void): void {
  describe(`${name}, on PostgreSQL`, () => {
    let server: PostgresServer | undefined;
    let databases = 0;
    beforeAll(async () => {
      server = await startPostgres();
    }, 120_000);
    afterAll(async () => server?.remove());
    tests(async (workspace) => {
      if (server === undefined) throw new Error('There is no PostgreSQL');
      databases += 1;
      const database = `process_${databases}`;
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      await client.query(`create database ${database}`);
      await client.end();
      return openPlace(workspace, server.url.replace(/[^/]+$/, database));
    });
  });
}

/** Describes the same over SQLite and over a real PostgreSQL. */
export function describeOverEachStore(name: string, tests: (open: OpenPlace) => void): void {
  describe(`${name}, on SQLite`, () => {
    tests(async (workspace) => openPlace(workspace));
  });
  describeOverPostgres(name, tests);
}
