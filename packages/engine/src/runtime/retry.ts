import type { Clock } from '../contract/clock.ts';
import { isHiloError } from '../contract/errors.ts';
import type { KeyedQueue } from './keyed-queue.ts';
import type { Listeners } from './events.ts';

/** The first pause, and the longest: a store that was gone is asked again within 5 s of its return (P26). */
const firstPauseMs = 100;
const longestPauseMs = 2_000;

/**
 * Does what the engine owes, however often the store has to be asked: what was accepted is not given up because a disk is
 * full. For callers who wait for an answer, a failure is one.
 *
 * @param goesOn - whether it is still this engine's to do
 * @throws what the task failed with, when asking again would not help
 */
export async function retryWhileUnavailable<Result>(
  { clock, events }: { readonly events: Pick<Listeners, 'emit'>; readonly clock: Clock },
  doing: string,
  task: () => Promise<Result>,
  goesOn: () => boolean = () => true,
): Promise<Result> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await task();
    } catch (error) {
      if (!isPassing(error) || !goesOn()) throw error;
      events.emit('engine.fault', { error, while: doing });
      await new Promise<void>((resolve) => void clock.setTimeout(resolve, pauseMs));
    }
  }
}

const isPassing = (error: unknown): boolean => isHiloError(error, 'STORE_UNAVAILABLE') || isHiloError(error, 'STORE_CONFLICT');

/** What working in lanes needs of the engine. */
interface LaneWorker {
  readonly lanes: Pick<KeyedQueue, 'isOurs' | 'runFirst'>;
  readonly events: Pick<Listeners, 'emit'>;
  readonly clock: Clock;
}

/**
 * Retries what a lane owes, inside the lane's turn, while the store is unavailable. Gives up when the lane becomes another
 * process's: that one recovers it as the store has it.
 */
export async function retryWhileOwned<Result>(
  worker: LaneWorker,
  lane: string,
  doing: string,
  task: () => Promise<Result>,
): Promise<Result | undefined> {
  const isOurs = (): boolean => worker.lanes.isOurs(lane);
  try {
    return await retryWhileUnavailable(worker, doing, task, isOurs);
  } catch (error) {
    if (isOurs()) throw error;
    return undefined;
  }
}

/** Runs a task before all that queues in its lane, and retries it while the store is unavailable. A failure is an `engine.fault`. */
export function withLane(worker: LaneWorker, lane: string, doing: string, task: () => Promise<void>): void {
  worker.lanes
    .runFirst(lane, () => retryWhileOwned(worker, lane, doing, task))
    .catch((error: unknown) => worker.events.emit('engine.fault', { error, while: doing }));
}
