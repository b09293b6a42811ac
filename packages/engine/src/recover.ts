import type { UnfinishedLane } from './contract/store.ts';
import type { Kernel } from './kernel.ts';

import { quarantineLane } from './set-aside.ts';
import { takeUp } from './take-up.ts';
import { inTurn } from './in-turn.ts';
import { untilTaken } from './until-taken.ts';

/** How many lanes are looked at together. */
const page = 1_000;

/** At this many deaths without getting on, whatever was at work is quarantined (P17). */
export const mostDeaths = 3;

/** Takes up, lane by lane, what an earlier process left, or another that died. */
export async function recover(kernel: Kernel): Promise<void> {
  for (let after = ''; ; ) {
    const found = await untilTaken(kernel, 'looking for what is unfinished', () => kernel.store.unfinished(after, page));
    const lanes = found.map(({ lane }) => lane);
    if (kernel.store.leases === undefined) {
      const [atWork, atRest] = [found.filter(isAtWork), found.filter((one) => !isAtWork(one))];
      for (const { lane } of atRest) takeUpInTurn(kernel, lane, () => takeUp(kernel, lane));
      await untilTaken(kernel, 'recovering', () =>
        takeUpAfterDeath(
          kernel,
          atWork.map(({ lane }) => lane),
        ),
      );
    }
    // Of a shared store, a lane that was left is told of when it is got; one of our own needs nothing.
    else for (const lane of lanes) if (!kernel.lanes.isOurs(lane)) takeUpInTurn(kernel, lane, () => takeUp(kernel, lane));
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
export async function takeUpAfterDeath(kernel: Kernel, lanes: readonly string[]): Promise<void> {
  const { store, suspects } = kernel;
  await suspects.forgotten();
  const counts = await store.takeUps(lanes);
  const others = lanes.filter((lane) => !counts.has(lane));
  await store.countTakeUps(others);
  for (const lane of others) {
    suspects.add(lane);
    takeUpInTurn(kernel, lane, () => takeUp(kernel, lane));
  }
  for (const [lane, count] of counts) {
    const deaths = count + 1;
    if (deaths >= mostDeaths)
      takeUpInTurn(kernel, lane, async () => {
        // Whoever released something of it before this turn wants it tried anew.
        const isForgotten = !(await store.takeUps([lane])).has(lane);
        await (isForgotten ? takeUp(kernel, lane) : quarantineLane(kernel, lane, `The process died ${deaths} times at its work`));
      });
    else {
      takeUpInTurn(kernel, lane, () =>
        suspects.alone(lane, async () => {
          await store.countTakeUps([lane]);
          await takeUp(kernel, lane);
        }),
      );
    }
  }
}

/** Runs before all that comes in a lane; the lane goes on when it is done. */
function takeUpInTurn(kernel: Kernel, lane: string, task: () => Promise<void>): void {
  kernel.lanes
    .runFirst(lane, () => inTurn(kernel, lane, `taking up lane ${lane}`, task))
    .catch((error: unknown) => kernel.events.emit('engine.fault', { error, while: `taking up lane ${lane}` }));
}
