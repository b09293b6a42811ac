import type { Kernel } from './kernel.ts';
import { tell } from './tell.ts';

/** A lane got on: whatever its process died of, it was not this. */
export function madeProgress(kernel: Kernel, lane: string): void {
  if (!kernel.suspects.clear(lane)) return;
  kernel.suspects.forget(() =>
    kernel.store
      .forgetTakeUps([lane])
      .catch((error: unknown) => tell(kernel, 'engine.fault', { error, while: `forgetting the deaths of lane ${lane}` })),
  );
}
