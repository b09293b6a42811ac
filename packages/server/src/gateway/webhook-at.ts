import { type Canvas, getPath, HiloError, type Json, parsePath, WebhookMethod, type WebhookRequest } from '@hilo/engine/contract';
import type { Service } from '../service/service.ts';
import type { Target } from './target.ts';

/** What the gateway needs to know of a webhook node before the engine is asked. */
export interface WebhookNode {
  readonly id: string;
  readonly legacyId: string | undefined;
  /** Those there are; a draft may say anything. */
  readonly methods: readonly string[];
  readonly executionIdPath: string | undefined;
}

/** The webhook node of a canvas; there is one at most (WEB-09). */
export function webhookOf({ nodes }: Canvas): WebhookNode | undefined {
  const node = nodes.find(({ type }) => type === 'webhook');
  if (node === undefined) return undefined;
  const { methods, legacyId, executionIdPath } = node.data;
  return {
    id: node.id,
    legacyId: textOrNone(legacyId),
    methods: WebhookMethod.options.filter((method) => Array.isArray(methods) && methods.includes(method)),
    executionIdPath: textOrNone(executionIdPath),
  };
}

const textOrNone = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

/**
 * The webhook of a path in the latest version, or in the draft on the test route (VER-02).
 *
 * @throws {HiloError} `WORKFLOW_NOT_FOUND`, `NODE_NOT_FOUND`
 */
export async function webhookAt(
  { store: { canvases } }: Pick<Service, 'store'>,
  { companyId, route, workflowId, nodeId }: Omit<Target, 'bot'>,
): Promise<WebhookNode> {
  const found = await (route === 'test' ? canvases.draft(companyId, workflowId) : canvases.latest(companyId, workflowId));
  if (found === undefined) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
  const webhook = webhookOf(found.canvas);
  if (webhook?.id !== nodeId) throw new HiloError('NODE_NOT_FOUND', { workflowId, nodeId });
  return webhook;
}

/** Whether a request names an execution to go on with (WEB-10): it may use the reserved share (P22). */
export function isResume({ executionIdPath }: WebhookNode, { body, query }: WebhookRequest): boolean {
  const path = executionIdPath === undefined ? undefined : parsePath(executionIdPath);
  const inBody = path === undefined ? undefined : getPath(body, path);
  return typeof (inBody ?? getPath(query, ['executionId'])) === 'string';
}
