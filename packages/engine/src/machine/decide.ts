// Decides one event of one execution: the commit it leads to, and what is to be done after it.
import type { CompiledNode } from '../canvas/compile.ts';
import { HiloError } from '../contract/errors.ts';
import { canvasOfEvent, type ExecutionEvent } from '../contract/event.ts';
import type { EffectCall, ExecutionState, PendingEffect, Trigger } from '../contract/execution.ts';
import { isSameJson, type Json, type JsonObject } from '../contract/json.ts';
import type { WebhookAdmission } from '../contract/node.ts';
import type { Commit, ContactChange, ExecutionForked, ExecutionRecord, HeldSignal, HistoryRecord } from '../contract/store.ts';
import type { Write } from '../contract/variables.ts';
import type { WebhookRequest } from '../contract/webhook.ts';
import { sizeOf } from '../variables/measure.ts';
import { getPath } from '../variables/path.ts';
import { type Inspect, runLogic, type TransitionLog } from './canvas-logic.ts';
import { engineConsequences, startForFailure } from './child-executions.ts';
import type { Missing, Reads } from './reads.ts';
import { admitCall, fitsKept, judgeClaim } from './callbacks.ts';
import { keepsRequest } from './kept-requests.ts';
import { finalStatuses, lifecycle } from './lifecycle.ts';
import { maskHistory } from './mask.ts';
import { type NewExecution, createExecution } from './new-execution.ts';
import { concat, none } from './transition-context.ts';

/**
 * The lane as `decide` sees it: the execution of the event, as last committed; none when the event begins one. The lane's other
 * executions, its inbox and its dedupe keys stay in the store, whose commit is conditional on them.
 */
export interface LaneState {
  readonly execution: ExecutionRecord | undefined;
}

/** Everything that can happen in a lane. One that no longer applies to the execution, as a late timer, changes nothing. */
export type LaneEvent =
  /**
   * An execution is accepted. It begins at once when its lane is free (`now`), else an inbox item keeps its turn; one that repeatedly
   * failed to begin is quarantined before it begins (P17).
   */
  | {
      readonly type: 'start';
      readonly execution: NewExecution;
      readonly entry: string;
      readonly trigger: Trigger;
      readonly begins: 'now' | 'inTurn' | { readonly quarantinedFor: string };
    }
  /** A request that names `executionId`: the execution itself, or the family it belongs to (VAR-07). */
  | {
      readonly type: 'webhook';
      readonly executionId: string;
      readonly nodeId: string;
      readonly request: WebhookRequest;
      /** The visit that it is for, where it came by the address of a callback. */
      readonly visit?: number;
    }
  | { readonly type: 'timer'; readonly waitId: string; readonly dueAtMs: number }
  /** An execution begins where another stood, as revision 1, and goes on by these events in one commit. */
  | { readonly type: 'fork'; readonly execution: ExecutionRecord; readonly forked: ExecutionForked; readonly events: readonly ForkEvent[] }
  | Undated<Exclude<ExecutionEvent, { readonly type: 'canvas.entered' | 'timer.fired' | 'webhook.received' }>>;

/** An event by which a continuation goes on from where it stands. */
export type ForkEvent = Undated<ExecutionEvent>;

/** An event before its decision, which adds the instant and what changed outside. */
type Undated<Event> = Event extends ExecutionEvent ? Omit<Event, 'atMs' | 'contextUpdates'> : never;

/** Everything that a decision depends on besides the lane and the event. */
export interface Given extends Reads {
  /** The instant of the event, in milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** The result of an effect of this type, when it is known before the effect is performed. */
  knownAnswer(type: string): Json | undefined;
  readonly inspect?: Inspect | undefined;
  /** Remembers the transitions of this decision, where it may be made in several turns of the event loop. */
  readonly transitions?: TransitionLog;
}

/** One execution before and after the event. */
export interface Moved {
  readonly before: ExecutionRecord;
  readonly after: ExecutionRecord;
  readonly history: readonly HistoryRecord[];
  /** Effects with results known beforehand: they are performed after the commit. */
  readonly detached: readonly EffectCall[];
}

/**
 * The consequences of an event, committed together or not at all. Once committed, effects to perform, timers to arm and events to
 * publish are read from `moved`: the pending effect, the due time of the open wait, the history.
 */
export interface Decided extends Pick<Commit, 'saves' | 'history' | 'contacts' | 'enqueue' | 'hold'> {
  readonly kind: 'decided';
  /** The executions that it moves on: the event's own first, then the children that end with it. */
  readonly moved: readonly Moved[];
  /** The answer for the caller. */
  readonly answer: Json;
}

/** `unchanged`: the event does not apply, nothing is to be committed. `missing`: read this, and decide again. */
export type Decision = Decided | { readonly kind: 'unchanged'; readonly answer: Json } | Missing;

/**
 * Decides the consequences of an event. Synchronous and pure: it reads only its arguments, and the same arguments give the same
 * decision, so that any keeper of lanes (in memory, in a database, on a cluster) may repeat it after a lost commit.
 *
 * @throws {HiloError} `EXECUTION_NOT_WAITING` and the refusals of a webhook
 */
export function decide(lane: LaneState, event: LaneEvent, given: Given): Decision {
  if (event.type === 'start') return start(event, given);
  if (event.type === 'fork') return fork(event, given);
  const record = lane.execution;
  if (record === undefined) return { kind: 'unchanged', answer: null };
  const atMs = given.nowMs;
  if (event.type === 'execution.quarantined') return quarantine(record, { ...event, atMs });
  if (event.type === 'webhook')
    return event.visit === undefined ? resume(record, event, given) : resumeByAddress(record, { ...event, visit: event.visit }, given);
  const dated =
    event.type === 'timer'
      ? ({ type: 'timer.fired', waitId: event.waitId, lateByMs: Math.max(0, atMs - event.dueAtMs), atMs } as const)
      : { ...event, atMs };
  // Proved to be the same, it is to be the same in all: what changed outside comes with its next event.
  if (dated.type === 'execution.migrated' && dated.enter === undefined) return advance(record, dated, given, null);
  return advanceUpdated(record, dated, given, null);
}

/** Accepts an execution. Its scopes were read a moment ago. */
function start({ execution, entry, trigger, begins }: Extract<LaneEvent, { readonly type: 'start' }>, given: Given): Decision {
  // One that begins now is accepted and advanced in one revision.
  const { record, history } = createExecution(execution, begins === 'now' ? 0 : 1);
  const { executionId, companyId, lane, createdAtMs: atMs } = record;
  const answer = { executionId };
  if (begins === 'now')
    return advance(record, { type: 'execution.started', entry, trigger, atMs: given.nowMs }, given, answer, { accepted: history });
  const decided = { kind: 'decided', contacts: [], enqueue: [], moved: [], answer } as const;
  const accepted = { kind: 'start', executionId, entry, trigger } as const;
  if (begins === 'inTurn')
    return { ...decided, saves: [record], history: [history], enqueue: [{ companyId, lane, acceptedAtMs: atMs, accepted }] };
  const moved = quarantineNow(record, record.revision, { type: 'execution.quarantined', reason: begins.quarantinedFor, atMs, accepted });
  return { ...decided, saves: [moved.after], history: [history, ...moved.history], moved: [moved] };
}

/** Begins an execution where another stood. What changed outside since then comes with the event by which it goes on. */
function fork({ execution, forked, events }: Extract<LaneEvent, { readonly type: 'fork' }>, given: Given): Decision {
  const { companyId, executionId, state } = execution;
  const answer = { executionId };
  const begins: HistoryRecord = { companyId, executionId, revision: 1, event: forked, entries: none };
  const scopes = given.scopes(state.origin);
  if (scopes === undefined) return { kind: 'missing', need: { kind: 'scopes', origin: state.origin } };
  const [first, ...others] = events.map((event, index) => {
    const dated: ExecutionEvent = { ...event, atMs: given.nowMs };
    return index === events.length - 1 ? addUpdates(dated, state, scopes) : dated;
  });
  if (first !== undefined) return advance(execution, first, given, answer, { forked: begins, others });
  const after: ExecutionRecord = { ...execution, revision: 1 };
  const moved: Moved = { before: execution, after, history: [begins], detached: none };
  return { kind: 'decided', saves: [after], history: [begins], contacts: none, enqueue: none, moved: [moved], answer };
}

/** Advances by an event with what changed outside. */
function advanceUpdated(record: ExecutionRecord, event: ExecutionEvent, given: Given, answer: Json): Decision {
  const { origin } = record.state;
  const scopes = given.scopes(origin);
  if (scopes === undefined) return { kind: 'missing', need: { kind: 'scopes', origin } };
  return advance(record, addUpdates(event, record.state, scopes), given, answer);
}

/** Adds the scopes that changed outside since the execution saw them last. */
function addUpdates(event: ExecutionEvent, { variables }: ExecutionState, scopes: JsonObject): ExecutionEvent {
  let contextUpdates: Write[] | undefined;
  for (const scope in scopes) {
    const value = scopes[scope];
    if (value !== undefined && !isSameJson(variables[scope], value)) (contextUpdates ??= []).push({ path: [scope], value });
  }
  return contextUpdates === undefined ? event : { ...event, contextUpdates };
}

/** Answers the wait of an execution at its webhook, as its own version of the canvas has it (P14). */
function resume(
  record: ExecutionRecord,
  { executionId, nodeId, request }: Extract<LaneEvent, { readonly type: 'webhook' }>,
  given: Given,
): Decision {
  const { state } = record;
  const canvas = given.canvas(state.canvasHash);
  if (canvas === undefined) return { kind: 'missing', need: { kind: 'canvas', hash: state.canvasHash, isForEnd: false } };
  const { status, wait } = state;
  const standsAt = wait === undefined ? status : `${status} for ${wait.kind}`;
  if (canvas.webhook === undefined) throw new HiloError('EXECUTION_NOT_WAITING', { executionId: record.executionId, status: standsAt });
  const admission = admit(canvas.webhook, request);
  // The caller knows the one execution of a family that it named; its variables contain the root (VAR-07).
  const answer = { executionId, mode: 'resume', isNewExecution: false, respond: admission.respond };
  // Of many under `oneTimeOnly`, the first counts (P7, WEB-15).
  if (admission.oneTimeOnly && state.resumedOnce.includes(nodeId)) return { kind: 'unchanged', answer: { ...answer, ignored: true } };
  const isAwaited =
    status === 'waiting' &&
    canvas.webhook.id === nodeId &&
    (wait?.kind === 'external' || (wait?.kind === 'webhook' && wait.nodeId === nodeId));
  const brought = { via: nodeId, once: admission.oneTimeOnly, writes: admission.writes({ executionId: state.rootId, mode: 'resume' }) };
  const atMs = given.nowMs;
  if (wait !== undefined && isAwaited)
    return advanceUpdated(record, { type: 'webhook.received', waitId: wait.id, ...brought, atMs }, given, answer);
  const keeping = keepsRequest(record, canvas, brought, given);
  if (typeof keeping === 'object') return keeping;
  if (keeping === 'ignored') return { kind: 'unchanged', answer: { ...answer, ignored: true } };
  if (keeping !== 'kept') throw new HiloError('EXECUTION_NOT_WAITING', { executionId: record.executionId, status: standsAt });
  // Answered at once: the call that it comes back from may wait for the answer (WEB-24).
  const accepted = { ...answer, respond: 'onAccept' };
  return advance(record, { type: 'webhook.received', waitId: '', ...brought, isKept: true, atMs }, given, accepted);
}

/**
 * Answers the wait that an address stands for, or keeps the call for it, whatever the execution does before.
 *
 * @throws {HiloError} `EXECUTION_NOT_WAITING` where the wait is over, or never comes, `METHOD_NOT_ALLOWED`
 */
function resumeByAddress(
  record: ExecutionRecord,
  { executionId, nodeId, visit, request }: Extract<LaneEvent, { readonly type: 'webhook' }> & { readonly visit: number },
  given: Given,
): Decision {
  const { state } = record;
  const canvas = given.canvas(state.canvasHash);
  if (canvas === undefined) return { kind: 'missing', need: { kind: 'canvas', hash: state.canvasHash, isForEnd: false } };
  const judged = judgeClaim(canvas, state, { nodeId, visit });
  if (judged === 'gone') throw new HiloError('EXECUTION_NOT_WAITING', { executionId, status: state.status });
  const { writes, oneTimeOnly: once, respond } = admitCall(canvas, nodeId, request, state.rootId);
  const answer = { executionId, mode: 'resume', isNewExecution: false, respond };
  const brought = { via: nodeId, once, writes };
  const atMs = given.nowMs;
  const { wait } = state;
  if (judged === 'open' && wait !== undefined)
    return advanceUpdated(record, { type: 'webhook.received', waitId: wait.id, ...brought, atMs }, given, answer);
  if (!fitsKept(state, writes)) throw new HiloError('EXECUTION_NOT_WAITING', { executionId, status: state.status });
  const kept = { type: 'webhook.received', waitId: '', ...brought, visit, isKept: true, atMs } as const;
  return advance(record, kept, given, { ...answer, respond: 'onAccept' });
}

/** The event of a webhook request. @throws {HiloError} for an invalid request */
export function admit(node: CompiledNode, request: WebhookRequest): WebhookAdmission {
  const { entry } = node.definition;
  if (entry?.kind !== 'webhook') throw new HiloError('NODE_NOT_FOUND', { workflowId: '', nodeId: node.id });
  return entry.admit(node.config, request);
}

/** Quarantines an execution until an operator releases it (P17). Its canvas is not used: it may be unusable. */
function quarantine(record: ExecutionRecord, event: ExecutionEvent): Decision {
  if (!lifecycle[record.state.status].includes('execution.quarantined')) return { kind: 'unchanged', answer: null };
  const moved = quarantineNow(record, record.revision + 1, event);
  return { kind: 'decided', saves: [moved.after], history: moved.history, contacts: [], enqueue: [], moved: [moved], answer: null };
}

function quarantineNow(before: ExecutionRecord, revision: number, event: ExecutionEvent): Moved {
  const { companyId, executionId, state } = before;
  const after: ExecutionRecord = {
    ...before,
    revision,
    updatedAtMs: event.atMs,
    state: { ...state, status: 'quarantined', historySize: state.historySize + sizeOf(event) },
  };
  return { before, after, history: [{ companyId, executionId, revision, event, entries: [] }], detached: [] };
}

/** What is committed with the first advance of an execution. */
interface Beginning {
  /** The first record of its history. */
  readonly accepted?: HistoryRecord;
  /** The first record of one that begins where another stood. */
  readonly forked?: HistoryRecord;
  /** Events that follow in the same commit. */
  readonly others?: readonly ExecutionEvent[];
}

/** Events after which no node is visited: they apply to an execution, too, that the nodes of this release cannot run. */
const asksNoNode: ReadonlySet<ExecutionEvent['type']> = new Set(['execution.cancelled', 'execution.released']);

/**
 * Takes an execution from an event to its next halt. Most events need one transition; a jump, a child that cannot be called, a sent
 * event, or an effect with a known result adds another.
 */
function advance(
  record: ExecutionRecord,
  first: ExecutionEvent,
  given: Given,
  answer: Json,
  { accepted, forked, others = none }: Beginning = {},
): Decision {
  const { companyId, executionId } = record;
  const atMs = given.nowMs;
  const revision = record.revision + 1;
  let history: readonly HistoryRecord[] = forked === undefined ? none : [forked];
  let next = 0;
  let begun: readonly ExecutionRecord[] = none;
  let begunHistory: readonly HistoryRecord[] = none;
  let enqueue: Commit['enqueue'] = none;
  let hold: readonly HeldSignal[] = none;
  let detached: readonly EffectCall[] = none;
  let persistentWrites: readonly Write[] = none;
  let state = record.state;

  for (let event: ExecutionEvent | undefined = first; event !== undefined; ) {
    const hash: string = canvasOfEvent(event, state.canvasHash);
    const isForEnd = asksNoNode.has(event.type) && !('asks' in event);
    const canvas = given.canvas(hash, isForEnd);
    if (canvas === undefined) return { kind: 'missing', need: { kind: 'canvas', hash, isForEnd } };
    const logged = given.inspect === undefined ? given.transitions : undefined;
    const snapshot = logged === undefined ? runLogic(canvas, state, event, given.inspect) : logged.take(canvas, state, event);
    if (snapshot === undefined) return { kind: 'missing', need: { kind: 'turn' } };
    if (snapshot.state === state) break;
    const line = maskHistory({ companyId, executionId, revision, event, entries: snapshot.history }, canvas, state);
    history = concat(history, [line]);
    state = snapshot.state;
    persistentWrites = concat(persistentWrites, snapshot.persistentWrites);
    const led = engineConsequences(record, state, event, snapshot.requestedEffect, enqueue, given);
    if (led.kind === 'missing') return led;
    if (led.child !== undefined) {
      begun = concat(begun, [led.child.record]);
      begunHistory = concat(begunHistory, [led.child.history]);
    }
    enqueue = concat(enqueue, led.enqueue);
    if (led.held !== undefined) hold = [...hold, led.held];
    event = led.event ?? (finalStatuses.has(state.status) ? undefined : others[next++]);
    const { pending } = state;
    const known = event === undefined && pending !== undefined ? given.knownAnswer(pending.type) : undefined;
    if (pending !== undefined && known !== undefined) {
      detached = [...detached, createEffectCall(record, pending)];
      event = { type: 'effect.settled', key: pending.key, atMs, settled: { kind: 'result', value: known } };
    }
  }
  if (state === record.state && forked === undefined) return { kind: 'unchanged', answer };
  const after: ExecutionRecord = { ...record, version: versionAfter(record, first, given), revision, updatedAtMs: atMs, state };
  const decided: Decided = {
    kind: 'decided',
    saves: concat([after], begun),
    history: concat(accepted === undefined ? history : concat([accepted], history), begunHistory),
    contacts: collectContactChanges(state, persistentWrites, atMs),
    enqueue,
    ...(hold.length > 0 && { hold }),
    moved: [{ before: record, after, history, detached }],
    answer,
  };
  const { wait } = record.state;
  const leavesChild = wait?.childId !== undefined && state.wait?.id !== wait.id && first.type !== 'child.ended';
  const family = leavesChild ? cancelChild(wait.childId, decided, given) : decided;
  return state.status === 'failed' && family.kind === 'decided' ? reportFailure(record, after, family, given) : family;
}

/** The version that the record names: that of the workflow that it began in, whatever it has jumped into. */
function versionAfter({ version, workflowId }: ExecutionRecord, event: ExecutionEvent, given: Given): ExecutionRecord['version'] {
  if (event.type !== 'execution.migrated' || given.canvas(event.canvasHash)?.canvas.id !== workflowId) return version;
  return event.version;
}

/** Two decisions of one commit, with the answer of the first. */
export const joinDecisions = (first: Decided, second: Omit<Decided, 'kind' | 'answer'>): Decided => ({
  ...first,
  saves: [...first.saves, ...second.saves],
  history: [...first.history, ...second.history],
  contacts: [...first.contacts, ...second.contacts],
  enqueue: [...first.enqueue, ...second.enqueue],
  ...((first.hold !== undefined || second.hold !== undefined) && { hold: [...(first.hold ?? none), ...(second.hold ?? none)] }),
  moved: [...first.moved, ...second.moved],
});

/** Adds the start of the company's workflow for failures, where it has one. */
function reportFailure(before: ExecutionRecord, failed: ExecutionRecord, decided: Decided, given: Given): Decision {
  const report = startForFailure(before, failed, given);
  if (report.kind === 'missing') return report;
  const { child, enqueue } = report;
  if (child === undefined) return decided;
  return joinDecisions(decided, { saves: [child.record], history: [child.history], contacts: none, enqueue, moved: none });
}

/**
 * Cancels a child that its parent no longer waits for, with its own children, in the same advance (P18). So an execution has at most
 * one open child, far below the 1,000 of P16.
 */
function cancelChild(childId: string, decided: Decided, given: Given): Decision {
  const need = { kind: 'execution', executionId: childId } as const;
  const child = given.find(need);
  if (child === undefined) return { kind: 'missing', need };
  if (child === null || finalStatuses.has(child.state.status)) return decided;
  const cancelled = decide({ execution: child }, { type: 'execution.cancelled', reason: 'The execution that called it went on' }, given);
  if (cancelled.kind !== 'decided') return cancelled.kind === 'missing' ? cancelled : decided;
  // The caller of the cancel is not to be informed of it.
  const enqueue = cancelled.enqueue.filter(({ accepted }) => accepted.kind !== 'child.ended');
  return joinDecisions(decided, { ...cancelled, enqueue });
}

/** The contact changes of an execution's persistent writes. */
function collectContactChanges(
  { origin: { companyId, botId, userId }, variables }: ExecutionState,
  writes: readonly Write[],
  nowMs: number,
): readonly ContactChange[] {
  if (writes.length === 0 || botId === undefined || userId === undefined) return none;
  const memory: Record<string, { readonly value: Json; readonly expiresAtMs: number | null } | null> = {};
  const fields: Record<string, Json> = {};
  let windowUntilMs: number | undefined;
  for (const { path, value: written, ttlMs } of writes) {
    const [scope, name = '', field] = path;
    if (scope === '$user' && name === 'fields' && field !== undefined) {
      fields[String(field)] = getPath(variables, ['$user', 'fields', field]) ?? null;
      continue;
    }
    const value = getPath(variables, [scope ?? '', name]) ?? written;
    if (scope === '$memory')
      memory[String(name)] = value === undefined ? null : { value, expiresAtMs: ttlMs === undefined ? null : nowMs + ttlMs };
    else if (name === 'windowUntilMs' && typeof value === 'number') windowUntilMs = value;
  }
  const isFieldSet = Object.keys(fields).length > 0;
  return [
    { companyId, botId, userId, memory, ...(windowUntilMs === undefined ? {} : { windowUntilMs }), ...(isFieldSet ? { fields } : {}) },
  ];
}

/** An effect with the context for its driver. */
export const createEffectCall = (
  { executionId, parent, state: { origin } }: ExecutionRecord,
  { key, type, request, nodeId, attempt, limitMs, limitCause }: PendingEffect,
): EffectCall => ({ key, type, request, nodeId, attempt, limitMs, limitCause, executionId, parentId: parent?.executionId, origin });
