// The one function that decides everything in a lane. Memory, SQLite, PostgreSQL and Restate are four runtimes around it: they read what
// it lacks, call it, commit its one commit, and only then let the rest happen.
import { HiloError, isHiloError } from '../contract/errors.ts';
import type { InboxEvent } from '../contract/event.ts';
import type { ExecutionRecord, InboxItem } from '../contract/store.ts';
import type { LaneEvent } from '../machine/decide.ts';
import { nameOperator } from '../machine/name-operator.ts';
import type { Missing } from '../machine/reads.ts';
import { acceptMessage } from './accept-message.ts';
import { isKnown, type LaneCall, type LaneInput, type SignalCall } from './calls.ts';
import { forkCalled, retryCalled } from './continue.ts';
import { type Lane, nextItem } from './lane.ts';
import { migrateCalled, undoMigrationCalled } from './migrate.ts';
import { findOpenQuestions } from './open-question.ts';
import { resumeCalled } from './resume.ts';
import { dropUnmatched, findKeeper, routeMessage } from './route-message.ts';
import { startByMessage, startCalled } from './start.ts';
import { type LaneReads, type LaneStep, nothing, read, readRecord, readSeen, seenForMs, stepOn, unchanged, Unread } from './step.ts';

/**
 * Decides the consequence of an input. Synchronous and pure: it reads only its arguments, and the same arguments give the same step, so
 * that any runtime may repeat it after a lost commit. `missing`: read this, and decide again.
 *
 * @throws {HiloError} what the caller of the input is refused with; `STORE_CONFLICT` when `lane` is not as it is any more
 */
export function decideLane(lane: Lane, input: LaneInput, reads: LaneReads): LaneStep | Missing {
  try {
    return decideInput(lane, input, reads);
  } catch (error) {
    if (error instanceof Unread) return error.missing;
    throw error;
  }
}

function decideInput(lane: Lane, input: LaneInput, reads: LaneReads): LaneStep {
  switch (input.type) {
    case 'effect': {
      const { executionId, key, settled } = input;
      const found = readRecord(lane, reads, executionId);
      // An answer that is no longer waited for changes nothing.
      return found === undefined ? unchanged(null) : stepOn(found, { type: 'effect.settled', key, settled }, reads);
    }
    case 'start':
      return startCalled(lane, input, reads);
    case 'message':
      return acceptMessage(lane, input.message, reads);
    case 'turn':
      return giveTurn(lane, reads);
    case 'resume':
      return resumeCalled(lane, input, reads);
    case 'timer': {
      const { executionId, waitId, dueAtMs } = input.wait;
      const found = readRecord(lane, reads, executionId);
      return found === undefined ? unchanged(null) : stepOn(found, { type: 'timer', waitId, dueAtMs }, reads);
    }
    case 'signal':
      return answerWait(lane, input, reads);
    case 'cancel':
      return operate(lane, input, { type: 'execution.cancelled', reason: input.reason, ...nameOperator(input) }, reads);
    case 'release':
      return operate(lane, input, { type: 'execution.released', ...nameOperator(input) }, reads);
    case 'migrate':
      return migrateCalled(lane, input, reads);
    case 'undoMigration':
      return undoMigrationCalled(lane, input, reads);
    case 'retry':
      return retryCalled(lane, input, reads);
    case 'fork':
      return forkCalled(lane, input, reads);
    case 'inbox':
      return { ...unchanged(null), commit: { ...nothing, enqueue: [{ ...input.item, lane: lane.name }] }, isApplied: true };
    case 'quarantine': {
      const found = readRecord(lane, reads, input.executionId);
      return found === undefined ? unchanged(null) : stepOn(found, { type: 'execution.quarantined', reason: input.reason }, reads);
    }
    case 'poison':
      return setAside(lane, input, reads);
    case 'refusal':
      throw new HiloError('INVALID_REQUEST', { reason: input.reason });
  }
}

/** Gives the next accepted item its turn. The commit of its consequence also removes it. */
function giveTurn(lane: Lane, reads: LaneReads): LaneStep {
  const item = nextItem(lane);
  if (item === undefined) return unchanged(null);
  const { accepted } = item;
  if (accepted.kind === 'message') {
    const keptFor = findKeeper(lane, accepted, reads);
    return keptFor === undefined ? routeMessage(lane, item, accepted, reads) : { ...unchanged(null), item, keptFor };
  }
  try {
    const found = readRecord(lane, reads, accepted.executionId);
    const step = found === undefined ? unchanged(null, item) : stepOn(found, createLaneEvent(accepted), reads, { item });
    return { ...step, item };
  } catch (error) {
    // A kept request that the execution refuses has no caller any more who could be told.
    if (accepted.kind !== 'webhook' || !isKnown(error) || error.status >= 500 || error.code === 'INVALID_CANVAS') throw error;
    return { ...unchanged(null, item), item, refusal: { error, executionId: accepted.executionId } };
  }
}

function createLaneEvent(accepted: Exclude<InboxEvent, { readonly kind: 'message' }>): LaneEvent {
  switch (accepted.kind) {
    case 'start':
    case 'child.start':
      return { type: 'execution.started', entry: accepted.entry, trigger: accepted.trigger };
    case 'child.ended':
      return { type: 'child.ended', waitId: accepted.waitId, result: accepted.result, ...fromOf(accepted) };
    case 'webhook':
      return { type: 'webhook', executionId: accepted.named, nodeId: accepted.nodeId, request: accepted.request };
    case 'event':
      return { type: 'signal.received', waitId: accepted.waitId, payload: accepted.payload, ...fromOf(accepted) };
  }
}

/** The execution that something came from, where one is named. */
const fromOf = ({ from }: { readonly from?: string | undefined }): { readonly from?: string } => (from === undefined ? {} : { from });

/** Answers one wait. Its answer: whether this signal answered it, now or when it was sent before. */
function answerWait(lane: Lane, { companyId, executionId, waitId, payload, keys, from }: SignalCall, reads: LaneReads): LaneStep {
  const given = { waitId, payload, ...fromOf({ from }) };
  const wasAnswered = (): LaneStep => unchanged(readSeen(reads, keys) !== undefined);
  const found = readRecord(lane, reads, executionId);
  if (found === undefined) return wasAnswered();
  try {
    const step = stepOn(found, { type: 'signal.received', ...given }, reads, { keys });
    return step.isApplied ? { ...step, answer: true, repeated: true } : wasAnswered();
  } catch (error) {
    if (!isHiloError(error, 'INVALID_CANVAS')) throw error;
    // The nodes of this release cannot run the execution: it is kept for one that can.
    const enqueue = [
      { companyId, lane: lane.name, acceptedAtMs: reads.nowMs, accepted: { kind: 'event', executionId, ...given } as const },
    ];
    const seen = keys.length === 0 ? {} : { seen: { keys, untilMs: reads.nowMs + seenForMs, answer: null } };
    return { ...unchanged(true), commit: { ...nothing, enqueue, ...seen }, isApplied: true, repeated: true };
  }
}

/** Moves an execution for an operator. Its answer: the execution after it. @throws {HiloError} `EXECUTION_NOT_FOUND` */
function operate(
  lane: Lane,
  { type, companyId, executionId }: Extract<LaneCall, { readonly type: 'cancel' | 'release' }>,
  event: LaneEvent,
  reads: LaneReads,
): LaneStep {
  const found = readRecord(lane, reads, executionId);
  if (found === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId });
  const accepted = type === 'release' ? findDeadLetter(found, reads) : undefined;
  const enqueue = accepted === undefined ? [] : [{ companyId, lane: lane.name, acceptedAtMs: reads.nowMs, accepted }];
  const step = stepOn(found, event, reads, { enqueue });
  return { ...step, answer: step.moved[0]?.after ?? found };
}

/** The item that was quarantined with an execution. */
function findDeadLetter({ executionId, state }: ExecutionRecord, reads: LaneReads): InboxEvent | undefined {
  if (state.status !== 'quarantined') return undefined;
  const last = read(reads, { kind: 'history', executionId }).findLast(({ event }) => event.type === 'execution.quarantined');
  return last?.event.type === 'execution.quarantined' ? last.event.accepted : undefined;
}

/**
 * Removes the next item, which cannot be processed, so that the rest of the lane continues: together with the execution that it is for, or
 * would have started. A release retries it. The start that it matches is what earlier reads found: what may be at fault is not evaluated
 * again, and not at all where that killed a process.
 */
function setAside(lane: Lane, { reason, isRepeated }: Extract<LaneInput, { readonly type: 'poison' }>, reads: LaneReads): LaneStep {
  const item = nextItem(lane);
  if (item === undefined) return unchanged(null);
  const { accepted } = item;
  const target = findTarget(lane, item, reads);
  if (target !== undefined) return { ...stepOn(target, { type: 'execution.quarantined', reason, accepted }, reads, { item }), item };
  if (accepted.kind !== 'message') return { ...unchanged(null, item), item };
  const start = isRepeated ? undefined : (findTried(reads, item) ?? read(reads, { kind: 'start', accepted, among: 'all' }));
  if (typeof start !== 'object') return { ...dropUnmatched(item, accepted, 'NOT_PROCESSABLE'), item };
  const trigger = { kind: 'message', message: accepted.message } as const;
  return { ...startByMessage(lane, start, trigger, { quarantinedFor: reason }, reads, { item }), item };
}

/** The start that an item's turn found before it failed. */
function findTried(reads: LaneReads, { accepted }: InboxItem) {
  if (accepted.kind !== 'message') return undefined;
  for (const among of ['named', 'interrupting', 'all'] as const) {
    const found = reads.find({ kind: 'start', accepted, among });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The execution that an item is for; of a message, the one whose question it answers. */
const findTarget = (lane: Lane, item: InboxItem, reads: LaneReads): ExecutionRecord | undefined =>
  item.accepted.kind === 'message'
    ? findOpenQuestions(reads, item, item.accepted).answered
    : readRecord(lane, reads, item.accepted.executionId);

/** Removes an item that can be neither processed nor quarantined: it is reported, and the lane continues. */
export const dropPoison = (item: InboxItem): LaneStep =>
  item.accepted.kind === 'message' ? dropUnmatched(item, item.accepted, 'NOT_PROCESSABLE') : unchanged(null, item);
