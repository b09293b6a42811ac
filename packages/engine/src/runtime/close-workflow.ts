// How an operator closes a workflow to starts and opens it again.
import { checkCanvasText } from '../canvas/check.ts';
import type { CompiledCanvas } from '../canvas/compile.ts';
import { HiloError } from '../contract/errors.ts';
import type { JsonObject } from '../contract/json.ts';
import type { Gate, PublishedVersion } from '../contract/store.ts';
import { type Connections, readCheckOptions } from './canvas-library.ts';
import type { EngineContext } from './context.ts';
import { createStandIn, listStarts } from './gates.ts';
import { type Operated, readOperator } from './operate.ts';

/** How a workflow is paused. */
export interface PauseOptions extends Operated {
  /** What a user who would begin the workflow is told: a text, or any message. Without it their message is unmatched. */
  readonly says?: string | JsonObject;
  /** `refuse`: calls of other workflows fail, too. They run, when left out. */
  readonly children?: Gate['children'];
  /** When it ends by itself, in milliseconds since the Unix epoch; when it is unpaused, if left out. */
  readonly untilMs?: number;
}

/**
 * Keeps a workflow from being started until it is unpaused. What is open goes on: replies, requests that resume, timers.
 *
 * @throws {HiloError} `WORKFLOW_NOT_FOUND` for one that is not published, `INVALID_CANVAS` for a message that its bots cannot send
 */
export async function pauseWorkflow(
  context: EngineContext,
  companyId: string,
  workflowId: string,
  { says, children = 'run', untilMs, ...operated }: PauseOptions,
  connections: Connections,
): Promise<Gate> {
  const { hash, gate: before } = await requirePublished(context, companyId, workflowId);
  if (before?.state === 'unpublished') throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId }); // unpausing it would publish it
  const atMs = context.clock.now();
  if (children !== 'run' && children !== 'refuse') throw invalid('"children" is run or refuse');
  if (untilMs !== undefined && !(Number.isSafeInteger(untilMs) && untilMs > atMs)) throw invalid('"untilMs" is an instant later than now');
  const message: JsonObject | undefined = typeof says === 'string' ? { type: 'text', text: says } : says;
  if (message !== undefined) await checkStandIn(context, companyId, await context.library.load(companyId, hash), message, connections);
  const gate: Gate = {
    state: 'paused',
    ...(message !== undefined && { says: message }),
    children,
    atMs,
    ...readOperator(operated),
    ...(untilMs !== undefined && { untilMs }),
  };
  if (!(await context.canvases.setGate(companyId, workflowId, gate, 'unpublished')))
    throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
  return gate;
}

/** @throws {HiloError} `INVALID_CANVAS` where the message could not be sent */
async function checkStandIn(
  context: EngineContext,
  companyId: string,
  live: CompiledCanvas,
  says: JsonObject,
  connections: Connections,
): Promise<void> {
  const starts = listStarts(live);
  if (starts.size === 0)
    throw invalid(`Workflow "${live.canvas.id}" is begun by no message: there is nobody to tell anything, so leave "says" out`);
  const standIn = createStandIn(live.canvas, starts, says);
  const found = checkCanvasText(standIn, await readCheckOptions(context, companyId, standIn, connections));
  const problems = found.filter(({ severity, nodeId }) => severity === 'error' && (nodeId === undefined || !starts.has(nodeId)));
  if (problems.length > 0) throw new HiloError('INVALID_CANVAS', { workflowId: live.canvas.id, problems });
}

/** Opens a paused workflow again: the version that was the latest starts. One that is not paused stays as it is. */
export async function unpauseWorkflow(context: EngineContext, companyId: string, workflowId: string): Promise<void> {
  const { gate } = await requirePublished(context, companyId, workflowId);
  if (gate?.state === 'paused') await context.canvases.setGate(companyId, workflowId, undefined, 'unpublished');
}

/** Takes a workflow out of publication: nothing starts it until it is published again. */
export async function unpublishWorkflow(context: EngineContext, companyId: string, workflowId: string, operated: Operated): Promise<Gate> {
  await requirePublished(context, companyId, workflowId);
  const gate: Gate = { state: 'unpublished', children: 'refuse', atMs: context.clock.now(), ...readOperator(operated) };
  await context.canvases.setGate(companyId, workflowId, gate);
  return gate;
}

async function requirePublished({ canvases }: EngineContext, companyId: string, workflowId: string): Promise<PublishedVersion> {
  const latest = await canvases.latest(companyId, workflowId);
  if (latest === undefined) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
  return latest;
}

const invalid = (reason: string): HiloError => new HiloError('INVALID_REQUEST', { reason });
