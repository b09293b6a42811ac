import { HiloError } from '../contract/errors.ts';
import type { InboxEvent } from '../contract/event.ts';
import type { Awaitable, ExecutionRecord, HistoryRecord } from '../contract/store.ts';
import { advance, type Advanced } from './advance.ts';
import type { EngineContext } from './context.ts';
import { callLane } from './call-lane.ts';
import { type LaneCall, refuseForeignExecution } from './lane-runtime.ts';

/**
 * Ends an execution at once, in any state, and its children with it. An effect in progress is not undone, but its result changes
 * nothing any more. Cancelling an ended execution changes nothing.
 *
 * @throws {HiloError} `EXECUTION_NOT_FOUND`
 */
export const cancelExecution = (context: EngineContext, companyId: string, executionId: string, reason: string): Promise<ExecutionRecord> =>
  operate(context, { type: 'cancel', companyId, executionId, reason }, (found) =>
    advance(context, found, { type: 'execution.cancelled', reason }),
  );

/**
 * Resumes a quarantined execution (P17): its effect is performed again, its wait continues, and its unprocessable item is retried. Any
 * other execution is unchanged.
 *
 * @throws {HiloError} `EXECUTION_NOT_FOUND`
 */
export const releaseExecution = (context: EngineContext, companyId: string, executionId: string): Promise<ExecutionRecord> =>
  operate(context, { type: 'release', companyId, executionId }, async (found) => {
    const { lane } = found;
    const accepted = await findDeadLetter(context, found);
    const enqueue = accepted === undefined ? [] : [{ companyId, lane, acceptedAtMs: context.clock.now(), accepted }];
    await context.store.clearCrashCounts([lane]); // a release permits new tries
    return advance(context, found, { type: 'execution.released' }, { enqueue });
  });

/** Moves an execution where its lane is, before all that queues there. @throws {HiloError} `EXECUTION_NOT_FOUND` */
async function operate(
  context: EngineContext,
  call: Extract<LaneCall, { readonly type: 'cancel' | 'release' }>,
  move: (found: ExecutionRecord) => Awaitable<Advanced>,
): Promise<ExecutionRecord> {
  const { companyId, executionId } = call;
  refuseForeignExecution(context, executionId);
  const found = await context.store.load(companyId, executionId);
  if (found === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId });
  const here = async (): Promise<ExecutionRecord> => (await context.lanes.runFirst(found.lane, async () => move(found))).record ?? found;
  return callLane(context, found.lane, () => call, here);
}

/** The inbox item that was quarantined with the execution. */
async function findDeadLetter(context: EngineContext, { companyId, executionId, state }: ExecutionRecord): Promise<InboxEvent | undefined> {
  if (state.status !== 'quarantined') return undefined;
  const last = (await context.store.history(companyId, executionId)).findLast(({ event }) => event.type === 'execution.quarantined');
  return last?.event.type === 'execution.quarantined' ? last.event.accepted : undefined;
}

/** Reads an execution of this cell. @throws {HiloError} `CELL_ELSEWHERE` */
export async function readExecution(context: EngineContext, companyId: string, executionId: string): Promise<ExecutionRecord | undefined> {
  refuseForeignExecution(context, executionId);
  return context.store.load(companyId, executionId);
}

/** Reads all that an execution of this cell did. @throws {HiloError} `CELL_ELSEWHERE` */
export async function readHistory(context: EngineContext, companyId: string, executionId: string): Promise<readonly HistoryRecord[]> {
  refuseForeignExecution(context, executionId);
  return context.store.history(companyId, executionId);
}
