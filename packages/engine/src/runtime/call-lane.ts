import type { Awaitable } from '../contract/store.ts';
import type { EngineContext } from './context.ts';
import { type LaneAnswer, type LaneCall, refuseForeignLane } from './lane-runtime.ts';

/**
 * Performs a call on a lane where the lane is owned: here, by a runtime, or by another process that shares the store. While an engine begins,
 * the call waits until what an earlier process left unfinished is known, and comes first.
 *
 * @param callOf - the call, in the form that is forwarded
 * @param here - performs it when this process owns the lane
 * @param anywhere - performs it although another process owns the lane, which gets it from the store; none when only the owner can
 *   answer. `mayBeDone`: it was forwarded, and its outcome is unknown
 * @throws {HiloError} `CELL_ELSEWHERE`
 */
export function callLane<Call extends LaneCall>(
  { runtime, ownership, cell, recoveries }: Pick<EngineContext, 'runtime' | 'ownership' | 'cell' | 'recoveries'>,
  lane: string,
  callOf: () => Call,
  here: () => Awaitable<LaneAnswer<Call>>,
  anywhere?: (keyed: Call, mayBeDone: boolean) => Promise<LaneAnswer<Call>>,
): Awaitable<LaneAnswer<Call>> {
  refuseForeignLane({ cell }, lane);
  const call = (): Awaitable<LaneAnswer<Call>> => {
    if (runtime !== undefined) return runtime.accept(lane, callOf());
    return ownership === undefined ? here() : ownership.call(lane, callOf, here, anywhere);
  };
  const listed = recoveries.whenListed();
  return listed === undefined ? call() : listed.then(call);
}
