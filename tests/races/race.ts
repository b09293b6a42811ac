import fc from 'fast-check';
import { inject } from 'vitest';
import { type Course, createCourse } from './course.ts';

/** Schedules per race, unless `HILO_RUNS` is set. */
const schedules = inject('takesAll') ? 300 : 100;

/** By this many schedules every outcome must have come about: the rarest does in one of a hundred. */
const enough = 2_000;

/** How long a test of races may take, on a machine that is busy. */
export const patience = { timeout: 300_000 };

/** Racers, and what must hold however they are scheduled. */
export interface Race<Drawn, Outcome extends string> {
  readonly drawn: fc.Arbitrary<Drawn>;
  /** Outcomes that must occur under some schedule: a race with one outcome is none. */
  readonly outcomes: readonly Outcome[];
  /** Runs the race once. @throws when a promise was broken @returns the outcomes */
  readonly run: (course: Course, drawn: Drawn) => Promise<readonly Outcome[]>;
}

/** The race as a property. @param reached - collects the outcomes */
export const propertyOf = <Drawn, Outcome extends string>({ drawn, run }: Race<Drawn, Outcome>, reached = new Set<Outcome>()) =>
  fc.asyncProperty(fc.scheduler(), drawn, async (schedule, values) => {
    for (const outcome of await run(createCourse(schedule), values)) reached.add(outcome);
  });

/** How a race is run, by what it is drawn from and what may come about. */
export type Run<Drawn, Outcomes extends readonly string[]> =
  Drawn extends fc.Arbitrary<infer Value> ? Race<Value, Outcomes[number]>['run'] : never;

/**
 * Runs a race under many schedules, and under more until every outcome has come about. A failure prints seed, path and schedule;
 * `HILO_SEED` repeats it.
 *
 * @returns outcomes that never occurred
 */
export async function missed<Drawn, Outcome extends string>(race: Race<Drawn, Outcome>): Promise<readonly Outcome[]> {
  const { numRuns = schedules, seed = 0 } = fc.readConfigureGlobal();
  const reached = new Set<Outcome>();
  const isMissed = (outcome: Outcome): boolean => !reached.has(outcome);
  for (let run = 0; run === 0 || (run * numRuns < enough && race.outcomes.some(isMissed)); run += 1)
    await fc.assert(propertyOf(race, reached), { numRuns, seed: seed + run, endOnFailure: true });
  return race.outcomes.filter(isMissed);
}
