import type { CompiledCanvas } from '../canvas/compile.ts';
import type { EffectRequest } from '../contract/effect.ts';
import { HiloError } from '../contract/errors.ts';
import type { ExecutionEvent } from '../contract/event.ts';
import type { ExecutionState, PendingEffect, Settled } from '../contract/execution.ts';
import { type JsonObject, isJsonObject } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import type { Commit, ExecutionRecord } from '../contract/store.ts';
import type { SentEvent, WaitRequest } from '../contract/wait.ts';
import { finalStatuses } from '../machine/lifecycle.ts';
import { measure } from '../variables/measure.ts';
import { getPath } from '../variables/path.ts';
import type { EngineContext } from './context.ts';
import { newExecution } from './new-execution.ts';

/** A child with the beginning of its history. */
export type NewChild = ReturnType<typeof newExecution>;

/** What a transition leads to beyond its own execution, in the same commit (P18). */
export interface FollowUp {
  readonly children: readonly NewChild[];
  readonly enqueue: readonly Commit['enqueue'][number][];
  /** What happens next to the same execution, before anything is committed. */
  readonly event: ExecutionEvent | undefined;
}

/** Effects that are not a driver's: the engine answers them, in the commit that asks for them. */
const leadsOutside: ReadonlySet<string> = new Set(['flow.jump', 'wait.child', 'event.send']);

const nothing: FollowUp = { children: [], enqueue: [], event: undefined };

/**
 * Calls the child, enters the other canvas, tells the parent, hands an event to those that wait for it.
 *
 * @param enqueued - what the same commit queues already
 */
export function followUp(
  context: EngineContext,
  record: ExecutionRecord,
  after: ExecutionState,
  event: ExecutionEvent,
  asked: EffectRequest | undefined,
  enqueued: Commit['enqueue'],
): FollowUp | Promise<FollowUp> {
  const { companyId, lane, parent } = record;
  if (parent === undefined && (asked === undefined || !leadsOutside.has(asked.type))) return nothing;
  const enqueue: Commit['enqueue'][number][] = [];
  const queued = { companyId, lane, acceptedAtMs: event.atMs };
  if (finalStatuses.has(after.status) && parent !== undefined) {
    enqueue.push({
      ...queued,
      accepted: { kind: 'child.ended', executionId: parent.executionId, waitId: parent.waitId, result: childResult(context, after) },
    });
  }
  if (after.pending?.type === 'flow.jump' && asked?.type === 'flow.jump')
    return enterCanvas(context, record, after, event.atMs).then((event) => ({ children: [], enqueue, event }));
  if (after.pending?.type === 'event.send' && asked?.type === 'event.send')
    return sendEvent(context, companyId, after.pending, event.atMs, enqueued);
  if (after.wait?.kind === 'child' && asked?.type === 'wait.child') return callChild(context, record, after, asked, event.atMs, enqueue);
  return enqueue.length === 0 ? nothing : { children: [], enqueue, event: undefined };
}

/** What the parent is told. `webhook` holds what a webhook node that inherits received (WEB-17). */
function childResult(context: EngineContext, { status, ending, canvasHash, variables, origin }: ExecutionState): JsonObject {
  const webhook = inheritedWebhook(context.library.get(origin.companyId, canvasHash), variables);
  if (status === 'completed') return { kind: 'completed', outputs: ending?.outputs ?? {}, webhook };
  return {
    kind: 'failed',
    cause: ending?.failure?.cause ?? status.toUpperCase(),
    message: ending?.failure?.message ?? `The child ended as ${status}`,
    webhook,
  };
}

function inheritedWebhook(canvas: CompiledCanvas | undefined, { $webhook }: JsonObject): JsonObject {
  const { config, definition } = canvas?.webhook ?? {};
  const name = definition?.entry?.kind === 'webhook' ? definition.entry.handsBack?.(config) : undefined;
  const data = name === undefined || !isJsonObject($webhook) ? undefined : getPath($webhook, [name]);
  return name === undefined || data === undefined ? {} : { [name]: data };
}

/** Makes the child part of the parent's own transaction; a child that cannot be called has failed at once. */
async function callChild(
  context: EngineContext,
  parent: ExecutionRecord,
  state: ExecutionState,
  asked: EffectRequest,
  atMs: number,
  enqueue: readonly Commit['enqueue'][number][],
): Promise<FollowUp> {
  const request = asked.request as unknown as Extract<WaitRequest, { readonly kind: 'child' }>;
  const waitId = state.wait?.id ?? '';
  const failed = (cause: string, message: string): FollowUp => ({
    children: [],
    enqueue,
    event: { type: 'child.ended', waitId, atMs, result: { kind: 'failed', cause, message, webhook: {} } },
  });
  if (state.depth + 1 > limits.childDepth) return failed('CHILD_DEPTH_EXCEEDED', `Children are nested more than ${limits.childDepth} deep`);
  const target = await callable(context, parent, request);
  if (typeof target === 'string') return failed('WORKFLOW_NOT_FOUND', target);
  const webhook = isJsonObject(state.variables['$webhook']) ? state.variables['$webhook'] : {};
  const child = newExecution(context, {
    executionId: state.wait?.childId ?? '',
    rootId: state.rootId,
    origin: state.origin,
    depth: state.depth + 1,
    lane: parent.lane,
    version: target.version,
    canvas: target.canvas,
    variables: withoutOwn(state.variables, webhook),
    atMs,
    parent: { executionId: parent.executionId, waitId },
  });
  const start = {
    kind: 'child.start',
    executionId: child.record.executionId,
    entry: target.entry,
    trigger: { kind: 'call', inputs: request.inputs, webhook },
  } as const;
  return {
    children: [child],
    enqueue: [...enqueue, { companyId: parent.companyId, lane: parent.lane, acceptedAtMs: atMs, accepted: start }],
    event: undefined,
  };
}

/** Queues an event for each execution that waits for it: it has its turn in the lane of each, as any other event has (P9). */
async function sendEvent(
  context: EngineContext,
  companyId: string,
  { key, request }: PendingEffect,
  atMs: number,
  enqueued: Commit['enqueue'],
): Promise<FollowUp> {
  const { name, correlation, payload } = request as unknown as SentEvent;
  const answer = (settled: Settled): ExecutionEvent => ({ type: 'effect.settled', key, atMs, settled });
  const size = measure(payload);
  if (size.kind === 'refused') {
    const failure = { cause: 'VALUE_TOO_LARGE', message: `The payload of the event is refused: ${size.reason}` };
    return { ...nothing, event: answer({ kind: 'failure', outcome: 'failed', failure }) };
  }
  // A wait that an earlier event of this commit is for is as good as answered.
  const isTaken = (executionId: string, waitId: string): boolean =>
    enqueued.some(({ accepted: one }) => one.kind === 'event' && one.executionId === executionId && one.waitId === waitId);
  const waiting = await context.store.awaitingSignal(companyId, name, correlation);
  const enqueue = waiting.flatMap(({ executionId, lane, state: { wait } }) =>
    wait?.kind !== 'event' || isTaken(executionId, wait.id)
      ? []
      : [{ companyId, lane, acceptedAtMs: atMs, accepted: { kind: 'event' as const, executionId, waitId: wait.id, payload } }],
  );
  return { children: [], enqueue, event: answer({ kind: 'result', value: { waits: enqueue.length } }) };
}

/** What a child begins with: what surrounds the user, the last message, and a copy of `$webhook` (WEB-17). */
const withoutOwn = (variables: JsonObject, webhook: JsonObject): JsonObject => {
  const shared = Object.fromEntries(
    ['$user', '$memory', '$bot', '$company', '$message'].flatMap((scope) =>
      variables[scope] === undefined ? [] : [[scope, variables[scope]]],
    ),
  );
  return { ...shared, $webhook: webhook };
};

/** Resolves a jump: the same execution goes on in the other canvas. */
async function enterCanvas(
  context: EngineContext,
  record: ExecutionRecord,
  { pending }: ExecutionState,
  atMs: number,
): Promise<ExecutionEvent> {
  const key = pending?.key ?? '';
  const target = await callable(context, record, pending?.request as unknown as { readonly workflowId: string; readonly version?: number });
  if (typeof target !== 'string') return { type: 'canvas.entered', key, atMs, canvasHash: target.canvas.hash, entry: target.entry };
  return {
    type: 'effect.settled',
    key,
    atMs,
    settled: { kind: 'failure', outcome: 'failed', failure: { cause: 'WORKFLOW_NOT_FOUND', message: target } },
  };
}

interface Callable {
  readonly canvas: CompiledCanvas;
  readonly version: number | 'draft';
  readonly entry: string;
}

/** The workflow as it can be called, or why it cannot. Whoever runs a draft calls drafts (VER-02). */
async function callable(
  { canvases, library }: EngineContext,
  caller: ExecutionRecord,
  { workflowId, version }: { readonly workflowId: string; readonly version?: number },
): Promise<Callable | string> {
  const { companyId } = caller;
  const draft = caller.version === 'draft' && version === undefined ? await canvases.draft(companyId, workflowId) : undefined;
  const published =
    version === undefined ? await canvases.latest(companyId, workflowId) : await canvases.version(companyId, workflowId, version);
  const found = draft === undefined ? published : { ...draft, version: 'draft' as const };
  if (found === undefined) return `There is no published workflow "${workflowId}"${version === undefined ? '' : ` of version ${version}`}`;
  try {
    const canvas = await library.load(companyId, found.hash);
    const entry = canvas.starts[0]?.id ?? canvas.webhook?.id;
    return entry === undefined ? `Workflow "${workflowId}" has no start to call` : { canvas, version: found.version, entry };
  } catch (error) {
    if (error instanceof HiloError) return error.message;
    throw error;
  }
}
