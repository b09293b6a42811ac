import type { Clock } from '../contract/clock.ts';
import { isHiloError, isOfClosedStore } from '../contract/errors.ts';
import { type Backoff, backoffMs, retryWithBackoff } from '../contract/retry.ts';
import type { Awaitable } from '../contract/store.ts';
import type { KeyedQueue } from './keyed-queue.ts';
import type { Listeners } from './events.ts';

// When a store and a driver answer synchronously, an advance makes no promises: each would cost as much as the visit of a node. These
// two functions replace `await` and `catch`.

/** Calls a function with an answer: at once when it is no promise. */
export const andThen = <Answer, Next>(answer: Awaitable<Answer>, goOn: (answer: Answer) => Awaitable<Next>): Awaitable<Next> =>
  answer instanceof Promise ? answer.then(goOn) : goOn(answer);

/** Runs a task. When it fails, now or later, the result of `failed` replaces its own. */
export function rescue<Answer>(task: () => Awaitable<Answer>, failed: (error: unknown) => Awaitable<Answer>): Awaitable<Answer> {
  try {
    const answer = task();
    return answer instanceof Promise ? answer.catch(failed) : answer;
  } catch (error) {
    return failed(error);
  }
}

/** At most 2 s between two calls, so that work continues within 5 s after the store is available again (P26). */
const backoff: Backoff = { firstMs: 100, longestMs: 2_000 };

/** What retrying needs of the engine. */
interface Retrying {
  readonly events: Pick<Listeners, 'emit'>;
  readonly clock: Clock;
}

/** What working in lanes needs of the engine. */
interface LaneWorker extends Retrying {
  readonly lanes: Pick<KeyedQueue, 'isOurs' | 'runFirst'>;
}

/**
 * Retries the engine's own obligations while the store is unavailable: accepted work is not lost because a disk is full. Callers that
 * wait for an answer get the error instead.
 *
 * @throws the task's error, when a retry would not help
 */
export const retryWhileUnavailable = <Result>(engine: Retrying, doing: string, task: () => Promise<Result>): Promise<Result> =>
  retryWithBackoff(task, { backoff, clock: engine.clock, onFailure: (error) => report(engine, doing, error) });

/**
 * Retries a task inside the lane's turn while the store is unavailable. Gives up when the lane becomes another
 * process's, which recovers it from the store.
 *
 * @throws the task's error, when a retry would not help
 */
export const retryWhileOwned = <Result>(
  worker: LaneWorker,
  lane: string,
  doing: string,
  task: () => Awaitable<Result>,
): Awaitable<Result | undefined> =>
  rescue<Result | undefined>(task, async (first) => {
    let error = first;
    for (let attempt = 1; worker.lanes.isOurs(lane); attempt += 1) {
      report(worker, doing, error);
      await new Promise<void>((resolve) => void worker.clock.setTimeout(resolve, backoffMs(backoff, attempt)));
      try {
        return await task();
      } catch (again) {
        error = again;
      }
    }
    return undefined;
  });

const isPassing = (error: unknown): boolean =>
  (isHiloError(error, 'STORE_UNAVAILABLE') && !isOfClosedStore(error)) || isHiloError(error, 'STORE_CONFLICT');

/** @throws the error itself, when a retry would not help */
function report({ events }: Pick<Retrying, 'events'>, doing: string, error: unknown): void {
  if (!isPassing(error)) throw error;
  events.emit('engine.fault', { error, while: doing });
}

/** Runs a task before all that queues in its lane, and retries it while the store is unavailable. A failure is an `engine.fault`. */
export async function withLane(worker: LaneWorker, lane: string, doing: string, task: () => Promise<void>): Promise<void> {
  try {
    await worker.lanes.runFirst(lane, async () => retryWhileOwned(worker, lane, doing, task));
  } catch (error) {
    worker.events.emit('engine.fault', { error, while: doing });
  }
}
