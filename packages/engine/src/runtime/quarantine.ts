import { HiloError } from '../contract/errors.ts';
import type { ExecutionEvent } from '../contract/event.ts';
import type { InboxEvent } from '../contract/inbox.ts';
import type { ExecutionRecord, InboxItem } from '../contract/store.ts';
import { type EventCore, advanceExecution, commitAsOwner, quarantine, quarantinedBy } from './advance.ts';
import type { EngineContext } from './context.ts';
import { executionRef } from './events.ts';
import { laneOf, newExecutionId } from './new-execution.ts';
import { type MatchingStart, matchingStart } from './route-message.ts';
import { createExecution } from './start.ts';

/**
 * Takes what cannot be processed out of its lane, so that the rest goes on: with the execution it is meant for, or would
 * have begun. A release gives it another turn.
 */
export async function deadLetter(context: EngineContext, poison: InboxItem, reason: string): Promise<void> {
  const { companyId, lane, seq, accepted } = poison;
  const record = await target(context, companyId, accepted);
  if (record !== undefined) return quarantine(context, record, reason, poison);
  const start = accepted.kind === 'message' ? await matchingStart(context, companyId, accepted) : undefined;
  if (typeof start === 'object' && accepted.kind === 'message') return deadLetterStart(context, poison, accepted, start, reason);
  await commitAsOwner(context, lane, { saves: [], history: [], contacts: [], enqueue: [], dequeue: [seq] });
  if (accepted.kind !== 'message') return;
  const { botId, userId, message } = accepted;
  context.events.emit('message.unmatched', { companyId, botId, userId, message, cause: 'NOT_PROCESSABLE' });
}

/** The execution something accepted is meant for; of a message, the one that waits for it. */
const target = (context: EngineContext, companyId: string, accepted: InboxEvent): Promise<ExecutionRecord | undefined> =>
  accepted.kind === 'message'
    ? context.store.awaitingReply(companyId, accepted.botId, accepted.userId)
    : context.store.load(companyId, accepted.executionId);

/** The execution that a message would have begun, set aside before it begins. */
async function deadLetterStart(
  context: EngineContext,
  { seq }: InboxItem,
  { message }: Extract<InboxEvent, { readonly kind: 'message' }>,
  start: MatchingStart,
  reason: string,
): Promise<void> {
  const executionId = newExecutionId(context);
  const { record, history } = await createExecution(context, start, executionId, laneOf(start.origin, executionId));
  const { companyId, revision, lane, createdAtMs: atMs } = record;
  const held: InboxEvent = { kind: 'start', executionId, entry: start.entry, trigger: { kind: 'message', message } };
  const event: ExecutionEvent = { type: 'execution.quarantined', reason, atMs, accepted: held };
  const quarantined: ExecutionRecord = { ...record, state: quarantinedBy(record.state, event) };
  const committed = await commitAsOwner(context, lane, {
    saves: [quarantined],
    history: [history, { companyId, executionId, revision, event, entries: [] }],
    contacts: [],
    enqueue: [],
    dequeue: [seq],
  });
  if (committed.kind !== 'committed') throw new HiloError('STORE_CONFLICT', { executionId });
  context.events.emit('execution.quarantined', executionRef(quarantined), { reason });
}

/** Takes out of a lane what killed its process again and again; the rest of the lane goes on. */
export async function quarantineLane(context: EngineContext, lane: string, reason: string): Promise<void> {
  const { unsettled } = await context.store.unfinishedIn(lane);
  for (const record of unsettled) await quarantine(context, record, reason);
  const next = unsettled.length > 0 ? undefined : await context.store.nextQueued(lane);
  if (next !== undefined) await deadLetter(context, next, reason);
  await context.store.clearCrashCounts([lane]);
  await context.recoverLane(lane);
}

/**
 * Lets a quarantined execution go on where it stood (P17): its effect is performed again, its wait waits on, and what could
 * not be processed gets another turn. Any other execution stays as it is.
 *
 * @throws {HiloError} `EXECUTION_NOT_FOUND`
 */
export async function releaseExecution(context: EngineContext, companyId: string, executionId: string): Promise<ExecutionRecord> {
  const found = await context.store.load(companyId, executionId);
  if (found === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId });
  const { lane } = found;
  const poison = await deadLetterOf(context, found);
  const enqueue = poison === undefined ? [] : [{ companyId, lane, acceptedAtMs: context.clock.now(), accepted: poison }];
  let last = found;
  const choose = (record: ExecutionRecord): EventCore | undefined => {
    last = record;
    return record.state.status === 'quarantined' ? { type: 'execution.released' } : undefined;
  };
  const released = await context.lanes.runFirst(lane, async () => {
    await context.store.clearCrashCounts([lane]); // whoever releases it wants it tried anew
    return advanceExecution(context, companyId, executionId, choose, { enqueue });
  });
  return released ?? last;
}

/** What was accepted for the execution and set aside with it. */
async function deadLetterOf(context: EngineContext, { companyId, executionId, state }: ExecutionRecord): Promise<InboxEvent | undefined> {
  if (state.status !== 'quarantined') return undefined;
  const last = (await context.store.history(companyId, executionId)).findLast(({ event }) => event.type === 'execution.quarantined');
  return last?.event.type === 'execution.quarantined' ? last.event.accepted : undefined;
}
