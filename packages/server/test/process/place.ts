// Where the processes of a test keep everything.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@hilo/engine/contract';
import { describe, inject } from 'vitest';
import { describeWithRestate } from '../../../restate/test/restate-program.ts';
import { freePort } from '../../../stores/test/free-port.ts';
import { createDatabase } from '../../../stores/test/shared-postgres.ts';
import { type ServiceProcess, startService } from '../service-process.ts';

/** Where the processes of a test keep everything, one after the other or side by side. */
export interface Place extends Disposable {
  readonly directory: string;
  /** The database, where it is PostgreSQL's. */
  readonly databaseUrl: string | undefined;
  /** Which runtime has the executions, where that is not the store: arguments of every start. */
  readonly runtime?: readonly string[];
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

const onSqlite: OpenPlace = async (workspace) => openPlace(workspace);
const onPostgres: OpenPlace = async (workspace) => openPlace(workspace, await createDatabase());

/** Describes tests over PostgreSQL; each place has a database of its own. */
export function describeOverPostgres(name: string, tests: (open: OpenPlace) => void): void {
  describe(`${name}, on PostgreSQL`, () => {
    tests(onPostgres);
  });
}

/** Describes the same over SQLite and, where all is taken, over a real PostgreSQL. */
export function describeOverEachStore(name: string, tests: (open: OpenPlace) => void): void {
  const stores = { SQLite: onSqlite, ...(inject('takesAll') && { PostgreSQL: onPostgres }) };
  for (const [store, open] of Object.entries(stores))
    describe(`${name}, on ${store}`, () => {
      tests(open);
    });
}

/** Describes the same where executions are Restate's: each place has a server of its own, which knows the service by one port. */
export function describeOverRestate(name: string, tests: (open: OpenPlace) => void): void {
  describeWithRestate(`${name}, on Restate`, (program) => {
    tests(async (workspace) => {
      const place = openPlace(workspace);
      const runtime = ['--port', String(await freePort()), '--runtime', 'restate', '--restate-server', program];
      return { ...place, runtime, start: (args = [], env = {}) => place.start([...args, ...runtime], env) };
    });
  });
}
