import type { Kernel } from './kernel.ts';
import { untilTaken } from './until-taken.ts';

/**
 * Does what a lane owes, in the lane's turn, however often the store has to be asked. It is given up when the lane becomes
 * another process's: that one takes it up as the store has it.
 */
export async function inTurn<Result>(
  kernel: Kernel,
  lane: string,
  doing: string,
  task: () => Promise<Result>,
): Promise<Result | undefined> {
  const isOurs = (): boolean => kernel.lanes.isOurs(lane);
  try {
    return await untilTaken(kernel, doing, task, isOurs);
  } catch (error) {
    if (isOurs()) throw error;
    return undefined;
  }
}
