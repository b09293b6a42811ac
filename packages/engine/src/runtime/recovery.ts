import type { UnfinishedLane } from '../contract/store.ts';
import { settleLane } from './advance.ts';
import type { EngineContext } from './context.ts';
import { quarantineLane } from './quarantine.ts';
import { processAll } from './inbox.ts';
import { retryWhileUnavailable, withLane } from './retry.ts';

/** How many lanes are looked at together. */
const page = 1_000;

/** At this many deaths without getting on, whatever was at work is quarantined (P17). */
export const maxCrashes = 3;

/** Takes up, lane by lane, what an earlier process left, or another that died. */
export async function recover(context: EngineContext): Promise<void> {
  for (let after = ''; ; ) {
    const found = await retryWhileUnavailable(context, 'looking for what is unfinished', () => context.store.unfinished(after, page));
    const lanes = found.map(({ lane }) => lane);
    if (context.store.leases === undefined) {
      const [atWork, atRest] = [found.filter(isAtWork), found.filter((one) => !isAtWork(one))];
      for (const { lane } of atRest) withLane(context, lane, `recovering lane ${lane}`, () => recoverLane(context, lane));
      await retryWhileUnavailable(context, 'recovering', () =>
        recoverAfterCrash(
          context,
          atWork.map(({ lane }) => lane),
        ),
      );
    }
    // Of a shared store, a lane that was left is told of when it is got; one of our own needs nothing.
    else
      for (const lane of lanes)
        if (!context.lanes.isOurs(lane)) withLane(context, lane, `recovering lane ${lane}`, () => recoverLane(context, lane));
    if (lanes.length < page) return;
    after = lanes.at(-1) ?? after;
  }
}

/** Whether a death may be of this lane's work: a pause before the next try, with its user held, is none. */
const isAtWork = ({ unsettled, queued }: UnfinishedLane): boolean =>
  unsettled.length === 0 ? queued > 0 : unsettled.some(({ state }) => state.status === 'running');

/**
 * Takes up lanes whose process died. Each time is counted, before anything of it is done, until the lane gets on: what was
 * there at one death is tried with all others, at two alone, and at three no more.
 */
export async function recoverAfterCrash(context: EngineContext, lanes: readonly string[]): Promise<void> {
  const { store, crashTracker } = context;
  await crashTracker.whenCleared();
  const counts = await store.crashCounts(lanes);
  const others = lanes.filter((lane) => !counts.has(lane));
  await store.countCrashes(others);
  for (const lane of others) {
    crashTracker.add(lane);
    withLane(context, lane, `recovering lane ${lane}`, () => recoverLane(context, lane));
  }
  for (const [lane, count] of counts) {
    const deaths = count + 1;
    if (deaths >= maxCrashes)
      withLane(context, lane, `recovering lane ${lane}`, async () => {
        // Whoever released something of it before this turn wants it tried anew.
        const isForgotten = !(await store.crashCounts([lane])).has(lane);
        await (isForgotten ? recoverLane(context, lane) : quarantineLane(context, lane, `The process died ${deaths} times at its work`));
      });
    else {
      withLane(context, lane, `recovering lane ${lane}`, () =>
        crashTracker.alone(lane, async () => {
          await store.countCrashes([lane]);
          await recoverLane(context, lane);
        }),
      );
    }
  }
}

/**
 * Takes up what is unfinished in a lane, as the store has it: effects without a recorded answer are performed again with
 * the same keys, what was accepted gets its turn, and nothing keeps the lane any longer that is over. What is under way
 * already goes on. To be run in the lane's turn.
 */
export async function recoverLane(context: EngineContext, lane: string): Promise<void> {
  const { unsettled, queued } = await context.store.unfinishedIn(lane);
  if (!context.lanes.isOurs(lane)) return; // lost meanwhile: the next to have it takes it up
  const ids = new Set(unsettled.map(({ executionId }) => executionId));
  for (const blocker of context.lanes.blocks(lane).keys()) if (!ids.has(blocker)) context.lanes.unblock(lane, blocker);
  for (const record of unsettled) settleLane(context, record);
  if (queued > 0) processAll(context, lane);
  if (unsettled.length + queued === 0) context.crashTracker.clear(lane);
  context.timers.lookUp(); // of a wait that was committed though nobody heard of it
  context.events.emit('lane.recovered', { lane });
}
