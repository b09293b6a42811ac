import { newlyAccepted } from './accept-start.ts';
import { commitInTurn } from './commit-in.ts';
import type { Accepted } from './contract/accepted.ts';
import { HiloError } from './contract/errors.ts';
import type { ExecutionEvent } from './contract/event.ts';
import type { ExecutionRecord, Queued } from './contract/store.ts';
import type { Kernel } from './kernel.ts';
import { type MatchingStart, matchingStart } from './matching-start.ts';
import { laneOf, newExecutionId } from './new-execution.ts';
import { quarantine, quarantinedBy } from './quarantine.ts';
import { executionRef } from './publish-events.ts';

/**
 * Takes what cannot be processed out of its lane, so that the rest goes on: with the execution it is meant for, or would
 * have begun. A release gives it another turn.
 */
export async function setAside(kernel: Kernel, poison: Queued, reason: string): Promise<void> {
  const { companyId, lane, seq, accepted } = poison;
  const record = await target(kernel, companyId, accepted);
  if (record !== undefined) return quarantine(kernel, record, reason, poison);
  const start = accepted.kind === 'message' ? await matchingStart(kernel, companyId, accepted) : undefined;
  if (typeof start === 'object' && accepted.kind === 'message') return beginInQuarantine(kernel, poison, accepted, start, reason);
  await commitInTurn(kernel, lane, { saves: [], history: [], contacts: [], enqueue: [], dequeue: [seq] });
  if (accepted.kind !== 'message') return;
  const { botId, userId, message } = accepted;
  kernel.events.emit('message.unmatched', { companyId, botId, userId, message, cause: 'NOT_PROCESSABLE' });
}

/** The execution something accepted is meant for; of a message, the one that waits for it. */
const target = (kernel: Kernel, companyId: string, accepted: Accepted): Promise<ExecutionRecord | undefined> =>
  accepted.kind === 'message'
    ? kernel.store.awaitingReply(companyId, accepted.botId, accepted.userId)
    : kernel.store.load(companyId, accepted.executionId);

/** The execution that a message would have begun, set aside before it begins. */
async function beginInQuarantine(
  kernel: Kernel,
  { seq }: Queued,
  { message }: Extract<Accepted, { readonly kind: 'message' }>,
  start: MatchingStart,
  reason: string,
): Promise<void> {
  const executionId = newExecutionId(kernel);
  const { record, history } = await newlyAccepted(kernel, start, executionId, laneOf(start.origin, executionId));
  const { companyId, revision, lane, createdAtMs: atMs } = record;
  const held: Accepted = { kind: 'start', executionId, entry: start.entry, trigger: { kind: 'message', message } };
  const event: ExecutionEvent = { type: 'execution.quarantined', reason, atMs, accepted: held };
  const quarantined: ExecutionRecord = { ...record, state: quarantinedBy(record.state, event) };
  const committed = await commitInTurn(kernel, lane, {
    saves: [quarantined],
    history: [history, { companyId, executionId, revision, event, entries: [] }],
    contacts: [],
    enqueue: [],
    dequeue: [seq],
  });
  if (committed.kind !== 'committed') throw new HiloError('STORE_CONFLICT', { executionId });
  kernel.events.emit('execution.quarantined', executionRef(quarantined), { reason });
}

/** Takes out of a lane what killed its process again and again; the rest of the lane goes on. */
export async function quarantineLane(kernel: Kernel, lane: string, reason: string): Promise<void> {
  const { unsettled } = await kernel.store.unfinishedIn(lane);
  for (const record of unsettled) await quarantine(kernel, record, reason);
  const next = unsettled.length > 0 ? undefined : await kernel.store.nextQueued(lane);
  if (next !== undefined) await setAside(kernel, next, reason);
  await kernel.store.forgetTakeUps([lane]);
  await kernel.takeUp(lane);
}
