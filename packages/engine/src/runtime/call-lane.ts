import type { Awaitable } from '../contract/store.ts';
import type { EngineContext } from './context.ts';
import type { LaneAnswer, LaneCall } from './lane-runtime.ts';

/**
 * Does what is asked of a lane where the lane is kept: here, by a runtime, or by another process that shares the store.
 *
 * @param callOf - the call, as it is handed over
 * @param here - does it where the lane is this process's
 * @param anywhere - does it though the lane is another process's, which takes it from the store; none, where the answer is that process's.
 *   `mayBeDone`: it was sent there, and nothing is known of it
 */
export function callLane<Call extends LaneCall>(
  { runtime, ownership }: Pick<EngineContext, 'runtime' | 'ownership'>,
  lane: string,
  callOf: () => Call,
  here: () => Awaitable<LaneAnswer<Call>>,
  anywhere?: (keyed: Call, mayBeDone: boolean) => Promise<LaneAnswer<Call>>,
): Awaitable<LaneAnswer<Call>> {
  if (runtime !== undefined) return runtime.accept(lane, callOf());
  return ownership === undefined ? here() : ownership.call(lane, callOf, here, anywhere);
}
