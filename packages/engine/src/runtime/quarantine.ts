import { HiloError } from '../contract/errors.ts';
import type { Awaitable, ExecutionRecord, InboxItem } from '../contract/store.ts';
import { advance, createCommit, commitAsOwner, decideWithReads, dropItem, follow } from './advance.ts';
import type { EngineContext } from './context.ts';
import { findOpenQuestions } from './open-question.ts';
import { type FoundStart, findStart } from './route-message.ts';
import { retryWhileOwned } from './retry.ts';
import { prepareExecution } from './start.ts';

/**
 * Removes an unprocessable item from its lane, so that the rest continues: together with the execution that it is for, or would have
 * started. A release retries it.
 *
 * @param found - what trying the starts came to, where they were tried: what may be at fault is not evaluated again. `untried`: the item
 *   killed the process that tried to quarantine it, so that no start is tried
 */
export async function deadLetter(context: EngineContext, item: InboxItem, reason: string, found?: FoundStart | 'untried'): Promise<void> {
  const { companyId, accepted } = item;
  const known = await findTarget(context, item);
  if (known !== undefined) {
    await advance(context, known, { type: 'execution.quarantined', reason, accepted }, { item, known });
    return;
  }
  const start = accepted.kind === 'message' ? (found ?? (await findStart(context, companyId, accepted))) : undefined;
  if (accepted.kind === 'message' && typeof start === 'object') {
    const execution = await prepareExecution(context, start);
    const trigger = { kind: 'message', message: accepted.message } as const;
    const event = { type: 'start', execution, entry: start.entry, trigger, begins: { quarantinedFor: reason } } as const;
    const decision = await decideWithReads(context, { execution: undefined }, event, start.origin);
    if (decision.kind === 'unchanged') return;
    const committed = await commitAsOwner(context, execution.lane, createCommit(context, decision, decision.enqueue, [item]));
    if (committed.kind !== 'committed') throw new HiloError('STORE_CONFLICT', { executionId: execution.executionId });
    follow(context, decision.moved, decision.enqueue);
    return;
  }
  await drop(context, item);
}

/** Removes an item from its lane that can be neither processed nor quarantined: it is reported, and the lane continues. */
export async function drop(context: EngineContext, item: InboxItem): Promise<void> {
  const { companyId, accepted } = item;
  await dropItem(context, item);
  if (accepted.kind !== 'message') return;
  const { botId, userId, message } = accepted;
  context.events.emit('message.unmatched', { companyId, botId, userId, message, cause: 'NOT_PROCESSABLE' });
}

/** Finds the execution that an item is for; of a message, the one that waits for a reply. */
const findTarget = async (context: EngineContext, item: InboxItem): Promise<ExecutionRecord | undefined> =>
  item.accepted.kind === 'message'
    ? (await findOpenQuestions(context, item, item.accepted)).answered
    : context.store.load(item.companyId, item.accepted.executionId);

/**
 * Removes from a lane what repeatedly killed its process; the rest of the lane continues. Each step is retried separately: once the
 * suspects are out of the lane, the items behind them must not be mistaken for suspects.
 *
 * @param isRepeated - whether an earlier process died at this very attempt: then no start is tried with the message, since that may be what
 *   kills
 */
export async function quarantineLane(context: EngineContext, lane: string, reason: string, isRepeated: boolean): Promise<void> {
  const { store } = context;
  const retry = async <Result>(step: () => Awaitable<Result>): Promise<Result | undefined> =>
    retryWhileOwned(context, lane, `quarantining working items of lane ${lane}`, step);
  const found = await retry(() => store.unfinishedIn(lane));
  for (const known of found?.unsettled ?? [])
    await retry(() => advance(context, known, { type: 'execution.quarantined', reason }, { known }));
  const next = found?.unsettled.length === 0 ? await retry(() => store.nextQueued(lane)) : undefined;
  if (next !== undefined)
    await retry(async () => {
      if ((await store.nextQueued(lane))?.seq === next.seq) await deadLetter(context, next, reason, isRepeated ? 'untried' : undefined);
    });
  if (!context.lanes.isOurs(lane)) return; // the process that has it now recovers it
  await retry(() => store.clearCrashCounts([lane]));
  await context.recoverLane(lane);
}
