// Requests that come to an execution before it waits for them.
import { behind } from '../canvas/behind.ts';
import type { CompiledCanvas, CompiledNode } from '../canvas/compile.ts';
import type { ExecutionState, OpenVisit, RequestToNode } from '../contract/execution.ts';
import { limits } from '../contract/limits.ts';
import type { ExecutionRecord } from '../contract/store.ts';
import type { WaitKind } from '../contract/wait.ts';
import { sizeOf } from '../variables/measure.ts';
import { finalStatuses, isAtWork } from './lifecycle.ts';
import type { Missing, Reads } from './reads.ts';
import { none } from './transition-context.ts';

/**
 * Whether a request that names an execution is kept for a wait that is not open yet: the system that a node calls may call back before
 * it answers (WEB-23). It is kept while the execution is at work, and only for a wait that it can still come to, behind those that
 * earlier requests are kept for.
 *
 * @returns `ignored`: under `oneTimeOnly` another was first; `refused`: nothing here waits for it
 */
export function keepsRequest(
  record: ExecutionRecord,
  canvas: CompiledCanvas,
  request: RequestToNode,
  reads: Reads,
): 'kept' | 'ignored' | 'refused' | Missing {
  const { state } = record;
  const { via, once, writes } = request;
  if (canvas.webhook?.id !== via) return 'refused';
  const atWork = isOnItsWay(record, reads);
  if (typeof atWork === 'object') return atWork;
  if (!atWork) return 'refused';
  const kept = (state.keptRequests ?? none).filter((one) => one.via === via && one.visit === undefined);
  if (once && kept.length > 0) return 'ignored';
  const size = kept.reduce((sum, one) => sum + sizeOf(one.writes), sizeOf(writes));
  if (kept.length >= limits.keptRequests.count || size > limits.keptRequests.size) return 'refused';
  return comesToWait(canvas, state, kept.length) ? 'kept' : 'refused';
}

/** Whether an execution is at work, or the child that it waits for: calling a child is no different from running its nodes in place. */
function isOnItsWay({ state }: ExecutionRecord, reads: Reads): boolean | Missing {
  if (state.wait?.kind !== 'child' || state.wait.childId === undefined) return isAtWork(state);
  const need = { kind: 'execution', executionId: state.wait.childId } as const;
  const child = reads.find(need);
  if (child === undefined) return { kind: 'missing', need };
  return child === null || finalStatuses.has(child.state.status) || isOnItsWay(child, reads);
}

/** Whether the way from the open visit leads to a wait for a request, behind as many waits as are answered already. */
function comesToWait(canvas: CompiledCanvas, { visit, isCaught }: ExecutionState, answered: number): boolean {
  const isWait = ({ id, definition }: CompiledNode): boolean => id === canvas.webhook?.id || definition.webhookPorts.length > 0;
  const stands = canvas.nodes.get(visit?.nodeId ?? '');
  let from: Iterable<CompiledNode> = stands === undefined ? canvas.nodes.values() : [stands];
  if (canvas.catcher !== undefined && !isCaught) from = [...from, canvas.catcher];
  for (let left = answered; ; left -= 1) {
    const waits = behind(from).filter(isWait);
    if (waits.length === 0 || left === 0) return waits.length > 0;
    from = waits;
  }
}

/** The first request that came before the wait that a node asks for now, and the others that are kept. */
export function takeKeptRequest(
  { webhook }: CompiledCanvas,
  kept: readonly RequestToNode[],
  kind: WaitKind,
  { nodeId, number }: Pick<OpenVisit, 'nodeId' | 'number'>,
): { readonly request: RequestToNode; readonly others: readonly RequestToNode[] } | undefined {
  if (kind !== 'external' && kind !== 'webhook') return undefined;
  const take = (request: RequestToNode) => ({ request, others: kept.filter((one) => one !== request) });
  const own = kept.find(({ via, visit }) => via === nodeId && visit === number);
  if (own !== undefined) return take(own);
  if (webhook === undefined || (kind === 'webhook' && nodeId !== webhook.id)) return undefined;
  const request = kept.find(({ via, visit }) => via === webhook.id && visit === undefined);
  return request === undefined ? undefined : take(request);
}
