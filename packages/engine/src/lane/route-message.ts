// The target of a user's message in its turn, and of one that was kept while a node held its user.
import type { AcceptedMessage } from '../contract/event.ts';
import type { JsonObject } from '../contract/json.ts';
import type { ExecutionRecord, InboxItem } from '../contract/store.ts';
import { formatTimestamp } from '../expressions/time.ts';
import { Timestamp } from '../expressions/value.ts';
import { HiloError } from '../contract/errors.ts';
import { finalStatuses, isAtWork } from '../machine/lifecycle.ts';
import type { MatchingStart } from '../machine/reads.ts';
import type { Lane } from './lane.ts';
import type { RoutedMessage, UnmatchedCause } from './message-events.ts';
import { findOpenQuestions } from './open-question.ts';
import { startByMessage } from './start.ts';
import { type LaneReads, type LaneStep, read, readRecord, stepOn, unchanged } from './step.ts';

/**
 * The target of a user's message: none during a conversation with an operator, else a start that interrupts, else the wait that it
 * answers, else the start that matches it, else none. While a question is open that it does not answer, it begins no fallback.
 *
 * @throws {HiloError} `STORE_CONFLICT` when something else has answered the wait: it is routed again
 */
export function routeMessage(lane: Lane, item: InboxItem, accepted: AcceptedMessage, reads: LaneReads): LaneStep {
  const { companyId } = item;
  const { botId, userId, message: given, writtenAtMs } = accepted;
  const routed = (step: LaneStep, how: RoutedMessage): LaneStep => ({ ...step, item, routed: how });
  if (read(reads, { kind: 'attended', botId, userId }))
    return { ...routed(unchanged(null, item), 'held'), tells: [['message.attended', { companyId, botId, userId, message: given }]] };
  const { answered, newest, areThere } = findOpenQuestions(reads, item, accepted);
  // Made once everything is read: a decision that lacks a read is made again.
  const stamp = (): JsonObject => ({ ...given, at: formatTimestamp(new Timestamp(writtenAtMs ?? item.acceptedAtMs)) });
  const begin = (start: MatchingStart, interrupts?: ExecutionRecord): LaneStep => {
    const id = start.canvas.mayReadCampaign ? read(reads, { kind: 'campaign', botId, userId }) : null;
    const trigger = { kind: 'message', message: stamp(), ...(id !== null && { campaign: { id } }) } as const;
    return routed(startByMessage(lane, start, trigger, 'now', reads, { item, interrupts }), 'started');
  };
  const among = newest !== undefined ? 'interrupting' : areThere || accepted.isOpening === true ? 'named' : 'all';
  const start = read(reads, { kind: 'start', accepted, among });
  if (typeof start === 'object') return begin(start, answered ?? newest);
  if (answered?.state.wait !== undefined) {
    const { id, openedAtMs } = answered.state.wait;
    const kept = accepted.keptBy !== undefined || item.acceptedAtMs < openedAtMs ? { acceptedAtMs: item.acceptedAtMs } : {};
    const step = stepOn(answered, { type: 'reply.received', waitId: id, message: stamp(), ...kept }, reads, { item });
    if (!step.isApplied) throw new HiloError('STORE_CONFLICT', { executionId: answered.executionId });
    return routed(step, 'resumed');
  }
  const beside = newest === undefined ? start : read(reads, { kind: 'start', accepted, among: 'named' });
  if (typeof beside === 'object') return begin(beside);
  return routed(dropUnmatched(item, accepted, areThere ? 'ANSWERS_NO_OPEN_QUESTION' : beside), 'unmatched');
}

/** Removes a message from its lane that reached no workflow. */
export const dropUnmatched = (item: InboxItem, { botId, userId, message }: AcceptedMessage, cause: UnmatchedCause): LaneStep => ({
  ...unchanged(null, item),
  tells: [['message.unmatched', { companyId: item.companyId, botId, userId, message, cause }]],
});

/**
 * The execution for whose next wait a message is still kept that came while a node held its user: it is on its way there, also after the
 * hold has ended by its time (RET-06). None where its lane is not blocked by that execution.
 */
export function findKeeper(lane: Lane, { keptBy }: AcceptedMessage, reads: LaneReads): string | undefined {
  const worker = keptBy === undefined ? undefined : findAtWork(lane, keptBy, reads);
  return lane.blocks.some(({ name }) => name === worker) ? worker : undefined;
}

/** The execution of a family that is on its way to a wait, begun from one of its members; none where they wait or have ended. */
function findAtWork(lane: Lane, executionId: string, reads: LaneReads): string | undefined {
  const found = readRecord(lane, reads, executionId);
  if (found === undefined) return undefined;
  const { parent, state } = found;
  if (finalStatuses.has(state.status)) return parent === undefined ? undefined : findAtWork(lane, parent.executionId, reads);
  const childId = state.wait?.childId;
  const child = childId === undefined ? undefined : readRecord(lane, reads, childId);
  if (child !== undefined && !finalStatuses.has(child.state.status)) return findAtWork(lane, child.executionId, reads);
  return isAtWork(state) ? executionId : undefined;
}
