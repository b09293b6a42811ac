import { effectKey, idempotencyKey } from '../machine/deterministic-ids.ts';
import { callLane } from './call-lane.ts';
import type { EngineContext } from './context.ts';
import { takeSignal } from './signal.ts';

/** A message that its provider took, and refused later since the user's 24-hour window is closed (WIN-02). */
export interface LateRefusal {
  readonly companyId: string;
  readonly executionId: string;
  /** Of the effect that sent the message. */
  readonly idempotencyKey: string;
}

/**
 * The outcome of a late refusal. `left`: the execution waited for the reply to that message, and left by `windowClosed`; `underWay`: the
 * sending of the message is not recorded yet, so that the call may be repeated; `passed`: the execution is elsewhere by now.
 */
export type LateRefusalOutcome = 'left' | 'underWay' | 'passed';

/**
 * Lets an execution leave by `windowClosed` that waits for the reply to a message which did not arrive. The wait is answered once:
 * a reply or a due time that was faster has its way (P7).
 *
 * @throws {HiloError} `STORE_UNAVAILABLE`
 */
export async function refuseLate(
  context: EngineContext,
  { companyId, executionId, idempotencyKey: sent }: LateRefusal,
): Promise<LateRefusalOutcome> {
  const record = await context.store.load(companyId, executionId);
  if (record === undefined) return 'passed';
  const { pending, visit, wait } = record.state;
  const isSent = (key: string): boolean => idempotencyKey(companyId, key, context.digest) === sent;
  if (pending !== undefined && isSent(pending.key)) return 'underWay';
  if (wait?.kind !== 'reply' || visit === undefined) return 'passed';
  if (!isSent(effectKey(executionId, visit.nodeId, visit.number, visit.results.length - 1))) return 'passed';
  const { lane } = record;
  const signal = { type: 'signal', companyId, executionId, waitId: wait.id, payload: { cause: 'WINDOW_CLOSED' }, keys: [] } as const;
  const isTaken = await callLane(
    context,
    lane,
    () => signal,
    () => takeSignal(context, lane, signal),
  );
  return isTaken ? 'left' : 'passed';
}
