/**
 * How much of a test a run takes. `npm run test:all`, and a run of named files, take all of it; `npm test` takes a part that the seed of the
 * run draws, so that each commit tries another one (tests/README.md).
 */
import fc from 'fast-check';
import { inject } from 'vitest';

/** The number of runs of a slow property: all, or a quarter of them, of other values each time; what `HILO_RUNS` says where it is set. */
export const fewRuns = (numRuns: number): { readonly numRuns: number } => ({
  numRuns: fc.readConfigureGlobal().numRuns ?? (inject('takesAll') ? numRuns : Math.ceil(numRuns / 4)),
});

/** Which members of a list are tried: all, or one in so many of them. */
export const drawn = <Member>(all: readonly Member[], oneIn = 4): readonly Member[] =>
  inject('takesAll') ? all : all.filter((_, at) => (at + inject('seed')) % oneIn === 0);

/** At which of many places, counted from 0, a sweep stops: at each, or at one in so many. */
export const placesOf = (oneIn = 5): { readonly first: number; readonly step: number } =>
  inject('takesAll') ? { first: 0, step: 1 } : { first: inject('seed') % oneIn, step: oneIn };
