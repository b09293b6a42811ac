// Where an execution halts: at an effect, at a wait, or before it is tried again.
import type { CompiledNode } from '../canvas/compile.ts';
import type { HeldUser, OpenVisit, OpenWait, PendingEffect } from '../contract/execution.ts';
import type { Failure } from '../contract/problem.ts';
import { limits } from '../contract/limits.ts';
import type { Perform } from '../contract/node.ts';
import { backoffMs } from '../contract/retry.ts';
import type { WaitKind, WaitRequest } from '../contract/wait.ts';
import type { Json } from '../contract/json.ts';
import { childId, effectKey, jitter } from './deterministic-ids.ts';
import { takeKeptRequest } from './kept-requests.ts';
import { type Step, type TransitionContext, describeCause, record, halt } from './transition-context.ts';

/** Records the intent of an effect (P3, P4): the execution halts until its result is recorded. */
export function suspendAtEffect(context: TransitionContext, node: CompiledNode, visit: OpenVisit, perform: Perform): Step {
  const { state } = context;
  const { effect, recorded } = perform;
  const { keyed } = visit;
  const owner = keyed !== undefined && visit.results.length <= keyed.through ? keyed.executionId : state.executionId;
  const key = effectKey(owner, node.id, visit.number, visit.results.length);
  const hold = openHold(context, visit, perform);
  context.requestedEffect = effect;
  state.status = 'running';
  state.visit = hold === undefined ? visit : { ...visit, hold };
  const { limitMs, limitCause } = chooseLimit(perform);
  const pending = { key, nodeId: node.id, attempt: visit.attempt, type: effect.type, request: effect.request, limitMs, limitCause };
  state.pending = hold === undefined ? pending : { ...pending, hold };
  record(context, node, visit, {
    effect: node.common.mask ? { type: effect.type, key } : { type: effect.type, key, request: recorded ?? effect.request },
  });
  return halt;
}

/** The time limit of the effect, and the cause when it is exceeded. */
function chooseLimit({ deadline }: Perform): Pick<PendingEffect, 'limitMs' | 'limitCause'> {
  if (deadline === undefined) return commonLimit;
  const { appliedMs: limitMs, cause, details } = deadline;
  const limitCause = { cause, message: `No answer within ${limitMs} ms` };
  return { limitMs, limitCause: details === undefined ? limitCause : { ...limitCause, details } };
}

/** How long an effect may take that has no deadline. */
export const commonLimit: Pick<PendingEffect, 'limitMs' | 'limitCause'> = {
  limitMs: limits.effectMs,
  limitCause: { cause: 'TIMEOUT', message: `No answer within ${limits.effectMs} ms` },
};

/** The visit's hold: its cap counts from the first effect, across retries (RET-01). */
function openHold({ atMs }: TransitionContext, visit: OpenVisit, { hold }: Perform): HeldUser | undefined {
  if (visit.hold !== undefined || hold === undefined) return visit.hold;
  const { capMs, onMessage, reply } = hold;
  const until = { untilMs: atMs + capMs, onMessage };
  return reply === undefined ? until : { ...until, reply: { type: reply.type, request: reply.request } };
}

/** Parks the execution. A session that ends before the wait's own time-out ends the execution instead. */
export function suspendAtWait(context: TransitionContext, node: CompiledNode, visit: OpenVisit, { effect }: Perform): Step {
  const request = effect.request as unknown as WaitRequest;
  const id = `${node.id}#${visit.number}.${visit.attempt}.${visit.results.length}`;
  const { keptRequests } = context.state;
  const early = keptRequests === undefined ? undefined : takeKeptRequest(context.canvas, keptRequests, request.kind, visit);
  if (early !== undefined) return goOnWith(context, node, visit, request.kind, early);
  const ownDueMs = request.kind === 'timer' ? request.dueAtMs : request.dueInMs === undefined ? null : context.atMs + request.dueInMs;
  context.requestedEffect = effect;
  return park(context, node, visit, {
    id,
    kind: request.kind,
    nodeId: node.id,
    openedAtMs: context.atMs,
    ...chooseDueTime(context, request.kind, ownDueMs),
    takesReply: request.kind === 'reply' || ('isInterruptible' in request && request.isInterruptible),
    ...(request.kind === 'event' ? { correlation: { name: request.name, value: request.correlation } } : {}),
    ...(request.kind === 'handoff' || request.kind === 'payment' ? { correlation: { name: request.kind, value: request.key } } : {}),
    ...(request.kind === 'child' ? { childId: childId(context.state, id) } : {}),
  });
}

/** Answers a wait by a request that came before it: it is over in the moment in which it begins. */
function goOnWith(
  context: TransitionContext,
  node: CompiledNode,
  visit: OpenVisit,
  kind: WaitKind,
  { request: { via, once, writes }, others }: NonNullable<ReturnType<typeof takeKeptRequest>>,
): Step {
  const { state } = context;
  record(context, node, visit, { wait: { kind, dueAtMs: null } });
  state.keptRequests = others.length === 0 ? undefined : others;
  if (once) state.resumedOnce = [...state.resumedOnce, via];
  state.visitsSinceWait = 0;
  const value = { kind: 'request', writes } as unknown as Json;
  state.visit = { ...visit, results: [...visit.results, { kind: 'result', value }] };
  return node;
}

/** A child continues the session: it has its own waits and expiry. */
function chooseDueTime({ canvas, atMs }: TransitionContext, kind: WaitKind, ownDueMs: number | null): Pick<OpenWait, 'dueAtMs' | 'onDue'> {
  const session = canvas.sessionExpiryMs;
  if (session === undefined || kind === 'child' || (ownDueMs !== null && ownDueMs <= atMs + session))
    return { dueAtMs: ownDueMs, onDue: 'timeout' };
  return { dueAtMs: atMs + session, onDue: 'expire' };
}

/** Parks the execution until its node is tried again, with the same idempotency keys. */
export function suspendForRetry(
  context: TransitionContext,
  node: CompiledNode,
  visit: OpenVisit,
  failure: Failure,
  retry: NonNullable<CompiledNode['common']['retry']>,
): Step {
  context.state.pending = undefined;
  context.state.visit = visit;
  const id = `${node.id}#${visit.number}.${visit.attempt}.retry`;
  const wait = {
    id,
    kind: 'retry',
    nodeId: node.id,
    openedAtMs: context.atMs,
    dueAtMs: context.atMs + pauseMs(context.state.seed, node.id, visit, failure, retry),
    onDue: 'timeout',
    takesReply: false,
  } as const;
  return park(context, node, visit, wait, failure);
}

/**
 * How long the node pauses: a random share of its delay, so that retries after a common fault are spread; and at least the
 * `retryAfterMs` of the refusal, unless that exceeds the longest pause of the node (P24).
 */
function pauseMs(
  seed: string,
  nodeId: string,
  { number, attempt }: OpenVisit,
  { details }: Failure,
  { delay, factor, maxDelay, jitter: kind }: NonNullable<CompiledNode['common']['retry']>,
): number {
  const share = kind === 'none' ? 1 : jitter(seed, nodeId, number, attempt);
  const ownMs = backoffMs({ firstMs: delay, factor, longestMs: maxDelay }, attempt, share);
  const askedMs = details?.['retryAfterMs'];
  const atLeastMs = typeof askedMs === 'number' ? Math.min(Math.ceil(askedMs), maxDelay) : 0;
  return Math.max(Math.round(ownMs), atLeastMs); // stores keep due times as whole milliseconds
}

function park(context: TransitionContext, node: CompiledNode, visit: OpenVisit, wait: OpenWait, failure?: Failure): Step {
  context.state.status = 'waiting';
  context.state.wait = wait;
  const told = failure === undefined ? {} : describeCause(failure);
  record(context, node, visit, { wait: { kind: wait.kind, dueAtMs: wait.dueAtMs }, ...told });
  return halt;
}
