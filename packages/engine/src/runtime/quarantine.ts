// What repeatedly killed the process is taken out of its lane, whichever item or execution it is.
import type { Awaitable } from '../contract/store.ts';
import { companyOfLane } from '../machine/new-execution.ts';
import type { EngineContext } from './context.ts';
import { retryWhileOwned } from './retry.ts';
import { takeInput } from './take-input.ts';

/**
 * Removes from a lane what repeatedly killed its process; the rest of the lane continues. Each step is retried separately: once the
 * suspects are out of the lane, the items behind them must not be mistaken for suspects.
 *
 * @param isRepeated - whether an earlier process died at this very attempt: then no start is tried with the message, since that may be what
 *   kills
 */
export async function quarantineLane(context: EngineContext, lane: string, reason: string, isRepeated: boolean): Promise<void> {
  const { store } = context;
  const companyId = companyOfLane(lane);
  const retry = async <Result>(step: () => Awaitable<Result>): Promise<Result | undefined> =>
    retryWhileOwned(context, lane, `quarantining working items of lane ${lane}`, step);
  const found = await retry(() => store.unfinishedIn(lane));
  for (const known of found?.unsettled ?? []) {
    const { executionId } = known;
    await retry(() => takeInput(context, lane, companyId, { type: 'quarantine', companyId, executionId, reason }, { known }));
  }
  const next = found?.unsettled.length === 0 ? await retry(() => store.nextQueued(lane)) : undefined;
  if (next !== undefined)
    await retry(async () => {
      const item = await store.nextQueued(lane);
      if (item?.seq === next.seq) await takeInput(context, lane, companyId, { type: 'poison', reason, isRepeated }, { item });
    });
  if (!context.lanes.isOurs(lane)) return; // the process that has it now recovers it
  await retry(() => store.clearCrashCounts([lane]));
  await context.recoverLane(lane);
}
