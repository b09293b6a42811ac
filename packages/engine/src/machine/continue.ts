// An execution that continues another: what it begins with, and how it goes on from there. Pure, for retries and forks alike.
import type { CompiledCanvas } from '../canvas/compile.ts';
import type { ExecutionEvent } from '../contract/event.ts';
import type { ExecutionState, HeldUser, OpenVisit, Settled } from '../contract/execution.ts';
import { isJsonObject } from '../contract/json.ts';
import type { Verdict } from '../contract/migration.ts';
import type { ExecutionForked, ExecutionRecord, HistoryRecord } from '../contract/store.ts';
import type { Write } from '../contract/variables.ts';
import { readDefaults } from '../variables/declared.ts';
import { countedSize } from '../variables/view.ts';
import type { ForkEvent } from './decide.ts';
import { childId } from './deterministic-ids.ts';
import { describeOutcome, isSameWait, judgeFills, openOutcome, type PreparedMigration, refuse, refuseWebhook } from './migrate.ts';
import { isExecutionEvent } from './replay.ts';

/** How an execution goes on from the state that it begins with. */
export type GoesOn =
  /** It waits as it did; `shiftMs` later than then. */
  | { readonly kind: 'waits'; readonly shiftMs: number }
  /** Its node asks again for what it was at. `keeps`: under the key that it had. */
  | { readonly kind: 'asks'; readonly keeps: boolean }
  /** The event that it had then has its consequence once more. */
  | { readonly kind: 'event'; readonly event: ExecutionEvent }
  | { readonly kind: 'enters'; readonly nodeId: string }
  /** Nothing had happened yet. */
  | { readonly kind: 'begins'; readonly event: Extract<ExecutionEvent, { readonly type: 'execution.started' }> }
  /** It waits for its child, which is continued with it. */
  | { readonly kind: 'child'; readonly childId: string };

/** What a retry leaves to its caller. */
export interface RetryChoice {
  readonly effect: 'auto' | 'repeat' | 'keep';
  readonly keys: 'auto' | 'new' | 'same';
}

/**
 * How an execution that ended otherwise than completed goes on. What failed decides what is repeated: an effect by whose answer its node
 * failed is performed again; after any other failure the same event, with the answer that it brought, has its consequence again.
 *
 * @param before - the state before the last record of its history
 * @param nowMs - an open wait begins again
 * @returns nothing where it had not begun, and what it was to begin by is not known
 */
export function chooseRetry(
  { state: { status, ending } }: ExecutionRecord,
  last: HistoryRecord,
  before: ExecutionState,
  canvas: CompiledCanvas,
  { effect, keys }: RetryChoice,
  nowMs: number,
): GoesOn | undefined {
  const { event } = last;
  if (!isExecutionEvent(event)) return undefined;
  if (before.visit === undefined) return event.type === 'execution.started' ? { kind: 'begins', event } : undefined;
  if (status !== 'failed') return standAgain(before, keys !== 'new', nowMs);
  switch (event.type) {
    case 'effect.settled': {
      const { settled } = event;
      if (effect === 'keep' || (effect === 'auto' && !hasFailedBy(canvas, before, before.visit, settled, ending?.failure?.nodeId)))
        return { kind: 'event', event };
      return { kind: 'asks', keeps: keys === 'same' || (keys === 'auto' && readOutcome(settled) === 'unknown') };
    }
    case 'child.ended':
      if (event.result['kind'] !== 'failed' || before.wait?.childId === undefined) return { kind: 'event', event };
      return { kind: 'child', childId: before.wait.childId };
    case 'execution.migrated':
      return event.enter === undefined ? standAgain(before, true, nowMs) : { kind: 'enters', nodeId: event.enter };
    case 'canvas.entered':
    case 'execution.released':
      return { kind: 'asks', keeps: true };
    default:
      return { kind: 'event', event };
  }
}

/** Where it was when it ended: its wait has its whole time again, and an effect that was under way may have happened. */
function standAgain({ wait }: ExecutionState, keeps: boolean, nowMs: number): GoesOn {
  if (wait === undefined) return { kind: 'asks', keeps };
  if (wait.childId !== undefined) return { kind: 'child', childId: wait.childId };
  return { kind: 'waits', shiftMs: nowMs - wait.openedAtMs };
}

/** Failures of a visit that its node's expressions and code are the cause of, and no answer. */
const ownCauses: ReadonlySet<string> = new Set(['EXPRESSION', 'NODE_FAILED', 'INVALID_DURATION', 'INVALID_TIME_ZONE', 'INVALID_LOCALE']);

/** Whether the node that asked for an effect failed by its answer. */
function hasFailedBy(
  canvas: CompiledCanvas,
  state: ExecutionState,
  visit: OpenVisit,
  settled: Settled,
  failedAt: string | undefined,
): boolean {
  if (failedAt !== visit.nodeId) return false;
  if (settled.kind === 'failure') return true;
  const outcome = openOutcome(canvas, state, { ...visit, results: [...visit.results, settled] });
  if (outcome?.kind !== 'leave' || outcome.port !== 'error') return false;
  return outcome.failure === undefined ? canvas.nodes.get(visit.nodeId)?.takesErrors === true : !ownCauses.has(outcome.failure.cause);
}

/** `unknown`: it may have happened (P5). Some results carry that themselves. */
function readOutcome(settled: Settled): unknown {
  if (settled.kind === 'failure') return settled.outcome;
  return isJsonObject(settled.value) ? settled.value['outcome'] : undefined;
}

/** Whether the effect that was answered last may have happened without an answer. */
export function isLastUnknown(history: readonly HistoryRecord[]): boolean {
  const last = history.findLast(({ event }) => event.type === 'effect.settled');
  return last?.event.type === 'effect.settled' && readOutcome(last.event.settled) === 'unknown';
}

/**
 * How a copy goes on that is made before an event.
 *
 * @param event - none behind the last
 * @param nowMs - an open wait has left what it had then
 * @returns nothing where it had not begun, and did not begin by this event
 */
export function chooseFork(
  before: ExecutionState,
  event: HistoryRecord['event'] | undefined,
  enter: string | undefined,
  nowMs: number,
): GoesOn | undefined {
  if (enter !== undefined && before.visit !== undefined) return { kind: 'enters', nodeId: enter };
  if (before.visit === undefined) return event?.type === 'execution.started' ? { kind: 'begins', event } : undefined;
  if (before.wait === undefined) return { kind: 'asks', keeps: false };
  if (before.wait.childId !== undefined) return { kind: 'child', childId: before.wait.childId };
  return { kind: 'waits', shiftMs: nowMs - (event?.atMs ?? nowMs) };
}

/** Who an execution that continues another is. */
export interface NewIdentity {
  readonly executionId: string;
  readonly rootId: string;
  readonly seed: string;
  readonly parent?: ExecutionRecord['parent'] & {};
}

/** An execution that continues another, and the events by which it goes on. */
export interface Continuation {
  readonly execution: ExecutionRecord;
  readonly forked: ExecutionForked;
  readonly events: readonly ForkEvent[];
}

/** Where a continuation comes to. `prepared`: only where its version is another, or a value is given. */
export interface Target {
  readonly canvas: CompiledCanvas;
  readonly version: number | 'draft';
  readonly prepared: PreparedMigration | undefined;
}

/** What a continuation is made of. */
interface ContinuationParts {
  readonly original: ExecutionRecord;
  /** The index of the event before which it begins. */
  readonly index: number;
  readonly before: ExecutionState;
  readonly goesOn: GoesOn;
  /** The outcome of the attempt before an open pause is not known. */
  readonly isUnknown: boolean;
  readonly identity: NewIdentity;
  readonly target: Target;
  /** On whose behalf. */
  readonly because: Pick<ExecutionForked, 'by' | 'job'>;
  readonly nowMs: number;
}

/**
 * Makes the execution that continues another: the same visit, results, memos and variables under a new identity.
 *
 * @returns a verdict where it cannot stand in its version
 */
export function continueExecution(parts: ContinuationParts): Continuation | Extract<Verdict, { readonly kind: 'needs' | 'refused' }> {
  const { original, index, before, goesOn, identity, target, because, nowMs } = parts;
  const verdict = target.prepared === undefined ? undefined : judgeContinuation(target.prepared, before, goesOn, nowMs);
  if (verdict?.kind === 'needs' || verdict?.kind === 'refused') return verdict;
  const fills = verdict !== undefined && 'fills' in verdict ? verdict.fills : [];
  const migrated = listMigration(parts, fills);
  const state = standAs(parts, migrated.length > 0);
  const { executionId, parent } = identity;
  const { companyId, workflowId, lane, version } = original;
  const isMoved = goesOn.kind === 'begins' && original.workflowId === target.canvas.canvas.id;
  const record = { executionId, companyId, workflowId, version: isMoved ? target.version : version, revision: 0, lane };
  return {
    execution: { ...record, ...(parent !== undefined && { parent }), createdAtMs: nowMs, updatedAtMs: nowMs, state },
    forked: {
      type: 'execution.forked',
      from: { executionId: original.executionId, index, version },
      state,
      ...because,
      atMs: nowMs,
    },
    events: [...migrated, ...listEvents(goesOn, before, migrated.length > 0)],
  };
}

/** The event that takes it to its version, or to another node. One that has not begun begins there. */
function listMigration({ original, before, goesOn, target, because }: ContinuationParts, fills: readonly Write[]): readonly ForkEvent[] {
  const isOwn = target.canvas.canvas.id === original.workflowId;
  const isElsewhere =
    goesOn.kind !== 'begins' && (target.canvas.hash !== before.canvasHash || (isOwn && target.version !== original.version));
  if (!isElsewhere && goesOn.kind !== 'enters' && fills.length === 0) return [];
  return [
    {
      type: 'execution.migrated',
      canvasHash: target.canvas.hash,
      version: target.version,
      from: { canvasHash: before.canvasHash, version: original.version },
      ...(fills.length > 0 && { writes: fills }),
      ...(goesOn.kind === 'enters' && { enter: goesOn.nodeId }),
      ...because,
    },
  ];
}

/** How it goes on in its version. @param isStopped - it was stopped to be migrated */
function listEvents(goesOn: GoesOn, { wait }: ExecutionState, isStopped: boolean): readonly ForkEvent[] {
  switch (goesOn.kind) {
    case 'waits':
    case 'child':
    case 'enters':
      return [];
    case 'asks':
      return [{ type: 'execution.released', asks: true }];
    case 'begins':
    case 'event': {
      // What changed outside has changed again since.
      const { contextUpdates: _updates, atMs: _at, ...event } = goesOn.event;
      return isStopped && wait === undefined ? [{ type: 'execution.released' }, event] : [event];
    }
  }
}

/** The state that it begins with. @param isStopped - it is to be migrated first: possible only where nothing is under way */
function standAs({ original, before, goesOn, isUnknown, identity, target, nowMs }: ContinuationParts, isStopped: boolean): ExecutionState {
  const { executionId, rootId, seed } = identity;
  const { $context } = before.variables;
  const isBeginning = goesOn.kind === 'begins' && target.canvas.hash !== before.canvasHash;
  const context = isBeginning ? readDefaults(target.canvas.canvas.variables) : isJsonObject($context) ? $context : {};
  const variables = { ...before.variables, $context: { ...context, executionId: rootId } };
  const grown = isBeginning ? countedSize(variables) - before.variablesSize : rootId.length - before.rootId.length;
  const born: ExecutionState = {
    ...before,
    executionId,
    rootId,
    seed,
    depth: identity.parent === undefined ? 0 : before.depth,
    canvasHash: isBeginning ? target.canvas.hash : before.canvasHash,
    variables,
    variablesSize: before.variablesSize + grown,
    forkedFrom: original.executionId,
  };
  switch (goesOn.kind) {
    case 'waits':
      return shift(born, original.executionId, goesOn.shiftMs, isUnknown);
    case 'child':
      return {
        ...born,
        status: 'waiting',
        wait: born.wait && { ...born.wait, openedAtMs: nowMs, childId: childId({ executionId, seed }, born.wait.id) },
      };
    case 'asks':
      return {
        ...born,
        status: 'quarantined',
        wait: undefined,
        pending: undefined,
        visit: keyVisit(born, original.executionId, goesOn.keeps, 0),
      };
    case 'enters':
      return { ...born, status: 'quarantined', wait: undefined, pending: undefined };
    case 'begins':
      return { ...born, status: isStopped ? 'quarantined' : 'running' };
    case 'event':
      return { ...born, status: born.wait !== undefined ? 'waiting' : isStopped ? 'quarantined' : 'running' };
  }
}

/** An open wait with the time that it is to have. */
function shift(born: ExecutionState, originalId: string, byMs: number, isUnknown: boolean): ExecutionState {
  const { wait, visit } = born;
  if (wait === undefined || visit === undefined) return born;
  const { dueAtMs } = wait;
  return {
    ...born,
    status: 'waiting',
    wait: { ...wait, openedAtMs: wait.openedAtMs + byMs, dueAtMs: dueAtMs === null ? null : dueAtMs + byMs },
    visit: keyVisit(born, originalId, wait.kind === 'retry' && isUnknown, byMs),
  };
}

/** The open visit, whose next effect has the key that it had, if it is to keep it. */
function keyVisit({ visit }: ExecutionState, originalId: string, keeps: boolean, holdsLaterMs: number): OpenVisit | undefined {
  if (visit === undefined) return undefined;
  const { keyed: known, hold, ...open } = visit;
  const held: HeldUser | undefined = hold && { ...hold, untilMs: hold.untilMs + holdsLaterMs };
  const executionId = known !== undefined && visit.results.length <= known.through ? known.executionId : originalId;
  return {
    ...open,
    ...(held !== undefined && { hold: held }),
    ...(keeps && { keyed: { executionId, through: visit.results.length } }),
  };
}

/** Whether a continuation can stand in another version, and what is written where it has no value. */
function judgeContinuation(prepared: PreparedMigration, state: ExecutionState, goesOn: GoesOn, nowMs: number): Verdict {
  const { before, after, comparison, migration, setters } = prepared;
  const { visit, wait } = state;
  if (goesOn.kind === 'enters')
    return after.nodes.has(goesOn.nodeId)
      ? judgeFills(prepared, state, goesOn.nodeId, nowMs, (fills) => ({ kind: 'enters', nodeId: goesOn.nodeId, fills }))
      : refuse('NODE_GONE', `There is no node "${goesOn.nodeId}" to enter in version ${migration.to}: name one that is`);
  if (goesOn.kind === 'begins') {
    const { entry } = goesOn.event;
    if (!after.nodes.has(entry))
      return refuse('NODE_GONE', `It began at "${entry}", which is not in version ${migration.to}: start that version instead`);
    if (setters.length === 0) return { kind: 'same' };
    return judgeFills(prepared, state, entry, nowMs, (fills) => ({ kind: 'enters', nodeId: entry, fills }));
  }
  if (visit === undefined) return { kind: 'same' };
  const difference = comparison.differenceFrom(visit.nodeId, state.isCaught);
  if (difference === undefined && setters.length === 0) return { kind: 'same' };
  const isForWebhook = wait?.kind === 'webhook' || wait?.kind === 'external';
  if (isForWebhook && before.webhook?.id !== after.webhook?.id) return refuseWebhook(prepared);
  return (
    judgeStand(prepared, state, visit, goesOn) ??
    judgeFills(prepared, state, visit.nodeId, nowMs, (fills) =>
      difference === undefined ? { kind: 'enters', nodeId: visit.nodeId, fills } : { kind: 'changed', difference, fills },
    )
  );
}

/** Why the open visit of a continuation cannot go on in another version; nothing where it can. */
function judgeStand(
  { before, after, comparison, migration: { to } }: PreparedMigration,
  state: ExecutionState,
  visit: OpenVisit,
  goesOn: GoesOn,
): Verdict | undefined {
  const { nodeId } = visit;
  const instead = `make a copy that enters another: fork with "enter"`;
  const local = comparison.local.get(nodeId);
  if (local === undefined) return undefined;
  if (local.kind === 'gone') return refuse('NODE_GONE', `Node "${nodeId}", where it stood, is not in version ${to}: ${instead}`, [nodeId]);
  const isAttempted = goesOn.kind === 'asks' ? goesOn.keeps : state.wait?.kind === 'retry';
  if (isAttempted && local.kind !== 'port')
    return refuse(
      'RETRY_OPEN',
      `"${nodeId}" is asked again under the same idempotency key, and its request differs in version ${to}. Take a new key (keys: "new"), or ${instead}`,
      [nodeId],
    );
  if (state.wait?.kind === 'retry') return undefined;
  const [was, is] = [openOutcome(before, state, visit), openOutcome(after, state, visit)];
  const isWaiting = state.wait !== undefined && goesOn.kind !== 'asks';
  if (goesOn.kind === 'asks' && (visit.results.length === 0 || local.kind !== 'type')) return undefined;
  const asksSame = was?.kind === 'perform' && is?.kind === 'perform' && was.effect.type === is.effect.type;
  if (isWaiting ? isSameWait(was, is) : asksSame && goesOn.kind === 'event') return undefined;
  return refuse(
    'WAIT_DIFFERS',
    `At "${nodeId}" version ${to} would not stand as this execution did: it ${describeOutcome(is, was)}. To go on, ${instead}`,
    [nodeId],
  );
}
