// Plays scripts with canvases in a thread, where companies take turns: a conversation that never ends is ended with its thread, and
// no canvas that an author sends holds the event loop (P20, P23).
import { createFairWorkers, type OnLimit } from '@hilo/drivers';
import type { Clock, NodeDefinition } from '@hilo/engine/contract';
import type { SimulationOutcome, SimulationReport, SimulationTask } from '@hilo/mcp';
import { startCanvasThread, threadEnds, type ThreadOutcome } from './start-thread.ts';

/** Every bound of simulations. */
export const simulationLimits = {
  /** How long one task may take, and a thread until it can work. */
  taskMs: 10_000,
  startMs: 30_000,
  heapMb: 512,
  /** Waiting tasks of one company, and how long each waits. */
  waiting: 8,
  waitMs: 30_000,
  /** A thread that has done nothing for so long ends. */
  restMs: 60_000,
} as const;

/** What plays scripts. */
export interface SimulationWork {
  simulate(companyId: string, task: SimulationTask): Promise<SimulationOutcome>;
  /** Ends every thread. */
  close(): Promise<void>;
}

interface SimulationWorkOptions {
  readonly nodes: readonly NodeDefinition[];
  /** The path of the configuration that the nodes of the host are from. */
  readonly nodesFrom?: string | undefined;
  readonly clock: Clock;
  readonly onLimit?: OnLimit;
  readonly limits?: Partial<{ readonly [Name in keyof typeof simulationLimits]: number }>;
}

/** Creates what simulates canvases for the management API, bounded in time and memory. */
export function createSimulationWork({
  nodes,
  nodesFrom,
  clock,
  onLimit = () => undefined,
  limits: given,
}: SimulationWorkOptions): SimulationWork {
  const limits = { ...simulationLimits, ...given };
  const workers = createFairWorkers<SimulationTask, ThreadOutcome>({
    clock,
    limits: {
      ...limits,
      atOnce: 1,
      processes: 1,
      turnMs: limits.taskMs, // a thread cannot be paused: its task ends within this time
      shortestTurnMs: limits.taskMs,
    },
    start: () => startCanvasThread({ program: 'simulation-thread', clock, limits, nodesFrom, types: nodes.map(({ type }) => type) }),
    ...threadEnds,
    onLimit,
    reports: {
      turn: { limit: 'simulation-turn', message: 'Simulations of this company take their turn' },
      places: { limit: 'simulation-places', message: 'A simulation was refused: too many of this company wait, or no turn came in time' },
    },
  });
  return {
    async simulate(companyId, task) {
      const outcome = await workers.run(companyId, task);
      return outcome.kind === 'done'
        ? { kind: 'done', report: outcome.result as SimulationReport } // the thread answers with what runSimulation returned
        : { kind: 'stopped', reason: explain(outcome, limits.taskMs) };
    },
    close: workers.close,
  };
}

function explain(outcome: Exclude<ThreadOutcome, { readonly kind: 'done' }>, taskMs: number): string {
  switch (outcome.kind) {
    case 'threw':
      return outcome.message;
    case 'late':
      return `The conversation did not come to its end within ${taskMs / 1_000} s, and was stopped: does a loop of the canvas never wait?`;
    case 'ended':
      return `The conversation ended the thread that played it: ${outcome.reason}`;
    case 'refused':
      return `No thread can play it: ${outcome.reason}`;
    case 'busy':
      return 'Too many simulations of this company are under way: try again in a moment';
  }
}
