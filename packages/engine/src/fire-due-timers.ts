import { advanceExecution } from './advance-execution.ts';
import type { DueWait } from './contract/store.ts';
import type { Kernel } from './kernel.ts';
import { madeProgress } from './made-progress.ts';

import { quarantine } from './quarantine.ts';
import { mostDeaths } from './recover.ts';
import { inTurn } from './in-turn.ts';

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

async function fire(kernel: Kernel, wait: DueWait): Promise<void> {
  const { lane, executionId } = wait;
  const doing = `firing the timer of execution ${executionId}`;
  const ring = (): Promise<void> => ringOnce(kernel, wait, doing);
  const alone = async (): Promise<void> => {
    await inTurn(kernel, lane, doing, () => kernel.store.countTakeUps([lane]));
    await ring();
  };
  try {
    await kernel.lanes.runFirst(lane, async () => {
      const tries = await inTurn(kernel, lane, doing, () => triesOf(kernel, wait));
      if (tries === undefined) return undefined; // the lane is another process's
      if (tries === 0) return ring();
      if (tries < mostDeaths) return kernel.suspects.alone(lane, alone);
      return setWaitAside(kernel, wait, `The process died ${tries} times when its timer fired`);
    });
  } catch (error) {
    kernel.events.emit('engine.fault', { error, while: doing });
  }
  madeProgress(kernel, lane); // whether it fired, or was answered by something else
}

/**
 * How often a timer was tried, since its lane last got on, that was due before this process began: it may be what the
 * process before it died of (P17). The first try is counted here, once in each process; asked in the lane's turn, so that
 * nothing gets on meanwhile.
 */
async function triesOf({ store, suspects }: Kernel, { lane, dueAtMs }: DueWait): Promise<number> {
  if (dueAtMs >= suspects.sinceMs || suspects.has(lane)) return 0;
  await suspects.forgotten();
  const tries = (await store.takeUps([lane])).get(lane) ?? 0;
  if (tries === 0) await store.countTakeUps([lane]);
  suspects.add(lane); // until it gets on, be it by a quarantine: then its deaths are forgotten
  return tries;
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
    kernel.events.emit('engine.fault', { error, while: doing });
    await setWaitAside(kernel, wait, error instanceof Error ? error.message : String(error));
  }
}

/** An execution that cannot take its timer would be tried for ever. */
const setWaitAside = (kernel: Kernel, { companyId, executionId, lane, waitId }: DueWait, reason: string): Promise<void> =>
  inTurn(kernel, lane, `setting aside execution ${executionId}`, async () => {
    const record = await kernel.store.load(companyId, executionId);
    if (record?.state.wait?.id === waitId && record.state.status === 'waiting') await quarantine(kernel, record, reason);
  });
