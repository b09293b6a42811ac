import { advanceExecution } from './advance-execution.ts';
import type { DueWait } from './contract/store.ts';
import { type Kernel, tell } from './kernel.ts';

/** How many due waits are taken from the store at once. */
const batch = 1_000;

/**
 * Fires every timer that is due, in due order, each in its lane but before what queues there: a slow call of one execution
 * makes no timer late (P11). Late ones carry by how much.
 *
 * @returns how many were due
 */
export async function fireDueTimers(kernel: Kernel): Promise<number> {
  const due = await kernel.store.due(kernel.clock.now(), batch);
  await Promise.all(due.map((wait) => fire(kernel, wait)));
  return due.length;
}

async function fire(kernel: Kernel, { companyId, executionId, lane, waitId, dueAtMs }: DueWait): Promise<void> {
  try {
    await kernel.lanes.runFirst(lane, () =>
      advanceExecution(kernel, companyId, executionId, ({ state }) =>
        // Something else may have answered the wait while the timer stood in the lane.
        state.wait?.id === waitId ? { type: 'timer.fired', waitId, lateByMs: Math.max(0, kernel.clock.now() - dueAtMs) } : undefined,
      ),
    );
  } catch (error) {
    tell(kernel, 'engine.fault', { error, while: `firing the timer of execution ${executionId}` });
  }
}
