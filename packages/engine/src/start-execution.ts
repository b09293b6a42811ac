import type { CompiledCanvas } from './canvas/compile.ts';
import { HiloError } from './contract/errors.ts';
import type { Origin, Trigger } from './contract/execution.ts';
import type { JsonObject } from './contract/json.ts';
import type { Commit, Queued } from './contract/store.ts';
import { type Kernel } from './kernel.ts';
import { laneOf, newExecution, randomHex } from './new-execution.ts';
import { surroundings } from './surroundings.ts';

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

/** Eight days: providers repeat deliveries for seven (P10). */
export const seenForMs = 8 * 86_400_000;

/**
 * Accepts a start: durable when the promise resolves, not finished (WEB-24).
 *
 * @throws {HiloError} `WORKFLOW_NOT_FOUND`, `INVALID_CANVAS`
 */
export async function startExecution(
  kernel: Kernel,
  { origin, workflowId, version, inputs = {}, idempotencyKey }: StartRequest,
): Promise<{ readonly executionId: string }> {
  const pinned = await pinnedCanvas(kernel, origin, workflowId, version);
  const entry = pinned.canvas.starts[0]?.id ?? pinned.canvas.webhook?.id;
  if (entry === undefined) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
  const keys = idempotencyKey === undefined ? [] : [`${origin.companyId}:start:${workflowId}:${idempotencyKey}`];
  return acceptStart(kernel, { origin, ...pinned, entry, keys, trigger: () => ({ kind: 'call', inputs, webhook: {} }) });
}

/** The canvas an execution will be pinned to: the draft on the test route, else a published version (VER-02, P14). */
export async function pinnedCanvas(
  { canvases, library }: Kernel,
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
  readonly contacts?: Commit['contacts'];
}

/** Commits the new execution together with its turn in the lane. */
export async function acceptStart(
  kernel: Kernel,
  { origin, canvas, version, entry, keys, trigger, dequeue = [], contacts = [] }: AcceptedStart,
): Promise<{ readonly executionId: string }> {
  const atMs = kernel.clock.now();
  const executionId = randomHex(kernel, 16);
  const lane = laneOf(origin, executionId);
  const variables = await surroundings(kernel, origin, atMs);
  const { record, history } = newExecution(kernel, {
    executionId,
    rootId: executionId,
    origin,
    depth: 0,
    lane,
    version,
    canvas,
    variables,
    atMs,
  });
  const queued: Omit<Queued, 'seq'> = {
    companyId: origin.companyId,
    lane,
    acceptedAtMs: atMs,
    accepted: { kind: 'start', executionId, entry, trigger: trigger(executionId) },
  };
  const committed = await kernel.store.commit({
    saves: [record],
    history: [history],
    contacts,
    enqueue: [queued],
    dequeue,
    ...(keys.length === 0 ? {} : { seen: { keys, untilMs: atMs + seenForMs, answer: { executionId } } }),
  });
  if (committed.kind === 'duplicate') return committed.answer as { readonly executionId: string };
  if (committed.kind === 'conflict') throw new HiloError('STORE_CONFLICT', { executionId });
  const [seq] = committed.seqs;
  if (seq !== undefined) kernel.process({ ...queued, seq });
  return { executionId };
}
