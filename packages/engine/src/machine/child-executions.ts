// Starts of executions by others, and what the end of a child means to its parent.
import type { CompiledCanvas } from '../canvas/compile.ts';
import type { EffectRequest } from '../contract/effect.ts';
import type { ExecutionEvent } from '../contract/event.ts';
import type { ExecutionState, PendingEffect, Settled } from '../contract/execution.ts';
import { isJsonObject, type JsonObject } from '../contract/json.ts';
import type { Failure } from '../contract/problem.ts';
import { limits } from '../contract/limits.ts';
import type { Commit, ExecutionRecord, HeldSignal } from '../contract/store.ts';
import type { SentEvent, WaitRequest } from '../contract/wait.ts';
import { measure } from '../variables/measure.ts';
import { getPath } from '../variables/path.ts';
import { childId, childSeed } from './deterministic-ids.ts';
import { finalStatuses } from './lifecycle.ts';
import { laneOf, createExecution, type NewExecutionRecord } from './new-execution.ts';
import type { CallTarget, Missing, Reads } from './reads.ts';
import { DateTime } from 'luxon';

/** What a transition leads to beyond its own execution, in the same commit (P18). */
export interface Consequences {
  readonly kind: 'consequences';
  /** An execution that begins: a child, or that of the failure workflow. */
  readonly child: NewExecutionRecord | undefined;
  readonly enqueue: readonly Commit['enqueue'][number][];
  /** A signal that nothing waits for, and that is to be held. */
  readonly held?: HeldSignal;
  /** What happens next to the same execution, before anything is committed. */
  readonly event: ExecutionEvent | undefined;
}

/** Effects without a driver: the engine answers them, in the commit that requests them. */
const engineEffects: ReadonlySet<string> = new Set(['flow.jump', 'wait.child', 'event.send']);

const nothing: Consequences = { kind: 'consequences', child: undefined, enqueue: [], event: undefined };

/**
 * Starts the child, enters the other canvas, informs the parent, or delivers an event to waiting executions.
 *
 * @param enqueued - items that the same commit queues already
 */
export function engineConsequences(
  record: ExecutionRecord,
  after: ExecutionState,
  event: ExecutionEvent,
  requested: EffectRequest | undefined,
  enqueued: Commit['enqueue'],
  reads: Reads,
): Consequences | Missing {
  const { companyId, lane, parent } = record;
  if (parent === undefined && (requested === undefined || !engineEffects.has(requested.type))) return nothing;
  if (parent !== undefined && finalStatuses.has(after.status)) {
    const ended = {
      kind: 'child.ended',
      executionId: parent.executionId,
      waitId: parent.waitId,
      result: describeResult(reads, after),
      from: after.executionId,
    } as const;
    return { ...nothing, enqueue: [{ companyId, lane, acceptedAtMs: event.atMs, accepted: ended }] };
  }
  const { pending } = after;
  if (pending?.type === 'flow.jump' && requested?.type === 'flow.jump') return enterCanvas(record, pending, event.atMs, reads);
  if (pending?.type === 'event.send' && requested?.type === 'event.send') return sendEvent(record, pending, event.atMs, enqueued, reads);
  if (after.wait?.kind === 'child' && requested?.type === 'wait.child') return callChild(record, after, requested, event.atMs, reads);
  return nothing;
}

/** The result for the parent. `webhook` is the request of a webhook node that inherits (WEB-17). */
function describeResult(reads: Reads, { status, ending, canvasHash, variables }: ExecutionState): JsonObject {
  const webhook = readInheritedWebhook(reads.canvas(canvasHash), variables);
  if (status === 'completed') return { kind: 'completed', outputs: ending?.outputs ?? {}, webhook };
  return {
    kind: 'failed',
    cause: ending?.failure?.cause ?? status.toUpperCase(),
    message: ending?.failure?.message ?? `The child ended as ${status}`,
    ...(ending?.failure !== undefined && { details: describeOrigin(ending.failure, variables) }),
    webhook,
  };
}

/** The fields of a child's cause, and the node and attempt that it failed at. */
function describeOrigin({ cause, details, nodeId }: Failure & { readonly nodeId?: string }, { $error }: JsonObject): JsonObject {
  const last = isJsonObject($error) && $error['cause'] === cause && $error['nodeId'] === nodeId ? $error : {};
  const attempt = last['attempt'];
  return { ...details, ...(nodeId !== undefined && { nodeId }), ...(attempt !== undefined && { attempt }) };
}

function readInheritedWebhook(canvas: CompiledCanvas | undefined, { $webhook }: JsonObject): JsonObject {
  const { config, definition } = canvas?.webhook ?? {};
  const name = definition?.entry?.kind === 'webhook' ? definition.entry.handsBack?.(config) : undefined;
  const data = name === undefined || !isJsonObject($webhook) ? undefined : getPath($webhook, [name]);
  return name === undefined || data === undefined ? {} : { [name]: data };
}

/** Makes the child part of the parent's own transaction; a child that cannot be called has failed at once. */
function callChild(
  parent: ExecutionRecord,
  state: ExecutionState,
  requested: EffectRequest,
  atMs: number,
  reads: Reads,
): Consequences | Missing {
  const request = requested.request as unknown as Extract<WaitRequest, { readonly kind: 'child' }>;
  const waitId = state.wait?.id ?? '';
  const failed = (cause: string, message: string): Consequences => ({
    ...nothing,
    event: { type: 'child.ended', waitId, atMs, result: { kind: 'failed', cause, message, webhook: {} } },
  });
  if (state.depth + 1 > limits.childDepth) return failed('CHILD_DEPTH_EXCEEDED', `Children are nested more than ${limits.childDepth} deep`);
  const need = { kind: 'workflow', target: resolveTarget(parent, request) } as const;
  const called = reads.find(need);
  if (called === undefined) return { kind: 'missing', need };
  if ('cause' in called) return failed(called.cause, called.message);
  const webhook = isJsonObject(state.variables['$webhook']) ? state.variables['$webhook'] : {};
  const child = createExecution({
    executionId: state.wait?.childId ?? '',
    rootId: state.rootId,
    seed: childSeed(state.seed, waitId),
    origin: state.origin,
    depth: state.depth + 1,
    lane: parent.lane,
    version: called.version,
    canvas: called.canvas,
    variables: { ...pickExternalScopes(state.variables), $webhook: webhook }, // a copy (WEB-17)
    atMs,
    parent: { executionId: parent.executionId, waitId },
  });
  const start = {
    kind: 'child.start',
    executionId: child.record.executionId,
    entry: called.entry,
    trigger: { kind: 'call', inputs: request.inputs, webhook },
  } as const;
  const enqueue = [{ companyId: parent.companyId, lane: parent.lane, acceptedAtMs: atMs, accepted: start }];
  return { kind: 'consequences', child, enqueue, event: undefined };
}

/** Queues an event for each execution that waits for it: it has its turn in the lane of each, as any other event has (P9). */
function sendEvent(
  { companyId, executionId: from }: ExecutionRecord,
  { key, request }: PendingEffect,
  atMs: number,
  enqueued: Commit['enqueue'],
  reads: Reads,
): Consequences | Missing {
  const { name, correlation, payload, ttlMs = 0 } = request as unknown as SentEvent;
  const answer = (settled: Settled): ExecutionEvent => ({ type: 'effect.settled', key, atMs, settled });
  const size = measure(payload);
  if (size.kind === 'refused') {
    const failure = { cause: 'VALUE_TOO_LARGE', message: `The payload of the event is refused: ${size.reason}` };
    return { ...nothing, event: answer({ kind: 'failure', outcome: 'failed', failure }) };
  }
  const need = { kind: 'waits', name, correlation } as const;
  const waiting = reads.find(need);
  if (waiting === undefined) return { kind: 'missing', need };
  // A wait that an earlier event of this commit is for is as good as answered.
  const isTaken = (executionId: string, waitId: string): boolean =>
    enqueued.some(({ accepted: one }) => one.kind === 'event' && one.executionId === executionId && one.waitId === waitId);
  const enqueue = waiting.flatMap(({ executionId, lane, state: { wait } }) =>
    wait?.kind !== 'event' || isTaken(executionId, wait.id)
      ? []
      : [{ companyId, lane, acceptedAtMs: atMs, accepted: { kind: 'event' as const, executionId, waitId: wait.id, payload, from } }],
  );
  const sent = answer({ kind: 'result', value: { waits: enqueue.length } });
  if (enqueue.length > 0 || ttlMs === 0) return { ...nothing, enqueue, event: sent };
  const counting = { kind: 'heldSignals' } as const;
  const count = reads.find(counting);
  if (count === undefined) return { kind: 'missing', need: counting };
  if (count !== null && count < limits.heldSignals.count) {
    const held = { companyId, id: key, name, correlation, payload, heldAtMs: atMs, untilMs: atMs + ttlMs };
    return { ...nothing, held, event: sent };
  }
  const message =
    count === null ? 'The store of this engine holds no signals' : `The company holds ${count} signals already, as many as it may`;
  return { ...nothing, event: answer({ kind: 'failure', outcome: 'failed', failure: { cause: 'TOO_MANY_SIGNALS', message } }) };
}

/** Picks the scopes that a child and a failure workflow begin with: those from outside, the last message, and the campaign. */
const pickExternalScopes = (variables: JsonObject): JsonObject =>
  Object.fromEntries(
    ['$user', '$memory', '$bot', '$company', '$message', '$campaign'].flatMap((scope) =>
      variables[scope] === undefined ? [] : [[scope, variables[scope]]],
    ),
  );

/** Resolves a jump: the same execution continues in the other canvas. */
function enterCanvas(record: ExecutionRecord, { key, request }: PendingEffect, atMs: number, reads: Reads): Consequences | Missing {
  const target = resolveTarget(record, request as unknown as { readonly workflowId: string; readonly version?: number });
  const need = { kind: 'workflow', target } as const;
  const called = reads.find(need);
  if (called === undefined) return { kind: 'missing', need };
  if (!('cause' in called))
    return { ...nothing, event: { type: 'canvas.entered', key, atMs, canvasHash: called.canvas.hash, entry: called.entry } };
  return { ...nothing, event: { type: 'effect.settled', key, atMs, settled: { kind: 'failure', outcome: 'failed', failure: called } } };
}

const resolveTarget = (
  caller: ExecutionRecord,
  { workflowId, version }: { readonly workflowId: string; readonly version?: number },
): CallTarget => ({ workflowId, version: version ?? (caller.version === 'draft' ? 'draft' : 'latest') });

/** What its ids derive from; the ids of waits, from which those of children do, are digests. */
const name = 'failure';

/**
 * Starts the company's failure workflow with `$input.failure`, in the commit in which an execution fails: exactly once, whatever dies
 * then. Not for its own failures, nor for drafts, nor for a child, whose caller gets the failure.
 *
 * @returns nothing to begin when there is no failure to report, or no such workflow
 */
export function startForFailure(before: ExecutionRecord, failed: ExecutionRecord, reads: Reads): Consequences | Missing {
  const { companyId, executionId, workflowId, version, parent, state, updatedAtMs: atMs } = failed;
  const { origin, seed, ending } = state;
  if (state.status !== 'failed' || finalStatuses.has(before.state.status)) return nothing;
  if (parent !== undefined || origin.route !== 'production') return nothing;
  const need = { kind: 'failureWorkflow' } as const;
  const called = reads.find(need);
  if (called === undefined) return { kind: 'missing', need };
  if (called === null || called.canvas.canvas.id === workflowId) return nothing;
  const id = childId(failed.state, name);
  const lane = laneOf(origin, id);
  const child = createExecution({
    executionId: id,
    rootId: id,
    seed: childSeed(seed, name),
    origin,
    depth: 0,
    lane,
    version: called.version,
    canvas: called.canvas,
    variables: pickExternalScopes(state.variables),
    atMs,
  });
  const failure = {
    executionId,
    workflowId,
    version,
    nodeId: ending?.failure?.nodeId ?? null,
    cause: ending?.failure?.cause ?? '',
    message: ending?.failure?.message ?? '',
    userId: origin.userId ?? null,
    botId: origin.botId ?? null,
    at: DateTime.fromMillis(atMs, { zone: 'utc' }).toISO(),
  };
  const trigger = { kind: 'call', inputs: { failure }, webhook: {} } as const;
  const accepted = { kind: 'start', executionId: id, entry: called.entry, trigger } as const;
  return { ...nothing, child, enqueue: [{ companyId, lane, acceptedAtMs: atMs, accepted }] };
}
