import type { CompiledCanvas } from '../canvas/compile.ts';
import { HiloError } from '../contract/errors.ts';
import type { Origin, Trigger } from '../contract/execution.ts';
import type { JsonObject } from '../contract/json.ts';
import type { Commit, Committed, InboxItem } from '../contract/store.ts';
import { commit, commitAsOwner, applyCommitted, planAdvance } from './advance.ts';
import type { EngineContext } from './context.ts';
import { readExternalScopes } from './external-scopes.ts';
import { type NewExecutionRecord, laneOf, newExecution, newExecutionId } from './new-execution.ts';

/** Starts a workflow by its name, without a webhook or a message: what a host calls. */
export interface StartRequest {
  readonly origin: Origin;
  readonly workflowId: string;
  /** The latest, when left out. */
  readonly version?: number;
  readonly inputs?: JsonObject;
  /** The same key within eight days gives the same execution. */
  readonly idempotencyKey?: string;
}

/**
 * Accepts a start: durable when the promise resolves, not finished (WEB-24).
 *
 * @throws {HiloError} `WORKFLOW_NOT_FOUND`, `INVALID_CANVAS`
 */
export async function startExecution(
  context: EngineContext,
  { origin, workflowId, version, inputs = {}, idempotencyKey }: StartRequest,
): Promise<Started> {
  const pinned = await pinnedCanvas(context, origin, workflowId, version);
  const entry = pinned.canvas.starts[0]?.id ?? pinned.canvas.webhook?.id;
  if (entry === undefined) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
  const keys = idempotencyKey === undefined ? [] : [`${origin.companyId}:start:${workflowId}:${idempotencyKey}`];
  return acceptStart(context, { origin, ...pinned, entry, keys, trigger: () => ({ kind: 'call', inputs, webhook: {} }) });
}

/** The canvas an execution will be pinned to: the draft on the test route, else a published version (VER-02, P14). */
export async function pinnedCanvas(
  { canvases, library }: EngineContext,
  { companyId, route }: Origin,
  workflowId: string,
  version?: number,
): Promise<{ readonly canvas: CompiledCanvas; readonly version: number | 'draft' }> {
  if (route === 'test' && version === undefined) {
    const draft = await canvases.draft(companyId, workflowId);
    if (draft === undefined) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
    return { canvas: await library.load(companyId, draft.hash), version: 'draft' };
  }
  const published =
    version === undefined ? await canvases.latest(companyId, workflowId) : await canvases.version(companyId, workflowId, version);
  if (published === undefined) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
  return { canvas: await library.load(companyId, published.hash), version: published.version };
}

/** Eight days: providers repeat deliveries for seven (P10). */
export const seenForMs = 8 * 86_400_000;

/** A start, ready to be accepted. */
export interface AcceptedStart {
  readonly origin: Origin;
  readonly canvas: CompiledCanvas;
  readonly version: number | 'draft';
  readonly entry: string;
  /** Delivery ids that make a repetition the same start. */
  readonly keys: readonly string[];
  readonly trigger: (executionId: string) => Trigger;
  /** The queued message this start is the consequence of. */
  readonly dequeue?: readonly number[];
  /** What the start makes known of its user. */
  readonly contacts?: Commit['contacts'];
}

/** What callers get to know. */
export interface Started {
  readonly executionId: string;
}

/** Commits a start: at once with its first advance where its lane is free, else with its turn in the lane. */
export async function acceptStart(context: EngineContext, start: AcceptedStart): Promise<Started> {
  const executionId = newExecutionId(context);
  const lane = laneOf(start.origin, executionId);
  const started = await context.lanes.tryRun(lane, () => startInTurn(context, start, executionId));
  if (started !== undefined) return started.result;

  const record = await createExecution(context, start, executionId, lane);
  const { entry, trigger, origin } = start;
  const queued: Omit<InboxItem, 'seq'> = {
    companyId: origin.companyId,
    lane,
    acceptedAtMs: record.record.createdAtMs,
    accepted: { kind: 'start', executionId, entry, trigger: trigger(executionId) },
  };
  const committed = await commit(context, lane, {
    saves: [record.record],
    history: [record.history],
    enqueue: [queued],
    ...beside(context, start, executionId),
  });
  if (committed.kind === 'committed') context.processNext(lane, { isInternal: false });
  return answer(committed, executionId);
}

/** Commits a start together with its first advance. For who has the lane's turn already. */
export async function startInTurn(context: EngineContext, start: AcceptedStart, executionId = newExecutionId(context)): Promise<Started> {
  const { record, history } = await createExecution(context, start, executionId, laneOf(start.origin, executionId));
  const before = { ...record, revision: 0 };
  const { moved, ...advance } = await planAdvance(
    context,
    before,
    { type: 'execution.started', entry: start.entry, trigger: start.trigger(executionId) },
    { isNew: true },
  );
  const { contacts, ...more } = beside(context, start, executionId);
  const committed = await commitAsOwner(context, record.lane, {
    ...advance,
    ...more,
    contacts: [...contacts, ...advance.contacts],
    history: [history, ...advance.history],
  });
  if (committed.kind === 'committed') applyCommitted(context, moved, advance.enqueue);
  return answer(committed, executionId);
}

/** An execution as it is accepted, made of what surrounds it now. */
export async function createExecution(
  context: EngineContext,
  { origin, version, canvas }: Pick<AcceptedStart, 'origin' | 'version' | 'canvas'>,
  executionId: string,
  lane: string,
): Promise<NewExecutionRecord> {
  const atMs = context.clock.now();
  const variables = await readExternalScopes(context, origin, atMs);
  return newExecution(context, { executionId, rootId: executionId, origin, depth: 0, lane, version, canvas, variables, atMs });
}

/** What the commit of a start holds beside the execution. */
const beside = ({ clock }: EngineContext, { keys, dequeue = [], contacts = [] }: AcceptedStart, executionId: string) => ({
  dequeue,
  contacts,
  ...(keys.length === 0 ? {} : { seen: { keys, untilMs: clock.now() + seenForMs, answer: { executionId } } }),
});

function answer(committed: Committed, executionId: string): Started {
  if (committed.kind === 'duplicate') return committed.answer as unknown as Started;
  if (committed.kind === 'conflict') throw new HiloError('STORE_CONFLICT', { executionId });
  return { executionId };
}
