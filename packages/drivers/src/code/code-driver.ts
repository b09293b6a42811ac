import { type BoundDriver, drive } from '@hilo/engine/contract';
import { runCode } from '@hilo/nodes/effects';
import type { CodeWorkers } from './code-workers.ts';

interface CodeDriverOptions {
  readonly workers: Pick<CodeWorkers, 'run'>;
}

/** Performs `code.run` in the process of the execution's company. */
export const createCodeDriver = ({ workers }: CodeDriverOptions): BoundDriver =>
  drive(runCode, (run, { origin: { companyId }, signal }) => workers.run(companyId, run, signal));
