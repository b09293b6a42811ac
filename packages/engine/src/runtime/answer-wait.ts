import { isHiloError } from '../contract/errors.ts';
import type { SignalCall } from '../lane/calls.ts';
import { askLane } from './ask-lane.ts';
import type { EngineContext } from './context.ts';

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
    executionId: only,
  }: Pick<SignalCall, 'companyId'> & {
    readonly kind?: 'event' | 'handoff' | 'payment';
    readonly name: string;
    readonly correlation: string;
    readonly executionId?: string;
  },
): Promise<readonly KnownWait[]> {
  const waiting = await store.awaitingSignal(companyId, name, correlation);
  return waiting.flatMap(({ executionId, lane, state: { wait } }) =>
    wait?.kind === kind && (only === undefined || only === executionId) ? [{ executionId, lane, waitId: wait.id }] : [],
  );
}

/** Answers one wait, in its lane's turn. @returns whether this signal answered it, now or when it was sent before */
export async function answerWait(context: EngineContext, lane: string, signal: Omit<SignalCall, 'type'>): Promise<boolean> {
  try {
    return await askLane(context, lane, { type: 'signal', ...signal });
  } catch (error) {
    if (isHiloError(error, 'STORE_UNAVAILABLE') || isHiloError(error, 'STORE_CONFLICT') || isHiloError(error, 'CELL_ELSEWHERE'))
      throw error;
    // An execution that cannot continue does not block the signal for others (P17).
    context.events.emit('engine.fault', { error, while: `answering the wait of execution ${signal.executionId}` });
    return false;
  }
}
