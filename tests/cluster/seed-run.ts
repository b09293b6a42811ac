import { type ClusterMode, clusterModes } from './plan.ts';
import type { RareState } from './rare-states.ts';
import type { Finding } from './simulate-cluster.ts';

/** A seed to be run. */
export interface SeedTask {
  readonly seed: number;
  readonly mode: ClusterMode;
}

/** The result of a seed. */
export interface SeedRun extends SeedTask {
  readonly findings: readonly Finding[];
  readonly rareStates: readonly RareState[];
  readonly traceHash: string;
  readonly steps: number;
  readonly simulatedMs: number;
  /** Whether a second run, where there was one, was the same. */
  readonly isReproducible: boolean;
}

/** One seed in this many is run twice, to check that the simulator itself is deterministic. */
export const repeatedEvery = 100;

/** The default mode of a seed: every other one is normal. */
export const modeOf = (seed: number): ClusterMode => (seed % 2 === 0 ? 'normal' : (clusterModes[seed % 4 === 1 ? 1 : 2] ?? 'normal'));

/** The command that repeats the run. */
export const replayLine = ({ seed, mode }: SeedTask): string => `HILO_SIM_SEED=${seed} HILO_SIM_MODE=${mode} npm run -s sim`;
