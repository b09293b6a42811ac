import { settleLane } from './advance-execution.ts';
import type { Kernel } from './kernel.ts';

import { madeProgress } from './made-progress.ts';

/**
 * Takes up what is unfinished in a lane, as the store has it: effects without a recorded answer are performed again with
 * the same keys, what was accepted gets its turn, and nothing keeps the lane any longer that is over. What is under way
 * already goes on. To be run in the lane's turn.
 */
export async function takeUp(kernel: Kernel, lane: string): Promise<void> {
  const { unsettled, queued } = await kernel.store.unfinishedIn(lane);
  if (!kernel.lanes.isOurs(lane)) return; // lost meanwhile: the next to have it takes it up
  const ids = new Set(unsettled.map(({ executionId }) => executionId));
  for (const blocker of kernel.lanes.blocks(lane).keys()) if (!ids.has(blocker)) kernel.lanes.unblock(lane, blocker);
  for (const record of unsettled) settleLane(kernel, record);
  if (queued > 0) kernel.processAll(lane);
  if (unsettled.length + queued === 0) madeProgress(kernel, lane);
  kernel.timers.lookUp(); // of a wait that was committed though nobody heard of it
  kernel.events.emit('lane.takenUp', { lane });
}
