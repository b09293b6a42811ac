import { settleLane } from './advance-execution.ts';
import type { Kernel } from './kernel.ts';
import { isInternal } from './process-queued.ts';

/**
 * Takes up what an earlier process left: effects without a recorded answer are performed again with the same keys, and
 * what was accepted gets its turn, in order.
 */
export async function recover(kernel: Kernel): Promise<void> {
  for (const record of await kernel.store.unsettled()) settleLane(kernel, record);
  const queued = await kernel.store.queued();
  for (const one of [...queued.filter(isInternal), ...queued.filter((other) => !isInternal(other))]) kernel.process(one);
}
