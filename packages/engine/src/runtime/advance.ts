import type { CompiledCanvas } from '../canvas/compile.ts';
import { describeThrown, HiloError, isHiloError } from '../contract/errors.ts';
import type { Origin, Settled } from '../contract/execution.ts';
import { isInternal } from '../contract/event.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import type { Awaitable, Commit, Committed, ExecutionRecord, InboxItem } from '../contract/store.ts';
import type { Answers, Callable, CallTarget, Need } from '../machine/reads.ts';
import { type Decided, decide, type Decision, type Given, type LaneEvent, type LaneState, type Moved } from '../machine/decide.ts';
import { andThen, rescue, retryWhileOwned, withLane } from './retry.ts';
import type { EngineContext } from './context.ts';
import { publishEvents } from './events.ts';
import { readExternalScopes } from './external-scopes.ts';
import { holdThroughPause, type KnownContact, performDetached, performEffect } from './perform-effect.ts';
import { TransitionLog } from '../machine/canvas-logic.ts';
import { finalStatuses } from '../machine/lifecycle.ts';
import { systemTurn } from '../node.ts';
import { none } from '../machine/transition-context.ts';

/** Parts of the commit besides the advance itself. */
export interface Beside extends Partial<Pick<Commit, 'enqueue'>> {
  /** Delivery ids of the event: the answer is kept under them, and is what a repetition gets (P10). */
  readonly keys?: readonly string[];
  /** The inbox item that the event comes from. */
  readonly item?: InboxItem;
  /** The execution as last committed, when at hand: read again only after a conflict. */
  readonly known?: ExecutionRecord;
  /** The user, when read just now. */
  readonly contact?: KnownContact | undefined;
  /** Whether the event must apply: otherwise the caller decides again, as after a conflict. */
  readonly mustApply?: boolean;
}

/** The result of an event. */
export interface Advanced {
  /** Whether it changed the execution. */
  readonly isApplied: boolean;
  /** The execution after it, or as it was found; none when there is none. */
  readonly record: ExecutionRecord | undefined;
  readonly answer: Json;
}

/** Most tries of an advance against concurrent writers before it fails. */
const maxConflicts = 5;

/**
 * Takes an execution from an event to its next halt: reads, decides, commits in one conditional transaction (P3, P8), then publishes
 * events, arms timers and performs the effect. An event that no longer applies has no consequence, and its inbox item is dropped.
 * Returns a promise only if something has to be awaited.
 *
 * @throws {HiloError} `STORE_CONFLICT` when concurrent writers won every try; errors of `decide`
 */
export function advance(
  context: EngineContext,
  { companyId, executionId }: Pick<ExecutionRecord, 'companyId' | 'executionId'>,
  event: LaneEvent,
  beside: Beside = {},
): Awaitable<Advanced> {
  const of = { companyId, executionId };
  if (context.trace === undefined) return tryAdvance(context, of, event, beside, maxConflicts);
  return context.trace({ name: 'advance', ...of, type: event.type }, () => tryAdvance(context, of, event, beside, maxConflicts));
}

/** @param tries - the tries left, including this one */
function tryAdvance(
  context: EngineContext,
  of: Pick<ExecutionRecord, 'companyId' | 'executionId'>,
  event: LaneEvent,
  beside: Beside,
  tries: number,
): Awaitable<Advanced> {
  if (tries === 0) throw new HiloError('STORE_CONFLICT', { executionId: of.executionId });
  return andThen(beside.known ?? context.store.load(of.companyId, of.executionId), (record) => {
    if (record === undefined) return leaveUnchanged(context, of, beside, record, null);
    return andThen(decideWithReads(context, { execution: record }, event, record.state.origin, beside.contact), (decision) => {
      if (decision.kind === 'unchanged') return leaveUnchanged(context, of, beside, record, decision.answer);
      const { enqueue = none, item, keys } = beside;
      const queued = enqueue.length === 0 ? decision.enqueue : [...decision.enqueue, ...enqueue];
      const changes = createCommit(context, decision, queued, item === undefined ? none : [item], keys);
      return andThen(commitAsOwner(context, record.lane, changes), (committed): Awaitable<Advanced> => {
        if (committed.kind === 'duplicate') return { isApplied: false, record, answer: committed.answer };
        // A concurrent writer won: the execution is read again.
        if (committed.kind === 'conflict') return tryAdvance(context, of, event, dropReads(beside), tries - 1);
        return { isApplied: true, record: follow(context, decision.moved, queued, decision.hold), answer: decision.answer };
      });
    });
  });
}

const dropReads = ({ known: _known, contact: _contact, ...beside }: Beside): Beside => beside;

/** The result of an event that no longer applies. Its inbox item is dropped. */
function leaveUnchanged(
  context: EngineContext,
  { executionId }: Pick<ExecutionRecord, 'executionId'>,
  { item, mustApply }: Beside,
  record: ExecutionRecord | undefined,
  answer: Json,
): Awaitable<Advanced> {
  if (mustApply === true) throw new HiloError('STORE_CONFLICT', { executionId });
  const unchanged = { isApplied: false, record, answer };
  return item === undefined ? unchanged : dropItem(context, item).then(() => unchanged);
}

type Made = Exclude<Decision, { readonly kind: 'missing' }>;

/** Decides with the current external scopes, and reads whatever else the decision needs. Returns a promise only if something is read. */
export function decideWithReads(
  context: EngineContext,
  lane: LaneState,
  event: LaneEvent,
  origin: Origin,
  known?: KnownContact,
): Made | Promise<Made> {
  const turn = context.recoveries.turn();
  return turn === undefined
    ? decideNow(context, lane, event, origin, known)
    : turn.then(() => decideNow(context, lane, event, origin, known));
}

function decideNow(
  context: EngineContext,
  lane: LaneState,
  event: LaneEvent,
  origin: Origin,
  known: KnownContact | undefined,
): Made | Promise<Made> {
  const nowMs = context.clock.now();
  // A new execution has just read its scopes; a quarantine needs none.
  const needsScopes = event.type !== 'start' && event.type !== 'execution.quarantined';
  const scopes = needsScopes ? readExternalScopes(context, origin, nowMs, known) : noScopes;
  if (scopes instanceof Promise)
    return scopes.then((read) => decideWith(context, new ReadsForDecision(context, origin.companyId, nowMs, read), lane, event));
  const given = new ReadsForDecision(context, origin.companyId, nowMs, scopes);
  const decision = decideTimed(context, lane, event, given, nowMs);
  return decision.kind === 'missing' ? given.read(decision.need).then(() => decideWith(context, given, lane, event)) : decision;
}

async function decideWith(context: EngineContext, given: ReadsForDecision, lane: LaneState, event: LaneEvent): Promise<Made> {
  for (;;) {
    given.transitions.rewind();
    const decision = decideTimed(context, lane, event, given, context.clock.now());
    if (decision.kind !== 'missing') return decision;
    await given.read(decision.need);
  }
}

/** Decides, and notes a decision that held the event loop for so long that it harms the process (P17). */
function decideTimed(
  { clock, crashTracker }: EngineContext,
  lane: LaneState,
  event: LaneEvent,
  given: ReadsForDecision,
  fromMs: number,
): Decision {
  const decision = decide(lane, event, given);
  const named = event.type === 'start' ? event.execution.lane : lane.execution?.lane;
  if (clock.now() - fromMs >= harmfulMs && named !== undefined) crashTracker.harm(named);
  return decision;
}

/** One turn of the event loop that takes longer harms the process and all who wait for it: ten times what is ever permitted (P20). */
const harmfulMs = 2_000;

const noScopes: JsonObject = Object.freeze({});

/** The input of a decision: compiled canvases, and the reads that earlier tries lacked. */
class ReadsForDecision implements Given {
  readonly nowMs: number;
  readonly scopes: JsonObject;
  readonly inspect: Given['inspect'];
  readonly transitions = new TransitionLog();
  readonly #context: EngineContext;
  readonly #companyId: string;
  #found: Map<string, unknown> | undefined; // most decisions need no reads
  #parts: Map<string, CompiledCanvas> | undefined;

  constructor(context: EngineContext, companyId: string, nowMs: number, scopes: JsonObject) {
    this.#context = context;
    this.#companyId = companyId;
    this.nowMs = nowMs;
    this.scopes = scopes;
    this.inspect = context.inspect;
  }

  canvas(hash: string, isForEnd = false): CompiledCanvas | undefined {
    return this.#context.library.get(this.#companyId, hash) ?? (isForEnd ? this.#parts?.get(hash) : undefined);
  }

  knownAnswer(type: string): Json | undefined {
    return this.#context.drivers.get(type)?.answer;
  }

  find<Kind extends keyof Answers>(need: Need & { readonly kind: Kind }): Answers[Kind] | undefined {
    if (need.kind === 'failureWorkflow' && this.#context.directory.failureWorkflow === undefined) return null as Answers[Kind];
    return this.#found?.get(JSON.stringify(need)) as Answers[Kind] | undefined;
  }

  async read(need: Need): Promise<void> {
    const { library } = this.#context;
    if (need.kind === 'turn') await new Promise<void>(systemTurn);
    else if (need.kind === 'canvas' && need.isForEnd)
      (this.#parts ??= new Map<string, CompiledCanvas>()).set(need.hash, await library.loadPart(this.#companyId, need.hash));
    else if (need.kind === 'canvas') await library.load(this.#companyId, need.hash);
    else (this.#found ??= new Map()).set(JSON.stringify(need), await this.#lookUp(need));
  }

  async #lookUp(need: Exclude<Need, { readonly kind: 'canvas' | 'turn' }>): Promise<unknown> {
    const { store } = this.#context;
    switch (need.kind) {
      case 'workflow':
        return readCallable(this.#context, this.#companyId, need.target);
      case 'waits':
        return store.awaitingSignal(this.#companyId, need.name, need.correlation);
      case 'heldSignals':
        return (await store.countHeldSignals?.(this.#companyId, this.nowMs)) ?? null;
      case 'execution':
        return (await store.load(this.#companyId, need.executionId)) ?? null;
      case 'failureWorkflow':
        return readFailureWorkflow(this.#context, this.#companyId);
    }
  }
}

/** The failure workflow of a company. One that cannot be called is reported as a fault, and does not prevent the end. */
async function readFailureWorkflow(context: EngineContext, companyId: string): Promise<Callable | null> {
  const workflowId = await context.directory.failureWorkflow?.(companyId);
  if (workflowId === undefined || context.directory.isArchived?.(companyId, workflowId) === true) return null;
  const called = await readCallable(context, companyId, { workflowId, version: 'latest' });
  if (typeof called !== 'string') return called;
  const error = new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
  context.events.emit('engine.fault', { error, while: `starting the workflow for failures of company "${companyId}": ${called}` });
  return null;
}

/** The workflow as it can be called, or why it cannot. */
async function readCallable(
  { canvases, library }: EngineContext,
  companyId: string,
  { workflowId, version }: CallTarget,
): Promise<Callable | string> {
  const draft = version === 'draft' ? await canvases.draft(companyId, workflowId) : undefined;
  const published =
    typeof version === 'number' ? await canvases.version(companyId, workflowId, version) : await canvases.latest(companyId, workflowId);
  const found = draft === undefined ? published : { ...draft, version: 'draft' as const };
  if (found === undefined)
    return `There is no published workflow "${workflowId}"${typeof version === 'number' ? ` of version ${version}` : ''}`;
  try {
    const canvas = await library.load(companyId, found.hash);
    const entry = canvas.starts[0]?.id ?? canvas.webhook?.id;
    return entry === undefined ? `Workflow "${workflowId}" has no start to call` : { canvas, version: found.version, entry };
  } catch (error) {
    if (error instanceof HiloError) return error.message;
    throw error;
  }
}

/** Eight days: providers repeat deliveries for seven (P10). */
export const seenForMs = 8 * 86_400_000;

/**
 * The commit of a decision.
 *
 * @param dequeue - the inbox items of which it is the consequence
 * @param keys - delivery ids under which its answer is stored
 */
export const createCommit = (
  { clock }: Pick<EngineContext, 'clock'>,
  { saves, history, contacts, hold, answer }: Omit<Decided, 'kind' | 'moved' | 'enqueue'>,
  enqueue: Commit['enqueue'],
  dequeue: Commit['dequeue'] = none,
  keys: readonly string[] = none,
): Commit => {
  const changes = { saves, history, contacts, enqueue, dequeue, ...(hold !== undefined && { hold }) };
  return keys.length === 0 ? changes : { ...changes, seen: { keys, untilMs: clock.now() + seenForMs, answer } };
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
export function commit(context: EngineContext, lane: string, changes: Commit): Awaitable<Committed> {
  const committing = context.store.commit(changes);
  if (committing instanceof Promise) committing.catch(() => recoverLaneNext(context, lane)); // the caller gets the error as well
  return committing;
}

/**
 * Commits in the lane's turn: refused once another process owns the lane, however late this one wakes (P8).
 *
 * @throws {HiloError} `STORE_UNAVAILABLE`
 */
export const commitAsOwner = (context: EngineContext, lane: string, changes: Commit): Awaitable<Committed> =>
  context.lanes.isOurs(lane)
    ? commit(context, lane, changes)
    : Promise.reject(new HiloError('STORE_UNAVAILABLE', { reason: 'Another process took over: nothing was written' }));

/** Removes an inbox item that has no consequence. */
export async function dropItem(context: EngineContext, item: Commit['dequeue'][number]): Promise<void> {
  await commitAsOwner(context, item.lane, { saves: [], history: [], contacts: [], enqueue: [], dequeue: [item] });
}

/** After the commit: arms timers, publishes events, performs effects, and gives queued items their turn. */
export function follow(
  context: EngineContext,
  moved: readonly Moved[],
  enqueue: Commit['enqueue'],
  hold: Commit['hold'] = none,
): ExecutionRecord | undefined {
  for (const held of hold) context.deliverHeld(held);
  for (const { before, after, history, detached } of moved) {
    const { status, wait } = after.state;
    if (status === 'waiting' && wait?.kind === 'event' && wait.correlation !== undefined && wait.id !== before.state.wait?.id)
      context.deliverHeld({ companyId: after.companyId, name: wait.correlation.name, correlation: wait.correlation.value });
    if (status === 'waiting' && typeof wait?.dueAtMs === 'number') context.timers.arm(wait.dueAtMs);
    for (const call of detached) performDetached(context, call);
    publishEvents(context.events, before, after, history);
    settleLane(context, after);
  }
  const [first] = moved;
  // What is kept for later is no progress of the work that may have killed the process (P17).
  if (first?.history.some(({ event }) => !(event.type === 'webhook.received' && event.isKept === true)) === true)
    noteProgress(context, first.after);
  for (const item of enqueue) giveTurn(context, item);
  return first?.after;
}

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
    await advance(context, known, { type: 'execution.quarantined', reason: `Its work held the process up ${times} times` }, { known });
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
export function recordAnswer(
  context: EngineContext,
  known: ExecutionRecord,
  settled: Settled,
  contact: KnownContact | undefined,
): Awaitable<void> {
  const key = known.state.pending?.key ?? '';
  const doing = `recording the answer of effect ${key}`;
  let fresh = contact; // of the first try: a retry reads the user again
  const record = (): Awaitable<void> => {
    const beside = { known, contact: fresh };
    fresh = undefined;
    return andThen(advance(context, known, { type: 'effect.settled', key, settled }, beside), ({ isApplied }) =>
      isApplied ? undefined : freeLane(context, known, key),
    );
  };
  return rescue<void>(
    () => retryWhileOwned(context, known.lane, doing, record),
    (error) => {
      context.events.emit('engine.fault', { error, while: doing });
      // Held: its lane stays blocked, and a release that can run it performs the effect again, under its key.
      if (isHiloError(error, 'INVALID_CANVAS')) return undefined;
      return retryWhileOwned(context, known.lane, doing, () => quarantineStuck(context, known, key, describeThrown(error)));
    },
  );
}

/** Quarantines an execution whose effect's result it cannot apply. */
async function quarantineStuck(
  context: EngineContext,
  { companyId, executionId }: ExecutionRecord,
  key: string,
  reason: string,
): Promise<void> {
  const stuck = await context.store.load(companyId, executionId);
  if (stuck?.state.pending?.key === key)
    await advance(context, stuck, { type: 'execution.quarantined', reason }, { known: stuck, mustApply: true });
}

/** After a result that changed nothing (recorded before, or no longer awaited): blocks the lane for its current effects only. */
async function freeLane(context: EngineContext, { companyId, executionId, lane }: ExecutionRecord, key: string): Promise<void> {
  const now = await context.store.load(companyId, executionId);
  if (context.lanes.blockOf(lane, executionId)?.call.key === key) context.lanes.unblock(lane, executionId);
  if (now !== undefined) settleLane(context, now);
}
