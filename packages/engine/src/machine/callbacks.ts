// Calls of third parties by an address that `resumeUrl` gave them: which wait they are for, and whether it is there, yet or still.
import { behind } from '../canvas/behind.ts';
import { describeNoWait } from '../canvas/check-callbacks.ts';
import type { CompiledCanvas, CompiledNode } from '../canvas/compile.ts';
import type { CallbackRules, ResumeClaim } from '../contract/callback.ts';
import { HiloError } from '../contract/errors.ts';
import type { ExecutionState, OpenVisit } from '../contract/execution.ts';
import { limits } from '../contract/limits.ts';
import type { Write } from '../contract/variables.ts';
import type { WebhookRequest } from '../contract/webhook.ts';
import { sizeOf } from '../variables/measure.ts';
import { finalStatuses } from './lifecycle.ts';

/**
 * The address of the wait of a node, as a text in the visit of another one, or of itself, inserts it.
 *
 * @param nodeId - may be left out where the canvas has one such node
 * @returns in an object, why there is none
 */
export function nameWait(
  canvas: CompiledCanvas,
  state: ExecutionState,
  nodeId: string | undefined,
  nowMs: number,
): string | { readonly refused: string } {
  const { callable } = canvas;
  const node = nodeId === undefined && callable.length === 1 ? callable[0] : callable.find(({ id }) => id === nodeId);
  if (node === undefined) return { refused: describeNoWait(callable, nodeId) };
  const rules = node.definition.callback?.rules(node.config);
  if (rules === undefined || canvas.resumeUrl === undefined) return { refused: 'this host has no address for calls of third parties' };
  const before = getCount(state, node.id);
  return canvas.resumeUrl({
    companyId: state.origin.companyId,
    executionId: state.executionId,
    nodeId: node.id,
    visit: state.visit?.nodeId === node.id ? before : before + 1,
    oneTimeOnly: rules.oneTimeOnly,
    expiresAtMs: nowMs + rules.lifeMs,
  });
}

/** The number of visits of a node so far. Its id may be a name that objects inherit. */
const getCount = ({ visits }: ExecutionState, nodeId: string): number => (Object.hasOwn(visits, nodeId) ? (visits[nodeId] ?? 0) : 0);

type Claimed = Pick<ResumeClaim, 'nodeId' | 'visit'>;

/** Whether a claim's wait is open, is still to come (`early`), or is over, or never comes. */
export function judgeClaim(canvas: CompiledCanvas, state: ExecutionState, claim: Claimed): 'open' | 'early' | 'gone' {
  const { nodeId, visit: number } = claim;
  const { status, visit, wait } = state;
  const node = canvas.nodes.get(nodeId);
  const callback = node?.definition.callback;
  if (node === undefined || callback === undefined || finalStatuses.has(status) || status === 'quarantined') return 'gone';
  if (callback.rules(node.config).oneTimeOnly && state.resumedOnce.includes(nodeId)) return 'gone';
  const stands = visit?.nodeId === nodeId && visit.number === number;
  if (stands && status === 'waiting' && (wait?.kind === 'webhook' || wait?.kind === 'external')) return 'open';
  if ((state.keptRequests ?? []).some((kept) => kept.via === nodeId && kept.visit === number)) return 'gone'; // it was used
  if (stands) return status === 'running' || wait?.kind === 'retry' ? 'early' : 'gone';
  return getCount(state, nodeId) + 1 === number && comesTo(canvas, state, visit, node) ? 'early' : 'gone';
}

/** Whether a way leads from where an execution stands to a node. */
function comesTo(canvas: CompiledCanvas, { isCaught }: ExecutionState, visit: OpenVisit | undefined, node: CompiledNode): boolean {
  const stands = canvas.nodes.get(visit?.nodeId ?? '');
  if (stands === undefined) return true; // it has not begun
  const from = canvas.catcher === undefined || isCaught ? [stands] : [stands, canvas.catcher];
  return canvas.catcher === node || behind(from).includes(node);
}

/** What a call writes, and how its node is called. */
export interface AdmittedCall extends Pick<CallbackRules, 'oneTimeOnly' | 'respond'> {
  readonly writes: readonly Write[];
}

/** @throws {HiloError} `METHOD_NOT_ALLOWED` for a method that the node does not take */
export function admitCall(canvas: CompiledCanvas, nodeId: string, request: WebhookRequest, executionId: string): AdmittedCall {
  const node = canvas.nodes.get(nodeId);
  const callback = node?.definition.callback;
  if (node === undefined || callback === undefined) throw new HiloError('NODE_NOT_FOUND', { workflowId: canvas.canvas.id, nodeId });
  const { methods, confirm, oneTimeOnly, respond } = callback.rules(node.config);
  const { method } = request;
  // The page that asks for a confirmation sends a form.
  if (!methods.includes(method) && !(confirm && method === 'POST')) throw new HiloError('METHOD_NOT_ALLOWED', { method, allowed: methods });
  const { webhook } = canvas;
  const own = callback.writes(node.config, request, { executionId });
  const beside = webhook === node ? [] : (webhook?.definition.callback?.writes(webhook.config, request, { executionId }) ?? []);
  return { oneTimeOnly, respond, writes: [...own, ...beside] };
}

/** Whether a call fits beside those that are kept already. */
export function fitsKept({ keptRequests = [] }: ExecutionState, writes: readonly Write[]): boolean {
  const size = keptRequests.reduce((sum, kept) => sum + sizeOf(kept.writes), sizeOf(writes));
  return keptRequests.length < limits.keptRequests.count && size <= limits.keptRequests.size;
}
