import { HiloError } from '../contract/errors.ts';
import type { ExecutionRecord } from '../contract/store.ts';
import { finalStatuses } from '../machine/lifecycle.ts';
import { advanceExecution } from './advance.ts';
import type { EngineContext } from './context.ts';

/**
 * Ends an execution at once, whatever it stands at; its children with it. An effect under way is not undone, but its
 * answer changes nothing any more. Cancelling what has ended changes nothing.
 *
 * @throws {HiloError} `EXECUTION_NOT_FOUND`
 */
export async function cancelExecution(
  context: EngineContext,
  companyId: string,
  executionId: string,
  reason: string,
): Promise<ExecutionRecord> {
  const found = await context.store.load(companyId, executionId);
  if (found === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId });
  let last = found;
  const cancelled = await context.lanes.runFirst(found.lane, () =>
    advanceExecution(context, companyId, executionId, (record) => {
      last = record;
      return finalStatuses.has(record.state.status) ? undefined : { type: 'execution.cancelled', reason };
    }),
  );
  return cancelled ?? last;
}
