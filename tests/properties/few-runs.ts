import fc from 'fast-check';
import { inject } from 'vitest';

/**
 * The number of runs of a slow property: the given one in `npm run test:all`, a quarter of it in `npm test`, and what `HILO_RUNS` says where it
 * is set. Each test run draws other values.
 */
export const fewRuns = (numRuns: number): { readonly numRuns: number } => ({
  numRuns: fc.readConfigureGlobal().numRuns ?? (inject('takesAll') ? numRuns : Math.ceil(numRuns / 4)),
});
