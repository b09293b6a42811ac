import { describeThrown, isHiloError } from '../contract/errors.ts';
import type { Awaitable, DueWait, ExecutionRecord } from '../contract/store.ts';
import type { EngineContext } from './context.ts';
import type { KeyedQueue } from './keyed-queue.ts';
import { maxCrashes } from './recovery.ts';
import { retryWhileOwned } from './retry.ts';
import { takeInput } from './take-input.ts';

/**
 * How many of them are fired at once: the next follows when one has been committed. Half of them are decided while the other half is
 * written: with 64, as many as PostgreSQL writes together, all took a sixth longer.
 */
const atOnce = 128;

/**
 * Fires a slice of the due timers, in the order of due times, in turn by company, each in its lane but before its queue: a slow call of one
 * execution delays no timer (P11). A few are decided in each turn of the event loop, so that others are served in between (P20, P23). Late
 * timers carry their delay.
 *
 * @returns how many were fired
 */
export async function fireDueTimers(context: EngineContext): Promise<number> {
  await context.ownership?.whenReady();
  const due = await context.dueTimers.read();
  const waits = due.values();
  const fireInTurn = async (): Promise<void> => {
    for (const wait of waits) await fire(context, wait);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, due.length) }, fireInTurn));
  return due.length;
}

async function fire(context: EngineContext, wait: DueWait): Promise<void> {
  const { lane, executionId } = wait;
  const doing = `firing the timer of execution ${executionId}`;
  const fireOnce = (): Promise<void> => fireTimer(context, wait, doing);
  const alone = async (): Promise<void> => {
    await retryWhileOwned(context, lane, doing, () => context.crashTracker.count(lane));
    await fireOnce();
  };
  try {
    await (await placeOf(context, wait))(lane, async () => {
      const tries = await retryWhileOwned(context, lane, doing, () => countTry(context, wait));
      if (tries === undefined) return undefined; // another process owns the lane
      if (tries === 0) return fireOnce();
      if (tries < maxCrashes) return context.crashTracker.alone(lane, alone);
      await deadLetterTimer(context, wait, `The process died ${tries} times when its timer fired`);
    });
  } catch (error) {
    context.events.emit('engine.fault', { error, while: doing });
  }
  context.crashTracker.clear(lane); // whether it fired, or was answered by something else
}

/**
 * Before all that queues in the lane; but behind it, where the first of it was accepted in time, and was kept for this process because no
 * earlier release could run the execution. What queues while a node pauses between two attempts waits for that pause to end: behind it, the
 * timer would wait for itself.
 */
async function placeOf(
  { crashTracker, lanes, store }: EngineContext,
  { companyId, lane, executionId, dueAtMs }: DueWait,
): Promise<KeyedQueue['run']> {
  if (dueAtMs >= crashTracker.sinceMs) return lanes.runFirst;
  try {
    const first = await store.nextQueued(lane);
    if (first === undefined || first.acceptedAtMs >= dueAtMs) return lanes.runFirst;
    const known = await store.load(companyId, executionId);
    return known?.state.wait?.kind === 'retry' ? lanes.runFirst : lanes.run;
  } catch {
    return lanes.runFirst; // fired all the same
  }
}

/**
 * How often a timer that was due before this process began was tried since its lane last made progress: it may have killed the process
 * before (P17). The first try is counted here, once in each process; read in the lane's turn, so that the lane makes no progress
 * meanwhile.
 */
async function countTry({ store, crashTracker }: EngineContext, { lane, dueAtMs }: DueWait): Promise<number> {
  if (dueAtMs >= crashTracker.sinceMs || crashTracker.has(lane)) return 0;
  await crashTracker.whenCleared();
  const tries = (await store.crashCounts([lane])).get(lane) ?? 0;
  if (tries === 0) await crashTracker.count(lane);
  crashTracker.add(lane); // until it makes progress, be it by a quarantine: then its crashes are cleared
  return tries;
}

/** Advances an execution whose wait is due, in its lane's turn. One that cannot process the timer is quarantined (P17). */
async function fireTimer(context: EngineContext, wait: DueWait, doing: string): Promise<void> {
  const { lane, companyId, executionId } = wait;
  try {
    // The wait may have been answered while the timer was queued in the lane: then it changes nothing.
    await retryWhileOwned(context, lane, doing, async () => {
      const known = await context.store.load(companyId, executionId);
      const untilMs = await pausedUntil(context, wait, known);
      if (untilMs !== undefined) return putOff(context, wait, untilMs);
      await context.turns.take(companyId);
      return takeInput(context, lane, companyId, { type: 'timer', wait }, { known });
    });
  } catch (error) {
    if (!isHiloError(error, 'INVALID_CANVAS')) context.events.emit('engine.fault', { error, while: doing });
    await deadLetterTimer(context, wait, describeThrown(error));
  }
}

/** Until when the timer of a question waits, since a person talks with its user. */
function pausedUntil({ directory }: EngineContext, wait: DueWait, known: ExecutionRecord | undefined): Awaitable<number | undefined> {
  const open = known?.state.wait;
  if (directory.questionPausedUntil === undefined || open?.kind !== 'reply' || open.id !== wait.waitId) return undefined;
  const { companyId, botId, userId } = known?.state.origin ?? {};
  if (companyId === undefined || botId === undefined || userId === undefined) return undefined;
  return directory.questionPausedUntil({ companyId, botId, userId, openedAtMs: open.openedAtMs, dueAtMs: wait.dueAtMs });
}

/** Leaves a timer in the store until an instant, when it is judged again. */
function putOff({ heldTimers, timers }: EngineContext, wait: DueWait, untilMs: number): void {
  heldTimers.add(wait, untilMs);
  timers.arm(untilMs);
}

/**
 * Quarantines an execution that cannot process its timer, which would otherwise be retried for ever. The timer of one that the nodes of
 * this release cannot run is held, where it stays in the store: the next release fires it.
 */
const deadLetterTimer = (context: EngineContext, wait: DueWait, reason: string): Awaitable<unknown> =>
  retryWhileOwned(context, wait.lane, `quarantining execution ${wait.executionId}`, async () => {
    const known = await context.store.load(wait.companyId, wait.executionId);
    if (known?.state.wait?.id !== wait.waitId || known.state.status !== 'waiting') return;
    const { lane, companyId, executionId } = wait;
    if (await context.library.isHeld(companyId, known.state.canvasHash)) context.heldTimers.add(wait);
    else await takeInput(context, lane, companyId, { type: 'quarantine', companyId, executionId, reason }, { known });
  });
