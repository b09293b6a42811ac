// Which store and runtime the services of tests have, and which tests cannot run on it.
import { howToGetRestate, restateProgram } from '../../../restate/test/restate-path.ts';
import { createDatabase } from '../../../stores/test/shared-postgres.ts';
import type { HostParts } from '../../src/service/host-parts.ts';
import type { Settings } from '../../src/service/settings.ts';

const asked = process.env['HILO_TEST_RUNTIME'];
if (asked !== undefined && asked !== 'postgres' && asked !== 'restate')
  throw new Error(`HILO_TEST_RUNTIME is "${asked}": it is "postgres" or "restate", or is left out for SQLite`);

/** Where services of tests store their executions, unless a test decides itself. */
export const runtimeOfTests: 'sqlite' | 'postgres' | 'restate' = asked ?? 'sqlite';

/** Why a test cannot run on the requested store; the last lines of the run list it. */
export type SkipReasons = { readonly [Runtime in typeof runtimeOfTests]?: string };

/** Why a test is skipped in which timers of executions are due by a virtual clock. */
export const virtualTime: SkipReasons = { restate: 'timers are kept by its server, which no virtual clock moves' };

/** Skips a test where it cannot be run. */
export function skipOn(context: { skip(note: string): void }, reasons: SkipReasons): void {
  const reason = reasons[runtimeOfTests];
  if (reason !== undefined) context.skip(`on ${runtimeOfTests}: ${reason}`);
}

type RuntimeParts = Partial<Settings> & Pick<HostParts, 'laneRuntime'>;

/** Databases by the directory of their service: a reopened service finds its own. */
const databases = new Map<string, Promise<RuntimeParts>>();

/** The settings of a service over a directory, with the requested store. */
export async function runtimeParts(directory: string): Promise<RuntimeParts> {
  if (runtimeOfTests === 'sqlite') return {};
  if (runtimeOfTests === 'restate') return { laneRuntime: await restate() };
  const known = databases.get(directory) ?? openDatabase();
  databases.set(directory, known);
  return known;
}

/** The same for a service in a process of its own, as environment variables. */
export async function runtimeVariables(directory: string): Promise<{ readonly [name: string]: string }> {
  const { databaseUrl, secretKey, laneRuntime } = await runtimeParts(directory);
  return {
    ...(databaseUrl !== undefined && { HILO_DATABASE_URL: databaseUrl }),
    ...(secretKey !== undefined && { HILO_SECRET_KEY: secretKey }),
    ...(laneRuntime !== undefined && { HILO_RUNTIME: laneRuntime.name, HILO_RESTATE_SERVER: restateProgram ?? '' }),
  };
}

async function restate(): Promise<RuntimeParts['laneRuntime']> {
  if (restateProgram === undefined) throw new Error(`There is no Restate server: ${howToGetRestate}`);
  const { restateService } = await import('../../../restate/src/index.ts');
  return restateService({ program: restateProgram });
}

/** The settings of a service over a new PostgreSQL database. */
export const openDatabase = async (): Promise<{ readonly databaseUrl: string; readonly secretKey: string }> => ({
  databaseUrl: await createDatabase(),
  secretKey: Buffer.alloc(32, 3).toString('base64'),
});
