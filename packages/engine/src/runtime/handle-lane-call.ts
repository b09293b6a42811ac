import { HiloError } from '../contract/errors.ts';
import type { Json } from '../contract/json.ts';
import type { EngineContext } from './context.ts';
import { LaneElsewhere } from './keyed-queue.ts';
import type { LaneCall, LaneReply } from './lane-runtime.ts';
import { receiveMessage } from './message.ts';
import { cancelExecution, releaseExecution } from './operate.ts';
import { takeSignal } from './answer-wait.ts';
import { takeStartCall } from './start.ts';
import { resume } from './webhook.ts';

/** Performs a call on a lane that this process owns. */
export function handleLaneCall(context: EngineContext, lane: string, call: LaneCall): Promise<unknown> {
  switch (call.type) {
    case 'start':
      return takeStartCall(context, lane, call);
    case 'message':
      return receiveMessage(context, call.message);
    case 'resume':
      return resume(context, call.call, call.executionId);
    case 'signal':
      return takeSignal(context, lane, call);
    case 'cancel':
      return cancelExecution(context, call.companyId, call.executionId, call.reason);
    case 'release':
      return releaseExecution(context, call.companyId, call.executionId);
  }
}

/**
 * Performs a call that another process forwarded. It is never forwarded again.
 *
 * @returns the answer for its caller; `undefined` when this process does not own the lane
 * @throws {HiloError} `STORE_UNAVAILABLE`, `STORE_CONFLICT`: the same call may succeed later
 */
export async function handleForwardedCall(context: EngineContext, lane: string, call: LaneCall): Promise<LaneReply | undefined> {
  const { ownership } = context;
  await ownership?.whenReady();
  if (ownership === undefined || !context.lanes.takes(lane)) return undefined;
  const here: EngineContext = { ...context, ownership: { ...ownership, call: async (_lane, _callOf, work) => work() } };
  try {
    return await createReply(
      () => handleLaneCall(here, lane, call),
      ({ status }) => status !== 503, // another failure may not repeat
    );
  } catch (error) {
    if (error instanceof LaneElsewhere) return undefined;
    throw error;
  }
}

/** The answer for the caller of some work, or its refusal. @param isRefusal - whether an error is the caller's; any other is thrown */
export async function createReply(work: () => Promise<unknown>, isRefusal: (error: HiloError) => boolean): Promise<LaneReply> {
  try {
    return { kind: 'answer', value: ((await work()) ?? null) as Json };
  } catch (error) {
    if (!isKnown(error) || !isRefusal(error)) throw error;
    return { kind: 'refused', code: error.code, details: error.details as unknown as Json };
  }
}

const isKnown = (error: unknown): error is HiloError => error instanceof HiloError;
