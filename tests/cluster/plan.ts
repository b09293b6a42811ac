import { createDice, type Dice } from './dice.ts';
import { drawFaults, type FaultRates } from './faults.ts';

/**
 * How engines are run: `normal`; `always-suspend`, where all is forgotten and reloaded whenever nothing is under way; or
 * `two-process`, where each event goes to one of two at random.
 */
export const clusterModes = ['normal', 'always-suspend', 'two-process'] as const;
export type ClusterMode = (typeof clusterModes)[number];

/** An action from outside. Its target is chosen when it runs, by `choice`. */
export interface Command {
  readonly kind: 'says' | 'calls' | 'starts' | 'resumes' | 'signals' | 'cancels' | 'publishes';
  /** After the beginning. */
  readonly atMs: number;
  readonly user: number;
  readonly choice: number;
  /** How often it is done at once. */
  readonly copies: number;
}

/** All that a seed decides before a run begins. */
export interface ClusterPlan {
  readonly seed: number;
  readonly mode: ClusterMode;
  /** Engines at once; more than one share a store. */
  readonly processes: number;
  readonly isShared: boolean;
  readonly users: number;
  /** How often a user answers what they are sent, 0 to 1. */
  readonly answering: number;
  readonly faults: FaultRates;
  readonly commands: readonly Command[];
  /** Which random canvases take the place of the standard ones; none for those. */
  readonly family: number | undefined;
}

const weights: { readonly [Kind in Command['kind']]: number } = {
  says: 10,
  calls: 5,
  starts: 2,
  resumes: 5,
  signals: 3,
  cancels: 1,
  publishes: 1,
};
const bag = Object.entries(weights).flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind as Command['kind']));

/** What a seed comes to in a mode. */
export function planOf(seed: number, mode: ClusterMode): ClusterPlan {
  const dice = createDice(seed, `plan ${mode}`);
  const isShared = mode === 'two-process' || (mode === 'normal' && dice.chance(0.7));
  const processes = mode === 'two-process' ? 2 : isShared ? dice.between(1, 5) : 1;
  const windowMs = dice.pick([1_000, 60_000, 600_000, 7_200_000]);
  const count = dice.between(2, 16);
  return {
    seed,
    mode,
    processes,
    isShared,
    users: dice.between(1, 3),
    answering: dice.pick([0, 0.5, 0.9]),
    faults: faultsFor(isShared, dice),
    commands: Array.from({ length: count }, () => drawCommand(dice, windowMs)).sort((a, b) => a.atMs - b.atMs),
    family: dice.chance(0.3) ? dice.below(1_000) : undefined,
  };
}

/** Where processes share a store, its clock is theirs. Where they do not, there is no lease. */
function faultsFor(isShared: boolean, dice: Dice): FaultRates {
  const { 'clock jump': clockJump, 'early expiry': earlyExpiry, ...faults } = drawFaults(dice);
  if (isShared) return earlyExpiry === undefined ? faults : { ...faults, 'early expiry': earlyExpiry };
  return clockJump === undefined ? faults : { ...faults, 'clock jump': clockJump };
}

const drawCommand = (dice: Dice, windowMs: number): Command => ({
  kind: dice.pick(bag),
  atMs: dice.below(windowMs),
  user: dice.below(16),
  choice: dice.below(1_000),
  copies: dice.chance(0.2) ? dice.between(2, 3) : 1,
});
