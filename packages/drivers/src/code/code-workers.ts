import { type Clock, type BoundDriver, drive } from '@hilo/engine/contract';
import { systemClock } from '@hilo/engine/node';
import { createFairWorkers, type FairWorkers } from '../fair-workers.ts';
import type { OnLimit } from '../pool.ts';
import { createProcessGuard } from '../processes/process-guard.ts';
import { type CodeLimits, codeLimits } from './code-limits.ts';
import { startCodeProcess, type CodeFailure, codeFailure, type CodeResult, type CodeRun } from './code-process.ts';
import { runCode } from '@hilo/nodes/effects';

/** Runs the code of canvases: a process for each company, and in it a sandbox for each run (T10). */
export type CodeWorkers = FairWorkers<CodeRun, CodeResult>;

interface WorkersOptions {
  readonly clock?: Clock;
  readonly limits?: Partial<CodeLimits>;
  /** Called when the code of a company is made to wait in the middle of a run, and when a run finds no turn. */
  readonly onLimit?: OnLimit;
}

/** Creates the processes that run code of nodes: shared fairly among companies, each ended at its limits. */
export function createCodeWorkers({ clock = systemClock, limits: given, onLimit = () => undefined }: WorkersOptions = {}): CodeWorkers {
  const limits: CodeLimits = { ...codeLimits, ...given };
  const guard = createProcessGuard();
  const workers = createFairWorkers<CodeRun, CodeResult>({
    clock,
    limits,
    start: () => startCodeProcess({ limits, clock, guard }),
    busy,
    fail: (reason) => codeFailure('unavailable', `The code could not be run: ${reason}`),
    isTimeout: (result) => result.kind === 'failed' && result.reason === 'timeout',
    onLimit,
    reports: {
      turn: { limit: 'code-turn', message: 'Code of this company runs in turns: others waited for a processor' },
      places: { limit: 'code-places', message: 'Code was not run: all places are taken, or no turn came in time' },
    },
  });
  return {
    run: workers.run,
    async close() {
      await workers.close();
      guard.close();
    },
  };
}

const busy: CodeFailure = { kind: 'failed', reason: 'unavailable', message: 'All places for code are taken', retryAfterMs: 1_000 };

interface CodeDriverOptions {
  readonly workers: Pick<CodeWorkers, 'run'>;
}

/** Performs `code.run` in the process of the execution's company. */
export const createCodeDriver = ({ workers }: CodeDriverOptions): BoundDriver =>
  drive(runCode, (run, { origin: { companyId }, signal }) => workers.run(companyId, run, signal));
