import fc from 'fast-check';

/**
 * How often a property is tried that takes long: so often, or as often as `HILO_RUNS` says. Each run of the tests tries
 * other values.
 */
export const fewRuns = (numRuns: number): { readonly numRuns: number } => ({ numRuns: fc.readConfigureGlobal().numRuns ?? numRuns });
