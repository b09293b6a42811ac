import type { ExecutionRecord, LaneSet, UnfinishedLane } from '../contract/store.ts';
import { findBlock } from '../lane/lane.ts';
import { settleLane } from './take-input.ts';
import type { EngineContext } from './context.ts';
import { quarantineLane } from './quarantine.ts';
import { companyOfLane } from '../machine/new-execution.ts';
import { processAll } from './inbox.ts';
import { retryWhileUnavailable, withLane } from './retry.ts';

/** How many lanes are looked at together. */
const page = 1_000;

/** At this many crashes without progress, the working items of a lane are quarantined (P17). */
export const maxCrashes = 3;

/**
 * Recovers, lane by lane, unfinished work of earlier processes.
 *
 * @param among - of a shared store: the lanes that this process gained
 * @param onListed - called when the unfinished work is listed, before anything else is done in these lanes
 */
export async function recover(context: EngineContext, among?: LaneSet, onListed = (): void => undefined): Promise<void> {
  const found = await unfinishedLanes(context);
  const lanes = among === undefined ? found : found.filter(({ lane }) => among.has(lane));
  onListed();
  // Each lane's turn is taken before anything is awaited: later calls of the engine queue behind it.
  let counted: Promise<unknown> = Promise.resolve();
  const turns: Promise<void>[] = [];
  for (let from = 0; from < lanes.length; from += page) {
    const some = lanes.slice(from, from + page);
    const atWork = some.flatMap(({ lane, isAtWork }) => (isAtWork ? [lane] : []));
    const counting = counted.then(() => retryWhileUnavailable(context, 'recovering', () => countCrashes(context, atWork)));
    counted = counting;
    for (const { lane, isAtWork } of some)
      turns.push(
        withLane(context, lane, `recovering lane ${lane}`, async () => {
          const before = isAtWork ? (await counting).get(lane) : undefined;
          await context.turns.take(companyOfLane(lane));
          return isAtWork ? recoverInTurn(context, lane, before) : recoverLane(context, lane);
        }),
      );
  }
  context.recoveries.follow(Promise.all(turns));
  await counted;
}

/** All lanes with unfinished work, and whether the process may have died of it. */
async function unfinishedLanes(context: EngineContext): Promise<readonly { readonly lane: string; readonly isAtWork: boolean }[]> {
  const lanes: { readonly lane: string; readonly isAtWork: boolean }[] = [];
  for (let after = ''; ; ) {
    const found = await retryWhileUnavailable(context, 'listing unfinished work', () => context.store.unfinished(after, page));
    for (const one of found) lanes.push({ lane: one.lane, isAtWork: isAtWork(one) });
    if (found.length < page) return lanes;
    after = found.at(-1)?.lane ?? after;
  }
}

/** Whether this lane's work may have crashed the process: a pause before the next try, with its user held, cannot. */
const isAtWork = ({ unsettled, queued }: UnfinishedLane): boolean =>
  unsettled.length === 0 ? queued > 0 : unsettled.some(({ state }) => state.status === 'running');

/**
 * Counts the first crash of lanes that were working at it.
 *
 * @returns the earlier crashes of lanes that were working at one before: this crash is not counted yet
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
 * progress: a lane that was at work at one crash is recovered with all others, at two alone, and at three it is quarantined, alone too: a
 * crash that another lane makes meanwhile says nothing of the message that is taken out.
 *
 * @param before - its crashes before this one; none, when this one was the first, and is counted
 */
async function recoverInTurn(context: EngineContext, lane: string, before: number | undefined): Promise<void> {
  const { store, crashTracker } = context;
  if (before === undefined) return recoverLane(context, lane);
  const crashes = before + 1;
  return crashTracker.alone(lane, async () => {
    // A release before this turn permits new tries.
    const isForgotten = crashes >= maxCrashes && !(await store.crashCounts([lane])).has(lane);
    if (isForgotten) return recoverLane(context, lane);
    await store.countCrashes([lane]);
    if (crashes < maxCrashes) return recoverLane(context, lane);
    return quarantineLane(context, lane, `The process died ${crashes} times at its work`, crashes > maxCrashes);
  });
}

/** Keeps a lane until a release runs that can run its execution. */
function holdLane({ lanes }: EngineContext, record: ExecutionRecord): void {
  const block = findBlock(record);
  if (block === undefined) return;
  lanes.block(record.lane, record.executionId, { ...block, untilMs: Number.POSITIVE_INFINITY, hold: undefined, isIdle: true });
}

/**
 * Recovers what is unfinished in a lane, as the store has it: re-runs pending effects under their keys, re-queues inbox items,
 * and unblocks the lane of effects that are over. Effects in flight are left alone. To be run in the lane's turn.
 */
export async function recoverLane(context: EngineContext, lane: string): Promise<void> {
  const { unsettled, queued } = await context.store.unfinishedIn(lane);
  if (!context.lanes.isOurs(lane)) return; // lost meanwhile: its next owner recovers it
  const ids = new Set(unsettled.map(({ executionId }) => executionId));
  for (const { name } of context.lanes.blocks(lane)) if (!ids.has(name)) context.lanes.unblock(lane, name);
  for (const record of unsettled) {
    // Its effect is not performed while no release can apply the answer; what its lane receives is kept.
    if (await context.library.isHeld(record.companyId, record.state.canvasHash)) holdLane(context, record);
    else settleLane(context, record);
  }
  const first = queued > 0 ? processAll(context, lane) : undefined;
  // An effect that blocks the lane may take its time: only what can be processed now belongs to the recovery.
  if (first !== undefined && context.recoveries.isUnderWay() && context.lanes.blocks(lane).length === 0) context.recoveries.follow(first);
  if (unsettled.length + queued === 0) context.crashTracker.clear(lane);
  context.timers.lookUp(); // of a wait whose commit had no answer
  context.events.emit('lane.recovered', { lane });
}
