import { advanceExecution } from './advance-execution.ts';
import { HiloError } from './contract/errors.ts';
import type { ExecutionRecord } from './contract/store.ts';
import type { Kernel } from './kernel.ts';
import { finalStatuses } from './machine/lifecycle.ts';

/**
 * Ends an execution at once, whatever it stands at; its children with it. An effect under way is not undone, but its
 * answer changes nothing any more. Cancelling what has ended changes nothing.
 *
 * @throws {HiloError} `EXECUTION_NOT_FOUND`
 */
export async function cancelExecution(kernel: Kernel, companyId: string, executionId: string, reason: string): Promise<ExecutionRecord> {
  const found = await kernel.store.load(companyId, executionId);
  if (found === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId });
  let last = found;
  const cancelled = await kernel.lanes.runFirst(found.lane, () =>
    advanceExecution(kernel, companyId, executionId, (record) => {
      last = record;
      return finalStatuses.has(record.state.status) ? undefined : { type: 'execution.cancelled', reason };
    }),
  );
  return cancelled ?? last;
}
