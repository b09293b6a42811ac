import type { CompiledCanvas } from './canvas/compile.ts';
import { HiloError } from './contract/errors.ts';
import { acceptStart, type Started } from './accept-start.ts';
import type { Origin } from './contract/execution.ts';
import type { JsonObject } from './contract/json.ts';
import type { Kernel } from './kernel.ts';

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
  kernel: Kernel,
  { origin, workflowId, version, inputs = {}, idempotencyKey }: StartRequest,
): Promise<Started> {
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
