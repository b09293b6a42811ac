// What all test files of a run share: its seed, how much is drawn, and a PostgreSQL.
import { randomInt } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { offerPostgres } from '../../packages/stores/test/shared-postgres.ts';
import { reportCost } from './report-cost.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether campaigns run too: the other database, every seed. Without them, what each commit runs. */
    takesAll: boolean;
    /** What every property of this run draws its values from. */
    seed: number;
    /** How many values a property tries; 0 leaves it to fast-check. */
    runs: number;
  }
}

/**
 * Around a whole run: chooses one seed and prints it, so that the run can be repeated (`HILO_SEED=… npm test`), offers a PostgreSQL to all
 * files, and at the end says which tests waited, and how many could not run here.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  chooseSeed(project);
  const postgres = await offerPostgres();
  project.provide('postgres', postgres.address);
  return async () => {
    reportCost(project.vitest.state.getTestModules());
    await postgres.close();
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
