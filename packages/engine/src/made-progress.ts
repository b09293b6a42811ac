import type { Kernel } from './kernel.ts';

/** A lane got on: whatever its process died of, it was not this. */
export function madeProgress(kernel: Kernel, lane: string): void {
  if (kernel.suspects.clear(lane)) {
    kernel.suspects.forget(() => forgetDeaths(kernel, [lane], `forgetting the deaths of lane ${lane}`));
  }
}

/** The process ends by itself: none of its suspects killed it, though they are still at work (P17, P25). */
export async function acquitSuspects(kernel: Kernel): Promise<void> {
  const acquitted = kernel.suspects.clearAll();
  await kernel.suspects.forgotten();
  if (acquitted.length > 0) await forgetDeaths(kernel, acquitted, 'forgetting the deaths of what is still at work');
}

/** Does not throw: what cannot be forgotten now stays suspect. */
const forgetDeaths = (kernel: Kernel, lanes: readonly string[], doing: string): Promise<void> =>
  kernel.store.forgetTakeUps(lanes).catch((error: unknown) => kernel.events.emit('engine.fault', { error, while: doing }));
