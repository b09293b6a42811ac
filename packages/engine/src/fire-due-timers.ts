import { advanceExecution } from './advance-execution.ts';
import type { DueWait } from './contract/store.ts';
import type { Kernel } from './kernel.ts';
import { tell } from './tell.ts';
import { quarantine } from './quarantine.ts';
import { mostDeaths } from './recover.ts';
import { inTurn } from './in-turn.ts';

/** How many due waits are taken from the store at once. */
const batch = 1_000;

/** A timer that is later than this may be what the process died of: the times it is tried are counted (P17). */
const suspectAfterMs = 5_000;

/**
 * Fires every timer that is due, in due order, each in its lane but before what queues there: a slow call of one execution
 * makes no timer late (P11). Late ones carry by how much.
 *
 * @returns how many were due
 */
export async function fireDueTimers(kernel: Kernel): Promise<number> {
  const { store, clock } = kernel;
  const due = await store.due(clock.now(), batch);
  const late = due.filter(({ dueAtMs }) => clock.now() - dueAtMs > suspectAfterMs).map(({ lane }) => lane);
  const counts = late.length === 0 ? new Map<string, number>() : await store.takeUps(late);
  await store.countTakeUps(late.filter((lane) => !counts.has(lane)));
  await Promise.all(due.map((wait) => fire(kernel, wait, counts.get(wait.lane) ?? 0)));
  if (late.length > 0) await store.forgetTakeUps(late);
  return due.length;
}

/** @param tries - how often this was tried since the execution last got on */
async function fire(kernel: Kernel, wait: DueWait, tries: number): Promise<void> {
  const { lane, executionId } = wait;
  const doing = `firing the timer of execution ${executionId}`;
  const ring = (): Promise<void> => ringOnce(kernel, wait, doing);
  const alone = async (): Promise<void> => {
    await inTurn(kernel, lane, doing, () => kernel.store.countTakeUps([lane]));
    await ring();
  };
  try {
    await kernel.lanes.runFirst(lane, () => {
      if (tries === 0) return ring();
      if (tries < mostDeaths) return kernel.suspects.alone(lane, alone);
      return setWaitAside(kernel, wait, `The process died ${tries} times when its timer fired`);
    });
  } catch (error) {
    tell(kernel, 'engine.fault', { error, while: doing });
  }
}

async function ringOnce(kernel: Kernel, wait: DueWait, doing: string): Promise<void> {
  const { companyId, executionId, lane, waitId, dueAtMs } = wait;
  try {
    await inTurn(kernel, lane, doing, () =>
      advanceExecution(kernel, companyId, executionId, ({ state }) =>
        // Something else may have answered the wait while the timer stood in the lane.
        state.wait?.id === waitId ? { type: 'timer.fired', waitId, lateByMs: Math.max(0, kernel.clock.now() - dueAtMs) } : undefined,
      ),
    );
  } catch (error) {
    tell(kernel, 'engine.fault', { error, while: doing });
    await setWaitAside(kernel, wait, error instanceof Error ? error.message : String(error));
  }
}

/** An execution that cannot take its timer would be tried for ever. */
const setWaitAside = (kernel: Kernel, { companyId, executionId, lane, waitId }: DueWait, reason: string): Promise<void> =>
  inTurn(kernel, lane, `setting aside execution ${executionId}`, async () => {
    const record = await kernel.store.load(companyId, executionId);
    if (record?.state.wait?.id === waitId && record.state.status === 'waiting') await quarantine(kernel, record, reason);
  });
