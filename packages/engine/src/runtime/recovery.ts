import type { LaneSet, UnfinishedLane } from '../contract/store.ts';
import { settleLane } from './advance.ts';
import type { EngineContext } from './context.ts';
import { quarantineLane } from './quarantine.ts';
import { processAll } from './inbox.ts';
import { retryWhileUnavailable, withLane } from './retry.ts';

/** How many lanes are looked at together. */
const page = 1_000;

/** At this many crashes without progress, whatever was at work in a lane is quarantined (P17). */
export const maxCrashes = 3;

/**
 * Recovers, lane by lane, what an earlier process left unfinished.
 *
 * @param among - of a store that processes share: the lanes that this one got
 * @param onListed - called when it knows what is unfinished, before anything else is done in these lanes
 */
export async function recover(context: EngineContext, among?: LaneSet, onListed = (): void => undefined): Promise<void> {
  const found = await unfinishedLanes(context);
  const lanes = among === undefined ? found : found.filter(({ lane }) => among.has(lane));
  const recovering = (lane: string): string => `recovering lane ${lane}`;
  onListed();
  // Each lane's turn is taken before anything is waited for: what is asked of the engine meanwhile comes after.
  let counted: Promise<unknown> = Promise.resolve();
  for (let from = 0; from < lanes.length; from += page) {
    const some = lanes.slice(from, from + page);
    const atWork = some.flatMap(({ lane, isAtWork }) => (isAtWork ? [lane] : []));
    const counting = counted.then(() => retryWhileUnavailable(context, 'recovering', () => countCrashes(context, atWork)));
    counted = counting;
    for (const { lane, isAtWork } of some)
      withLane(context, lane, recovering(lane), async () =>
        isAtWork ? recoverInTurn(context, lane, (await counting).get(lane)) : recoverLane(context, lane),
      );
  }
  await counted;
}

/** All lanes in which something is unfinished, and whether that may be what the process died of. */
async function unfinishedLanes(context: EngineContext): Promise<readonly { readonly lane: string; readonly isAtWork: boolean }[]> {
  const lanes: { readonly lane: string; readonly isAtWork: boolean }[] = [];
  for (let after = ''; ; ) {
    const found = await retryWhileUnavailable(context, 'looking for what is unfinished', () => context.store.unfinished(after, page));
    for (const one of found) lanes.push({ lane: one.lane, isAtWork: isAtWork(one) });
    if (found.length < page) return lanes;
    after = found.at(-1)?.lane ?? after;
  }
}

/** Whether this lane's work may have crashed the process: a pause before the next try, with its user held, cannot. */
const isAtWork = ({ unsettled, queued }: UnfinishedLane): boolean =>
  unsettled.length === 0 ? queued > 0 : unsettled.some(({ state }) => state.status === 'running');

/**
 * Counts the first crash of lanes that were at work at it.
 *
 * @returns the crashes before this one of those that had been at work at one already: not counted yet
 */
async function countCrashes({ store, crashTracker }: EngineContext, lanes: readonly string[]): Promise<ReadonlyMap<string, number>> {
  await crashTracker.whenCleared();
  const before = await store.crashCounts(lanes);
  const others = lanes.filter((lane) => !before.has(lane));
  await store.countCrashes(others);
  for (const lane of others) crashTracker.add(lane);
  return before;
}

/**
 * Recovers a lane that was at work when its process crashed. Each crash is counted before any work is done, until the lane makes
 * progress: a lane that was at work at one crash is recovered with all others, at two alone, and at three it is quarantined.
 *
 * @param before - its crashes before this one; none, when this one was the first, and is counted
 */
async function recoverInTurn(context: EngineContext, lane: string, before: number | undefined): Promise<void> {
  const { store, crashTracker } = context;
  if (before === undefined) return recoverLane(context, lane);
  const crashes = before + 1;
  if (crashes < maxCrashes)
    return crashTracker.alone(lane, async () => {
      await store.countCrashes([lane]);
      await recoverLane(context, lane);
    });
  // Whoever released something of it before this turn wants it tried anew.
  const isForgotten = !(await store.crashCounts([lane])).has(lane);
  return isForgotten ? recoverLane(context, lane) : quarantineLane(context, lane, `The process died ${crashes} times at its work`);
}

/**
 * Recovers what is unfinished in a lane, as the store has it: re-runs pending effects under their keys, re-queues inbox items,
 * and unblocks the lane of effects that are over. Effects in flight are left alone. To be run in the lane's turn.
 */
export async function recoverLane(context: EngineContext, lane: string): Promise<void> {
  const { unsettled, queued } = await context.store.unfinishedIn(lane);
  if (!context.lanes.isOurs(lane)) return; // lost meanwhile: the next to have it takes it up
  const ids = new Set(unsettled.map(({ executionId }) => executionId));
  for (const blocker of context.lanes.blockers(lane)) if (!ids.has(blocker)) context.lanes.unblock(lane, blocker);
  for (const record of unsettled) settleLane(context, record);
  if (queued > 0) processAll(context, lane);
  if (unsettled.length + queued === 0) context.crashTracker.clear(lane);
  context.timers.lookUp(); // of a wait that was committed though nobody heard of it
  context.events.emit('lane.recovered', { lane });
}
