import fc from 'fast-check';

/**
 * The number of runs of a slow property: the given one, unless `HILO_RUNS` is set. Each test run draws other values.
 */
export const fewRuns = (numRuns: number): { readonly numRuns: number } => ({ numRuns: fc.readConfigureGlobal().numRuns ?? numRuns });
