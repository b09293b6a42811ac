import { type ClusterMode, clusterModes } from './plan.ts';
import type { RareState } from './rare-states.ts';
import type { Finding } from './simulate-cluster.ts';

/** A seed to be run. */
export interface SeedTask {
  readonly seed: number;
  readonly mode: ClusterMode;
}

/** What came of it. */
export interface SeedRun extends SeedTask {
  readonly findings: readonly Finding[];
  readonly rareStates: readonly RareState[];
  readonly traceHash: string;
  readonly steps: number;
  readonly simulatedMs: number;
  /** Whether a second run, where there was one, was the same. */
  readonly isReproducible: boolean;
}

/** One seed in so many is run twice: the simulator is itself under test. */
export const repeatedEvery = 100;

/** The mode in which a seed is run when none is asked for: every other one is normal. */
export const modeOf = (seed: number): ClusterMode => (seed % 2 === 0 ? 'normal' : (clusterModes[seed % 4 === 1 ? 1 : 2] ?? 'normal'));

/** What runs the same once more. */
export const replayLine = ({ seed, mode }: SeedTask): string => `HILO_SIM_SEED=${seed} HILO_SIM_MODE=${mode} npm run -s sim`;
