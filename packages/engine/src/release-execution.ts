import { advanceExecution } from './advance-execution.ts';
import type { Accepted } from './contract/accepted.ts';
import { HiloError } from './contract/errors.ts';
import type { ExecutionRecord } from './contract/store.ts';
import type { Kernel } from './kernel.ts';
import type { EventCore } from './plan-advance.ts';

/**
 * Lets a quarantined execution go on where it stood (P17): its effect is performed again, its wait waits on, and what could
 * not be processed gets another turn. Any other execution stays as it is.
 *
 * @throws {HiloError} `EXECUTION_NOT_FOUND`
 */
export async function releaseExecution(kernel: Kernel, companyId: string, executionId: string): Promise<ExecutionRecord> {
  const found = await kernel.store.load(companyId, executionId);
  if (found === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId });
  const { lane } = found;
  const poison = await setAsideWith(kernel, found);
  const enqueue = poison === undefined ? [] : [{ companyId, lane, acceptedAtMs: kernel.clock.now(), accepted: poison }];
  let last = found;
  const choose = (record: ExecutionRecord): EventCore | undefined => {
    last = record;
    return record.state.status === 'quarantined' ? { type: 'execution.released' } : undefined;
  };
  const released = await kernel.lanes.runFirst(lane, async () => {
    await kernel.store.forgetTakeUps([lane]); // whoever releases it wants it tried anew
    return advanceExecution(kernel, companyId, executionId, choose, { enqueue });
  });
  return released ?? last;
}

/** What was accepted for the execution and set aside with it. */
async function setAsideWith(kernel: Kernel, { companyId, executionId, state }: ExecutionRecord): Promise<Accepted | undefined> {
  if (state.status !== 'quarantined') return undefined;
  const last = (await kernel.store.history(companyId, executionId)).findLast(({ event }) => event.type === 'execution.quarantined');
  return last?.event.type === 'execution.quarantined' ? last.event.accepted : undefined;
}
