import { randomInt } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../packages/stores/test/postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What every property of this run draws its values from. */
    seed: number;
    /** How many values a property tries; 0 leaves it to fast-check. */
    runs: number;
  }
}

/**
 * Around a whole run: chooses one seed and prints it, so that the run can be repeated (`HILO_SEED=… npm test`), starts the PostgreSQL of
 * the services where the run wants one, and at the end says how many tests could not run here.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  chooseSeed(project);
  const stopServices = await startForServices();
  return async () => {
    await stopServices?.();
    reportSkipped(project);
  };
}

function chooseSeed({ provide }: TestProject): void {
  const seed = integerFrom('HILO_SEED') ?? randomInt(2 ** 31);
  const runs = integerFrom('HILO_RUNS') ?? 0;
  console.log(`HILO_SEED=${seed}${runs > 0 ? ` HILO_RUNS=${runs}` : ''}`);
  provide('seed', seed);
  provide('runs', runs);
}

function integerFrom(name: string): number | undefined {
  const text = process.env[name];
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${name} must be a whole number, and is "${text}"`);
  return value;
}

/** With `HILO_TEST_RUNTIME=postgres`, starts the one PostgreSQL in which each service of a test has a database of its own. */
async function startForServices(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['HILO_TEST_RUNTIME'] !== 'postgres') return undefined;
  const server = await startPostgres();
  process.env['HILO_TEST_POSTGRES_URL'] = server.url;
  return server.remove;
}

/** Prints how many tests could not be run here, with the reasons that they gave. */
function reportSkipped({ vitest }: TestProject): void {
  const reasons = vitest.state.getTestModules().flatMap(({ children }) =>
    [...children.allTests('skipped')].flatMap((test) => {
      const { note } = test.result() as { readonly note?: string };
      return note === undefined ? [] : [note];
    }),
  );
  for (const [reason, skipped] of Map.groupBy(reasons, (reason) => reason)) console.log(`${skipped.length} skipped: ${reason}`);
}
