import type { NodeDefinition } from '@hilo/engine/contract';
import type { Evidence } from './evidence.ts';
import { type OracleName, oracles } from './oracles/oracles.ts';
import { type ClusterMode, type ClusterPlan, planOf } from './plan.ts';
import type { RareState } from './rare-states.ts';
import { type ClusterRun, runPlan } from './run-plan.ts';

/** Options of a simulation; the seed decides those that are left out. */
export interface ClusterOptions extends Partial<Omit<ClusterPlan, 'seed' | 'mode' | 'family'>> {
  /** A whole number; 1 when left out. */
  readonly seed?: number;
  /** `normal`, when left out. */
  readonly mode?: ClusterMode;
  /** As JSON, or parsed; all are published, so that they can call each other. Canvases of our own, when left out. */
  readonly canvases?: readonly object[];
  /** The standard nodes, when left out. */
  readonly nodes?: readonly NodeDefinition[];
  /** Keeps the lines of the trace, to be read by a person. */
  readonly keepsTrace?: boolean;
}

/** Something that must never be, and was. */
export interface Finding {
  readonly oracle: OracleName;
  readonly problem: string;
}

/** What a run comes to. */
export interface ClusterReport {
  readonly plan: ClusterPlan;
  /** Violations; none when all promises were kept. */
  readonly findings: readonly Finding[];
  readonly rareStates: readonly RareState[];
  /** The same for every run with the same options. */
  readonly traceHash: string;
  /** The lines of the trace, when they are kept. */
  readonly trace: readonly string[];
  /** How many tasks were run. */
  readonly steps: number;
  /** How much time passed inside, in milliseconds. */
  readonly simulatedMs: number;
  /** For oracles of your own. */
  readonly evidence: Evidence;
}

/**
 * Runs a cluster of engines over canvases, in memory and in virtual time: processes die and hang, stores fail, deliveries
 * come twice, users answer, operators publish. Then all goes well again, and what must hold is looked at. The same options
 * lead to the same run, bit for bit.
 *
 * @example
 * const { findings } = await simulateCluster({ canvases: [canvas], seed: 17 });
 * expect(findings).toEqual([]);
 *
 * @throws {HiloError} `INVALID_CANVAS` for what has not the shape of a canvas
 */
export async function simulateCluster(options: ClusterOptions = {}): Promise<ClusterReport> {
  const { seed = 1, mode = 'normal', canvases, nodes, keepsTrace, ...circumstances } = options;
  const plan: ClusterPlan = { ...planOf(seed, mode), ...circumstances };
  return reportOf(plan, await runPlan(plan, { canvases, nodes, keepsTrace }));
}

const reportOf = (plan: ClusterPlan, { evidence, rare, traceHash, trace, steps, simulatedMs }: ClusterRun): ClusterReport => ({
  plan,
  findings: findingsIn(evidence),
  rareStates: [...rare],
  traceHash,
  trace,
  steps,
  simulatedMs,
  evidence,
});

function findingsIn(evidence: Evidence): readonly Finding[] {
  const names = Object.keys(oracles) as OracleName[]; // its own keys, and no others
  return names.flatMap((oracle) => oracles[oracle](evidence).map((problem) => ({ oracle, problem })));
}
