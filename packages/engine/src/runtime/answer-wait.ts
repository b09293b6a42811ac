import { isHiloError } from '../contract/errors.ts';
import { advance } from './advance.ts';
import { callLane } from './call-lane.ts';
import type { EngineContext } from './context.ts';
import { keepInLane } from './keep-in-lane.ts';
import type { SignalCall } from './lane-runtime.ts';

// How the open waits that a signal is for are found, and how each is answered.

/** A wait as read before its lane is locked. */
export interface KnownWait {
  readonly executionId: string;
  readonly lane: string;
  readonly waitId: string;
}

/** The open waits that a signal answers, the oldest execution first. */
export async function findWaits(
  { store }: EngineContext,
  {
    companyId,
    kind = 'event',
    name,
    correlation,
  }: Pick<SignalCall, 'companyId'> & {
    readonly kind?: 'event' | 'handoff' | 'payment';
    readonly name: string;
    readonly correlation: string;
  },
): Promise<readonly KnownWait[]> {
  const waiting = await store.awaitingSignal(companyId, name, correlation);
  return waiting.flatMap(({ executionId, lane, state: { wait } }) => (wait?.kind === kind ? [{ executionId, lane, waitId: wait.id }] : []));
}

/** Answers one wait, wherever its lane is. @returns as {@link takeSignal} */
export const answerWait = async (context: EngineContext, lane: string, signal: Omit<SignalCall, 'type'>): Promise<boolean> =>
  callLane(
    context,
    lane,
    () => ({ type: 'signal' as const, ...signal }),
    () => takeSignal(context, lane, signal),
  );

/** Answers one wait, in its lane's turn. @returns whether this signal answered it, now or when it was sent before */
export async function takeSignal(
  context: EngineContext,
  lane: string,
  { companyId, executionId, waitId, payload, keys }: Omit<SignalCall, 'type'>,
): Promise<boolean> {
  const wasAnswered = async (): Promise<boolean> => keys.length > 0 && (await context.store.seenAnswer(keys)) !== undefined;
  try {
    return await context.lanes.run(lane, async () => {
      if (await wasAnswered()) return true;
      const { isApplied } = await advance(context, { companyId, executionId }, { type: 'signal.received', waitId, payload }, { keys });
      return isApplied || wasAnswered();
    });
  } catch (error) {
    if (isHiloError(error, 'STORE_UNAVAILABLE') || isHiloError(error, 'STORE_CONFLICT')) throw error;
    if (isHiloError(error, 'INVALID_CANVAS')) {
      await keepInLane(context, lane, { companyId, accepted: { kind: 'event', executionId, waitId, payload }, keys, answer: null });
      return true;
    }
    // An execution that cannot continue, since its canvas no longer compiles, does not block the signal for others (P17).
    context.events.emit('engine.fault', { error, while: `answering the wait of execution ${executionId}` });
    return false;
  }
}
