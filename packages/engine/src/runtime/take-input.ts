// One input of a lane in this process and its store: read, decide, commit, and only then let the rest happen.
import { describeThrown, HiloError, isHiloError } from '../contract/errors.ts';
import type { Settled } from '../contract/execution.ts';
import { isInternal } from '../contract/event.ts';
import type { Awaitable, Commit, Committed, ExecutionRecord, InboxItem } from '../contract/store.ts';
import type { LaneInput, MessageOutcome } from '../lane/calls.ts';
import { decideLane } from '../lane/decide-lane.ts';
import { type Lane, type NamedBlock, noneSeen } from '../lane/lane.ts';
import type { LaneStep, StepAnswer } from '../lane/step.ts';
import { findAccepted, joinSteps } from '../lane/join-steps.ts';
import { finalStatuses } from '../machine/lifecycle.ts';
import type { Need } from '../machine/reads.ts';
import { none } from '../machine/transition-context.ts';
import { applyContactChange } from '../memory/execution-store.ts';
import type { EngineContext } from './context.ts';
import { publishTells } from './events.ts';
import { ContextReads } from './lane-reads.ts';
import { holdThroughPause, type KnownContact, performEffect } from './perform-effect.ts';
import { publishStep } from './publish-step.ts';
import { andThen, rescue, retryWhileOwned, withLane } from './retry.ts';

/** What is at hand of the lane. Everything else is read, and after a conflict all of it. */
export interface AtHand {
  /** The execution that the input is for, as last committed. */
  readonly known?: ExecutionRecord | undefined;
  /** The user, when read just now. */
  readonly contact?: KnownContact | undefined;
  /** The item whose turn it is. */
  readonly item?: InboxItem;
  readonly blocks?: readonly NamedBlock[];
  /** Something else is at work in the lane. */
  readonly isBusy?: boolean;
  /** The reads of the decision, where something of them is needed after it. */
  readonly reads?: ContextReads;
}

/** What became of an input. */
export interface Taken {
  readonly step: LaneStep;
  /** Whether it had its consequence. */
  readonly isApplied: boolean;
  readonly answer: StepAnswer;
  /** The numbers of the items that it enqueued. */
  readonly seqs: readonly number[];
}

/** Most tries against concurrent writers before an input fails. */
const maxConflicts = 5;

/** An input, and the lane of a company that it is for. */
interface Taking {
  readonly context: EngineContext;
  readonly lane: string;
  readonly companyId: string;
  readonly input: LaneInput;
}

/**
 * Takes an input of a lane: reads, decides, commits in one conditional transaction (P3, P8), then publishes events, arms timers and
 * performs effects. Returns a promise only if something has to be awaited.
 *
 * @throws {HiloError} `STORE_CONFLICT` when concurrent writers won every try; what `decideLane` throws
 */
export function takeInput(
  context: EngineContext,
  lane: string,
  companyId: string,
  input: LaneInput,
  atHand: AtHand = {},
): Awaitable<Taken> {
  const taking = { context, lane, companyId, input };
  if (context.trace === undefined) return tryInput(taking, atHand, maxConflicts);
  const what = describeWork(input, atHand.item);
  return context.trace({ name: 'advance', companyId, ...what }, () => tryInput(taking, atHand, maxConflicts));
}

/** What a trace calls an input. Which execution a message is for is not known before it is decided. */
function describeWork(input: LaneInput, item: InboxItem | undefined): { readonly executionId: string; readonly type: string } {
  switch (input.type) {
    case 'message':
    case 'refusal':
      return { executionId: '', type: 'message.received' };
    case 'turn':
    case 'poison':
      if (item === undefined || item.accepted.kind === 'message') return { executionId: '', type: 'message' };
      return { executionId: item.accepted.executionId, type: item.accepted.kind };
    case 'inbox':
      return { executionId: '', type: input.item.accepted.kind };
    case 'timer':
      return { executionId: input.wait.executionId, type: 'timer' };
    default:
      return { executionId: input.executionId, type: workNames[input.type] };
  }
}

const workNames = {
  start: 'start',
  resume: 'webhook',
  signal: 'signal.received',
  effect: 'effect.settled',
  cancel: 'execution.cancelled',
  release: 'execution.released',
  migrate: 'execution.migrated',
  undoMigration: 'execution.migrated',
  retry: 'execution.continued',
  fork: 'execution.forked',
  quarantine: 'execution.quarantined',
} as const;

/** @param tries - the tries left, including this one */
function tryInput(taking: Taking, atHand: AtHand, tries: number): Awaitable<Taken> {
  const turn = taking.context.recoveries.turn();
  return turn === undefined ? tryNow(taking, atHand, tries) : turn.then(() => tryNow(taking, atHand, tries));
}

// Functions are made only where something is awaited: in memory, each would be as large as what an input changes.
function tryNow(taking: Taking, atHand: AtHand, tries: number): Awaitable<Taken> {
  const { context, companyId } = taking;
  const reads = atHand.reads ?? new ContextReads(context, companyId, context.clock.now(), atHand.contact);
  const trying = { taking, atHand, reads, tries };
  const step = decideWithReads(taking, atHand, reads);
  return step instanceof Promise ? step.then((decided) => commitTry(trying, decided)) : commitTry(trying, step);
}

/** One try of an input. */
interface Trying {
  readonly taking: Taking;
  readonly atHand: AtHand;
  readonly reads: ContextReads;
  readonly tries: number;
}

function commitTry(trying: Trying, step: LaneStep): Awaitable<Taken> {
  const { taking } = trying;
  if (step.commit === undefined) return conclude(taking, step, none);
  const committed = commitStep(taking, step, step.commit);
  return committed instanceof Promise ? committed.then((done) => concludeTry(trying, step, done)) : concludeTry(trying, step, committed);
}

function concludeTry({ taking, atHand, reads, tries }: Trying, step: LaneStep, committed: Committed): Awaitable<Taken> {
  const { context, lane, input } = taking;
  if (committed.kind === 'duplicate') return { step, isApplied: false, answer: step.repeated ?? committed.answer, seqs: none };
  if (committed.kind === 'committed') return conclude(taking, step, committed.seqs);
  // A concurrent writer won: everything is read again. What begins has no earlier state that could be, but for its user.
  const isClaimRefused = step.commit?.claims !== undefined;
  const begins = input.type === 'start' || input.type === 'message';
  if (tries === 1 || (begins && !isClaimRefused)) throw new HiloError('STORE_CONFLICT', { executionId: lane });
  const { known: _known, contact: _contact, ...rest } = atHand;
  return tryInput(taking, { ...rest, reads: reads.again(context.clock.now(), isClaimRefused) }, tries - 1);
}

/** Decides, and reads whatever the decision needs. Returns a promise only if something is read. */
function decideWithReads({ context, lane: name, input }: Taking, atHand: AtHand, reads: ContextReads): LaneStep | Promise<LaneStep> {
  const { known, item, blocks = none, isBusy = false } = atHand;
  const lane: Lane = {
    name,
    executions: known === undefined ? none : [known],
    inbox: item === undefined ? none : [item],
    lastSeq: 0,
    isBusy,
    blocks,
    seen: noneSeen,
  };
  const decision = decideTimed(context, lane, input, reads);
  return decision.kind === 'step' ? decision : readAndDecide(context, lane, input, reads, decision.need);
}

async function readAndDecide(context: EngineContext, lane: Lane, input: LaneInput, reads: ContextReads, lacked: Need): Promise<LaneStep> {
  for (let need = lacked; ; ) {
    await reads.read(need);
    reads.transitions.rewind();
    const turn = context.recoveries.turn();
    if (turn !== undefined) await turn;
    const decision = decideTimed(context, lane, input, reads);
    if (decision.kind === 'step') return decision;
    ({ need } = decision);
  }
}

/** Decides, and notes a decision that held the event loop for so long that it harms the process (P17). */
function decideTimed(
  { clock, crashTracker }: EngineContext,
  lane: Lane,
  input: LaneInput,
  reads: ContextReads,
): ReturnType<typeof decideLane> {
  const fromMs = clock.now();
  const decision = decideLane(lane, input, reads);
  if (clock.now() - fromMs >= harmfulMs) crashTracker.harm(lane.name);
  return decision;
}

/** One turn of the event loop that takes longer harms the process and all who wait for it: ten times what is ever permitted (P20). */
const harmfulMs = 2_000;

/** What is only accepted is committed by whichever process has it; everything else in the lane's turn, by its owner. */
const commitStep = ({ context, lane, input }: Taking, { moved }: LaneStep, changes: Commit): Awaitable<Committed> =>
  moved.length === 0 && (input.type === 'start' || input.type === 'message')
    ? commit(context, lane, changes)
    : commitAsOwner(context, lane, changes);

/** Lets happen what a committed step leads to. */
function conclude({ context, input }: Taking, step: LaneStep, seqs: readonly number[]): Taken {
  const { commit: changes, moved, isApplied, answer } = step;
  publishStep(context, step);
  for (const { after } of moved) {
    const { status, wait } = after.state;
    if (status === 'waiting' && typeof wait?.dueAtMs === 'number') context.timers.arm(wait.dueAtMs);
    settleLane(context, after);
  }
  const [first] = moved;
  // What is kept for later is no progress of the work that may have killed the process (P17).
  if (first?.history.some(({ event }) => !(event.type === 'webhook.received' && event.isKept === true)) === true)
    noteProgress(context, first.after);
  // A message is given its turn by whoever accepts it; what is kept for a later release has none in this one.
  if (moved.length > 0 || input.type === 'start') for (const item of changes?.enqueue ?? none) giveTurn(context, item);
  return { step, isApplied, answer, seqs };
}

/**
 * Accepts a message and gives it its turn in one commit, in the turn of a lane in which nothing else is.
 *
 * @returns its outcome; `alone` where it has to be accepted alone: something is queued before it, its turn failed, or a concurrent writer won
 * @throws {HiloError} `INVALID_TIME_ZONE`, `INVALID_LOCALE`, `STORE_UNAVAILABLE`
 */
export async function takeInOneCommit(
  context: EngineContext,
  lane: string,
  input: Extract<LaneInput, { readonly type: 'message' }>,
  contact: KnownContact | undefined,
): Promise<MessageOutcome | 'alone'> {
  const { companyId } = input.message;
  const accept = { context, lane, companyId, input };
  await context.recoveries.turn();
  if ((await context.store.nextQueued(lane)) !== undefined) return 'alone';
  const nowMs = context.clock.now();
  const accepting = await decideWithReads(accept, {}, new ContextReads(context, companyId, nowMs, contact));
  // Providers repeat for days: what was seen before costs no turn, and draws nothing at random.
  const keys = accepting.commit?.seen?.keys ?? none;
  if ((await context.store.seenAnswer(keys)) !== undefined) return 'duplicate';
  const item = findAccepted(accepting, lane);
  const [change] = accepting.commit?.contacts ?? none;
  if (item === undefined || change === undefined) return 'alone';
  const before = contact?.contact ?? (await context.store.person?.(companyId, change.userId));
  if (before === undefined) return 'alone';
  const turn = { context, lane, companyId, input: { type: 'turn' } } as const;
  const reads = new ContextReads(context, companyId, nowMs, { contact: applyContactChange(before, change) });
  const taken = await rescue<LaneStep | undefined>(
    () => decideWithReads(turn, { item }, reads),
    () => undefined, // it fails once more when it is accepted, and is then set aside
  );
  const step = taken === undefined ? undefined : joinSteps(accepting, taken);
  if (step?.commit === undefined) return 'alone';
  const committed = await commitAsOwner(context, lane, step.commit);
  if (committed.kind !== 'committed') return committed.kind === 'duplicate' ? 'duplicate' : 'alone';
  publishTells(context.events, accepting.tells ?? none);
  conclude(turn, step, committed.seqs);
  context.crashTracker.clear(lane);
  return step.routed ?? 'queued';
}

/** Commits a step that no decision is needed for, in the lane's turn. */
export const takeStep = (context: EngineContext, lane: string, companyId: string, input: LaneInput, step: LaneStep): Awaitable<Taken> => {
  const taking = { context, lane, companyId, input };
  return andThen(step.commit === undefined ? undefined : commitAsOwner(context, lane, step.commit), () => conclude(taking, step, none));
};

/** Recovers a lane from the store, before anything else in it. */
const recoverLaneNext = (context: EngineContext, lane: string): void =>
  void withLane(context, lane, `recovering lane ${lane}`, () => context.recoverLane(lane));

/**
 * Commits accepted items of a lane, whichever process owns it. When the outcome of the commit is unknown, the lane is recovered once the
 * store answers again, so that a commit whose answer was lost takes effect (P2).
 *
 * @throws {HiloError} `STORE_UNAVAILABLE`
 */
function commit(context: EngineContext, lane: string, changes: Commit): Awaitable<Committed> {
  const committing = context.store.commit(changes);
  if (committing instanceof Promise) committing.catch(() => recoverLaneNext(context, lane)); // the caller gets the error as well
  return committing;
}

/**
 * Commits in the lane's turn: refused once another process owns the lane, however late this one wakes (P8).
 *
 * @throws {HiloError} `STORE_UNAVAILABLE`
 */
const commitAsOwner = (context: EngineContext, lane: string, changes: Commit): Awaitable<Committed> =>
  context.lanes.isOurs(lane)
    ? commit(context, lane, changes)
    : Promise.reject(new HiloError('STORE_UNAVAILABLE', { reason: 'Another process took over: nothing was written' }));

/**
 * A lane made progress: its crashes are cleared, unless its work held the event loop for so long that it counts as one. At the third in a
 * row its execution is quarantined, as one that kills its process.
 */
function noteProgress(context: EngineContext, { companyId, executionId, lane }: ExecutionRecord): void {
  const { crashTracker, store } = context;
  if (!crashTracker.takeHarm(lane)) return crashTracker.clear(lane);
  void withLane(context, lane, `counting that lane ${lane} held the process up`, async () => {
    await crashTracker.whenCleared();
    const times = ((await store.crashCounts([lane])).get(lane) ?? 0) + 1;
    await store.countCrashes([lane]);
    crashTracker.add(lane); // until its next progress
    const known = times < maxHarms ? undefined : await store.load(companyId, executionId);
    if (known === undefined || finalStatuses.has(known.state.status)) return;
    const reason = `Its work held the process up ${times} times`;
    await takeInput(context, lane, companyId, { type: 'quarantine', companyId, executionId, reason }, { known });
  });
}

/** As many as crashes (P17). */
const maxHarms = 3;

/** Gives a queued item its turn: at once, or, where many are queued at once (an event for many waits), with the others of its company. */
function giveTurn(context: EngineContext, item: Commit['enqueue'][number]): void {
  const process = (): void => context.processNext(item.lane, { isInternal: isInternal(item) });
  const coming = item.accepted.kind === 'event' ? context.turns.take(item.companyId) : undefined;
  if (coming === undefined) process();
  else void coming.then(process);
}

/**
 * Performs the execution's pending effect and blocks the lane until its result; without one, unblocks the lane. If another process
 * owns the lane by now, that process recovers it from the store.
 */
export function settleLane(context: EngineContext, record: ExecutionRecord): void {
  const { lane, executionId, state } = record;
  const { pending, wait, visit } = state;
  if (!context.lanes.isOurs(lane)) {
    recoverLaneNext(context, lane);
    return;
  }
  if (state.status === 'running' && pending !== undefined) {
    const underWay = context.lanes.blockOf(lane, executionId)?.call;
    const isUnderWay = underWay?.key === pending.key && underWay.attempt === pending.attempt;
    if (!isUnderWay) performEffect(context, record, pending, (settled, contact) => recordAnswer(context, record, settled, contact));
  } else if (state.status === 'waiting' && wait?.kind === 'retry' && visit?.hold !== undefined) {
    holdThroughPause(context, record);
  } else {
    context.lanes.blockOf(lane, executionId)?.abort?.();
    context.lanes.unblock(lane, executionId);
  }
}

/** Commits the result of an effect with its consequences. Quarantines the execution if the result cannot be applied (P17). */
function recordAnswer(
  context: EngineContext,
  known: ExecutionRecord,
  settled: Settled,
  contact: KnownContact | undefined,
): Awaitable<void> {
  const { companyId, executionId, lane } = known;
  const key = known.state.pending?.key ?? '';
  const doing = `recording the answer of effect ${key}`;
  let fresh = contact; // of the first try: a retry reads the user again
  const record = (): Awaitable<void> => {
    const atHand = { known, contact: fresh };
    fresh = undefined;
    const input = { type: 'effect', companyId, executionId, key, settled } as const;
    return andThen(takeInput(context, lane, companyId, input, atHand), ({ isApplied }) =>
      isApplied ? undefined : freeLane(context, known, key),
    );
  };
  return rescue<void>(
    () => retryWhileOwned(context, lane, doing, record),
    (error) => {
      context.events.emit('engine.fault', { error, while: doing });
      // Held: its lane stays blocked, and a release that can run it performs the effect again, under its key.
      if (isHiloError(error, 'INVALID_CANVAS')) return undefined;
      return retryWhileOwned(context, lane, doing, () => quarantineStuck(context, known, key, describeThrown(error)));
    },
  );
}

/** Quarantines an execution whose effect's result it cannot apply. */
async function quarantineStuck(
  context: EngineContext,
  { companyId, executionId, lane }: ExecutionRecord,
  key: string,
  reason: string,
): Promise<void> {
  const known = await context.store.load(companyId, executionId);
  if (known?.state.pending?.key !== key) return;
  const { isApplied } = await takeInput(context, lane, companyId, { type: 'quarantine', companyId, executionId, reason }, { known });
  if (!isApplied) throw new HiloError('STORE_CONFLICT', { executionId });
}

/** After a result that changed nothing (recorded before, or no longer awaited): blocks the lane for its current effects only. */
async function freeLane(context: EngineContext, { companyId, executionId, lane }: ExecutionRecord, key: string): Promise<void> {
  const now = await context.store.load(companyId, executionId);
  if (context.lanes.blockOf(lane, executionId)?.call.key === key) context.lanes.unblock(lane, executionId);
  if (now !== undefined) settleLane(context, now);
}
