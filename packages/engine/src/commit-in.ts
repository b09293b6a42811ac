import { HiloError } from './contract/errors.ts';
import type { Commit, Committed } from './contract/store.ts';
import { inTurn } from './in-turn.ts';
import type { Kernel } from './kernel.ts';

/** Takes a lane up as the store has it, before all else in it. */
export function takeUpNext(kernel: Kernel, lane: string): void {
  const doing = `taking up lane ${lane}`;
  kernel.lanes
    .runFirst(lane, () => inTurn(kernel, lane, doing, () => kernel.takeUp(lane)))
    .catch((error: unknown) => kernel.events.emit('engine.fault', { error, while: doing }));
}

/**
 * Commits what is accepted for a lane, whoever has the lane. When the store cannot say what became of the commit, the lane
 * is taken up as the store has it once it answers again: what was committed though nobody heard of it goes on.
 *
 * @throws {HiloError} `STORE_UNAVAILABLE`
 */
export async function commitFor(kernel: Kernel, lane: string, commit: Commit): Promise<Committed> {
  try {
    return await kernel.store.commit(commit);
  } catch (error) {
    takeUpNext(kernel, lane);
    throw error;
  }
}

/**
 * Commits in the lane's turn: refused once the lane is another process's, however late this one wakes (P8).
 *
 * @throws {HiloError} `STORE_UNAVAILABLE`
 */
export async function commitInTurn(kernel: Kernel, lane: string, commit: Commit): Promise<Committed> {
  if (!kernel.lanes.isOurs(lane)) throw new HiloError('STORE_UNAVAILABLE', { reason: 'Another process took over: nothing was written' });
  return commitFor(kernel, lane, commit);
}
