import { HiloError } from '../contract/errors.ts';
import type { ExecutionRecord } from '../contract/store.ts';
import { advance } from './advance.ts';
import { callLane } from './call-lane.ts';
import { refuseForeignExecution } from './cells.ts';
import type { EngineContext } from './context.ts';

/**
 * Ends an execution at once, in any state, and its children with it. An effect in progress is not undone, but its result changes
 * nothing any more. Cancelling an ended execution changes nothing.
 *
 * @throws {HiloError} `EXECUTION_NOT_FOUND`
 */
export async function cancelExecution(
  context: EngineContext,
  companyId: string,
  executionId: string,
  reason: string,
): Promise<ExecutionRecord> {
  refuseForeignExecution(context, executionId);
  const found = await context.store.load(companyId, executionId);
  if (found === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId });
  const { lane } = found;
  return callLane(
    context,
    lane,
    () => ({ type: 'cancel', companyId, executionId, reason }),
    async () => {
      const { record } = await context.lanes.runFirst(lane, () => advance(context, found, { type: 'cancel', reason }));
      return record ?? found;
    },
  );
}
