// Executions that continue others, in the lane of those: retries of what failed, expired or was cancelled, and copies of any.
import type { CompiledCanvas } from '../canvas/compile.ts';
import { HiloError } from '../contract/errors.ts';
import type { Verdict } from '../contract/migration.ts';
import type { ExecutionRecord, HistoryRecord } from '../contract/store.ts';
import {
  chooseFork,
  chooseRetry,
  type Continuation,
  continueExecution,
  type GoesOn,
  isLastUnknown,
  type NewIdentity,
  type Target,
} from '../machine/continue.ts';
import { type Decided, joinDecisions } from '../machine/decide.ts';
import { childSeed, continuationId, slotOf } from '../machine/deterministic-ids.ts';
import { finalStatuses } from '../machine/lifecycle.ts';
import { nameOperator } from '../machine/name-operator.ts';
import { continueAs, listCanvasHashes } from '../machine/replay.ts';
import { none } from '../machine/transition-context.ts';
import type { ContinueOptions, ForkCall, RetryCall } from './calls.ts';
import type { Lane } from './lane.ts';
import { decideOn, type LaneReads, type LaneStep, read, readCanvas, readRecord, stepOf, Unread } from './step.ts';

/** An execution as it stood, and the record of its history that it is before. */
interface Stand {
  readonly original: ExecutionRecord;
  readonly index: number;
  readonly before: ExecutionRecord['state'];
  readonly canvas: CompiledCanvas;
  readonly goesOn: GoesOn;
  readonly isUnknown: boolean;
}

/** A continuation, and the execution that it continues. */
interface Continued extends Continuation {
  readonly original: ExecutionRecord;
}

/**
 * Continues an execution that failed, expired or was cancelled as a new one: once, unless it is to be done again. Where it failed by a child,
 * the child is continued with it, in the same commit. Its answer: the new execution.
 *
 * @throws {HiloError} `EXECUTION_NOT_FOUND`, `CHILD`, `CONTINUED_ALREADY`, `NOT_ENDED_BADLY`, `HISTORY_MASKED`, `HISTORY_GONE`, and the
 *   reasons for which it cannot stand in its version
 */
export function retryCalled(lane: Lane, call: RetryCall, reads: LaneReads): LaneStep {
  const found = requireRecord(lane, reads, call.executionId);
  const { executionId, parent } = found;
  if (parent !== undefined) throw new HiloError('CHILD', { executionId, parentId: parent.executionId });
  requireEnd(found);
  const as = found.state.ending?.continuedAs;
  if (as !== undefined && call.again !== true) throw new HiloError('CONTINUED_ALREADY', { executionId, as });
  const family = retryFamily(lane, found, call, reads, retryIdentity(found, call, reads));
  const continued = family.map(({ original, execution }) => noteContinued(original, execution.executionId, call, reads));
  return concludeWith(family, continued, reads);
}

function requireRecord(lane: Lane, reads: LaneReads, executionId: string): ExecutionRecord {
  const found = readRecord(lane, reads, executionId);
  if (found === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId });
  return found;
}

function requireEnd({ executionId, state: { status } }: ExecutionRecord): void {
  if (status === 'completed' || !finalStatuses.has(status)) throw new HiloError('NOT_ENDED_BADLY', { executionId, status });
}

function newIdentity({ lane }: ExecutionRecord, reads: LaneReads, executionId = reads.executionId(lane)): NewIdentity {
  return { executionId, rootId: executionId, seed: reads.seed() };
}

/** Who a retry is: for a job the same each time, so that one that is done twice makes one, whatever is known of the first. */
function retryIdentity(original: ExecutionRecord, { job, again }: RetryCall, reads: LaneReads): NewIdentity {
  if (job === undefined || again === true) return newIdentity(original, reads);
  return newIdentity(original, reads, continuationId(original.state, job, slotOf(original.lane)));
}

/** The continuation of an execution, and behind it that of the child that it waits for. */
function retryFamily(
  lane: Lane,
  original: ExecutionRecord,
  call: RetryCall,
  reads: LaneReads,
  identity: NewIdentity,
): readonly Continued[] {
  const stand = standOf(lane, original, call, reads);
  const made = continueOne(stand, identity, call, reads);
  const { wait } = made.execution.state;
  if (stand.goesOn.kind !== 'child' || wait?.childId === undefined) return [made];
  const parent = { executionId: identity.executionId, waitId: wait.id };
  const seed = childSeed(identity.seed, wait.id);
  const child = requireRecord(lane, reads, stand.goesOn.childId);
  // A number is a version of the workflow that was named, and the child is of another.
  const ofChild = { ...call, version: typeof call.version === 'number' ? ('same' as const) : call.version, set: undefined };
  return [made, ...retryFamily(lane, child, ofChild, reads, { executionId: wait.childId, rootId: identity.rootId, seed, parent })];
}

/** How an execution that is retried goes on. */
function standOf(lane: Lane, original: ExecutionRecord, { effect = 'auto', keys = 'auto' }: RetryCall, reads: LaneReads): Stand {
  const history = readEvents(original, reads);
  const index = history.length - 1;
  const last = history[index];
  const { before, canvas } = replayTo(original, history, index, reads);
  const choice = last && chooseRetry(original, last, before, canvas, { effect, keys }, reads.nowMs);
  if (choice === undefined) throw notBegun();
  const goesOn = choice.kind === 'child' ? readChild(lane, original, choice, reads) : choice;
  return { original, index, before, canvas, goesOn, isUnknown: keys === 'same' || (keys === 'auto' && isLastUnknown(history)) };
}

/** A child that could not be called is called again; one that has done its work is not. */
function readChild(lane: Lane, { executionId }: ExecutionRecord, choice: GoesOn & { readonly kind: 'child' }, reads: LaneReads): GoesOn {
  const child = readRecord(lane, reads, choice.childId);
  if (child === undefined) return { kind: 'asks', keeps: false };
  if (child.state.status !== 'completed') return choice;
  throw new HiloError('WAITS_FOR_CHILD', { executionId, nodeId: child.parent?.waitId.split('#')[0] ?? '' });
}

const notBegun = (): HiloError =>
  new HiloError('NOT_BEGUN', { reason: 'It ended before it began, and what it was to begin with is not kept: start its workflow again' });

/**
 * Begins a copy of an execution where it stood before an event. Its answer: the new execution.
 *
 * @throws {HiloError} `EXECUTION_NOT_FOUND`, `INVALID_REQUEST`, `WAITS_FOR_CHILD`, `HISTORY_MASKED`, `HISTORY_GONE`, and the reasons for which
 *   it cannot stand in its version
 */
export function forkCalled(lane: Lane, call: ForkCall, reads: LaneReads): LaneStep {
  const { executionId, before: index, enter, ends } = call;
  const original = requireRecord(lane, reads, executionId);
  const history = readEvents(original, reads);
  if (index < 1 || index > history.length)
    throw new HiloError('INVALID_REQUEST', {
      reason: `"before" is the index of an event in the history of "${executionId}", from 1 to ${history.length}: ${index} is none`,
    });
  const { before, canvas } = replayTo(original, history, index, reads, enter !== undefined);
  if (finalStatuses.has(before.status))
    throw new HiloError('INVALID_REQUEST', { reason: `Before event ${index} it had ended: choose an earlier one, at most ${index - 1}` });
  if (enter !== undefined && before.visit === undefined)
    throw new HiloError('INVALID_REQUEST', { reason: `Before event ${index} it had not begun, and can enter no node: choose a later one` });
  const goesOn = chooseFork(before, history[index]?.event, enter, reads.nowMs);
  if (goesOn === undefined) throw notBegun();
  if (goesOn.kind === 'child') throw new HiloError('WAITS_FOR_CHILD', { executionId, nodeId: before.visit?.nodeId ?? '' });
  const identity = newIdentity(original, reads);
  const made = continueOne({ original, index, before, canvas, goesOn, isUnknown: false }, identity, call, reads);
  if (ends !== true || finalStatuses.has(original.state.status)) return concludeWith([made], [], reads);
  const reason = `Continued as ${identity.executionId}`;
  const ended = decideOn(original, { type: 'execution.cancelled', reason, ...nameOperator(call) }, reads);
  if (ended.kind !== 'decided') return concludeWith([made], [], reads);
  return concludeWith([made], [noteEnded(ended, original, identity.executionId, call, reads)], reads);
}

/** The history of an execution, without the note of who continues it. @throws {HiloError} `HISTORY_GONE` */
function readEvents({ executionId }: ExecutionRecord, reads: LaneReads): readonly HistoryRecord[] {
  const history = read(reads, { kind: 'history', executionId });
  const [first] = history;
  const isWhole = history.every(({ revision }, index) => revision - (history[index - 1]?.revision ?? 0) <= 1);
  if (!isWhole || (first?.event.type !== 'execution.accepted' && first?.event.type !== 'execution.forked'))
    throw new HiloError('HISTORY_GONE', { executionId });
  return history.slice(0, history.findLastIndex(({ event }) => event.type !== 'execution.continued') + 1);
}

/** The state before a record. @param isEntering - another node is entered: where values are masked, it is as far as it is known */
function replayTo(original: ExecutionRecord, history: readonly HistoryRecord[], index: number, reads: LaneReads, isEntering = false) {
  const part = history.slice(0, index);
  for (const hash of listCanvasHashes(part)) readCanvas(reads, hash, false);
  const replayed = reads.replay(part, index, (hash) => readCanvas(reads, hash, false));
  if (replayed === undefined) throw Unread.of({ kind: 'turn' });
  const { state: before, events, maskedAt } = replayed;
  if (before === undefined) throw new HiloError('HISTORY_GONE', { executionId: original.executionId });
  if (maskedAt !== undefined && !isEntering) throw new HiloError('HISTORY_MASKED', { step: events, nodeId: maskedAt });
  return { before, canvas: readCanvas(reads, before.canvasHash, false) };
}

/** Makes one continuation. @throws {HiloError} why it cannot stand in its version */
function continueOne(stand: Stand, identity: NewIdentity, options: ContinueOptions, reads: LaneReads): Continued {
  const { original } = stand;
  const target = readTarget(stand, options, reads);
  const made = continueExecution({ ...stand, identity, target, because: nameOperator(options), nowMs: reads.nowMs });
  if ('kind' in made) throw refusalOf(made);
  return { ...made, original };
}

function refusalOf(verdict: Extract<Verdict, { readonly kind: 'needs' | 'refused' }>): HiloError {
  const reason = verdict.message;
  if (verdict.kind === 'needs') return new HiloError('NEEDS_VALUE', { reason });
  switch (verdict.reason) {
    case 'NODE_GONE':
    case 'WAIT_DIFFERS':
    case 'RETRY_OPEN':
    case 'WEBHOOK_RENAMED':
    case 'VALUE_REFUSED':
      return new HiloError(verdict.reason, { reason });
    default:
      return new HiloError('INVALID_REQUEST', { reason });
  }
}

/** The version that a continuation comes to. */
function readTarget({ original, canvas, goesOn }: Stand, { version = 'same', set }: ContinueOptions, reads: LaneReads): Target {
  const workflowId = canvas.canvas.id;
  const hasSet = set !== undefined && Object.keys(set).length > 0;
  const prepare = (after: CompiledCanvas, to: number | 'draft', from: number | 'draft'): Target => ({
    canvas: after,
    version: to,
    prepared: reads.prepare(
      { workflowId, from: from === 'draft' ? 'any' : from, to: to === 'draft' ? 1 : to, ...(hasSet && { set }) },
      canvas,
      after,
    ),
  });
  if (version === 'same') {
    const isPlain = !hasSet && goesOn.kind !== 'enters';
    return isPlain ? { canvas, version: original.version, prepared: undefined } : prepare(canvas, original.version, original.version);
  }
  if (original.version === 'draft')
    throw new HiloError('TEST_ROUTE', { reason: 'It runs a draft; drafts are not migrated: leave its version "same"' });
  if (typeof version === 'number' && workflowId !== original.workflowId)
    throw new HiloError('JUMPED', { reason: `It has jumped into workflow "${workflowId}": name its version "latest" or "same"` });
  const called = read(reads, { kind: 'workflow', target: { workflowId, version } });
  if ('cause' in called) throw missingVersion(called, workflowId, version);
  return called.canvas.hash === canvas.hash && !hasSet && goesOn.kind !== 'enters'
    ? { canvas, version: called.version, prepared: undefined }
    : prepare(called.canvas, called.version, original.version);
}

function missingVersion({ cause }: { readonly cause: string }, workflowId: string, version: number | 'latest'): HiloError {
  if (cause === 'WORKFLOW_PAUSED') return new HiloError('WORKFLOW_PAUSED', { workflowId });
  return version === 'latest'
    ? new HiloError('WORKFLOW_NOT_FOUND', { workflowId })
    : new HiloError('VERSION_NOT_FOUND', { workflowId, version });
}

/** A change of an original, for the commit of its continuation. */
type Note = Omit<Decided, 'kind' | 'answer'>;

/** Notes in an execution that has ended which one continues it, without another word of it. */
function noteContinued(original: ExecutionRecord, as: string, options: ContinueOptions, { nowMs }: LaneReads): Note {
  const { companyId, executionId } = original;
  const revision = original.revision + 1;
  const event = { type: 'execution.continued', as, ...nameOperator(options), atMs: nowMs } as const;
  return {
    saves: [{ ...original, revision, state: continueAs(original.state, as) }],
    history: [{ companyId, executionId, revision, event, entries: none }],
    contacts: none,
    enqueue: none,
    moved: none,
  };
}

/** The end of an original, with the note of who continues it. */
function noteEnded(ended: Decided, original: ExecutionRecord, as: string, options: ContinueOptions, reads: LaneReads): Note {
  const isOriginal = ({ executionId }: { readonly executionId: string }): boolean => executionId === original.executionId;
  const note = noteContinued(original, as, options, reads); // of the revision of its end
  return {
    ...ended,
    saves: ended.saves.map((record) => (isOriginal(record) ? { ...record, state: continueAs(record.state, as) } : record)),
    history: [...ended.history, ...note.history],
  };
}

/** All of it as one commit. */
function concludeWith(made: readonly Continued[], notes: readonly Note[], reads: LaneReads): LaneStep {
  const decisions = made.map(({ execution, forked, events }) => decideOn(undefined, { type: 'fork', execution, forked, events }, reads));
  const [first, ...others] = decisions.filter((decision) => decision.kind === 'decided');
  if (first === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId: made[0]?.original.executionId ?? '' });
  const all = [...others, ...notes].reduce((joined: Decided, one) => joinDecisions(joined, one), first);
  return stepOf(all, reads, {});
}
