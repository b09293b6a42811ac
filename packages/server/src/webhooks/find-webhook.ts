import { type Canvas, Channel, getPath, HiloError, type Json, parsePath, WebhookMethod, type WebhookRequest } from '@hilo/engine/contract';
import { notFound } from '../platform/http/errors.ts';
import type { Bot } from '../tenants/companies.ts';
import type { WebhookParts } from './read-request.ts';

/** The webhook of a call, and the bot of its executions. */
export interface Target {
  readonly companyId: string;
  readonly bot: Bot;
  readonly route: 'production' | 'test';
  readonly workflowId: string;
  readonly nodeId: string;
}

/**
 * The webhook that a URL names, and the bot of its executions (VER-03).
 *
 * @throws {HttpError} 404
 */
export function findTarget(
  { companies }: Pick<WebhookParts, 'companies'>,
  companyId: string,
  { channel: named, ...address }: Pick<Target, 'route' | 'workflowId' | 'nodeId'> & { readonly channel: string },
): Target {
  const channel = Channel.options.find((one) => one === named);
  if (channel === undefined) throw notFound('NOT_FOUND', `There is no channel "${named}"; there are ${Channel.options.join(', ')}`);
  const bot = companies.botOfChannel(companyId, channel);
  if (bot === undefined)
    throw notFound('BOT_NOT_FOUND', `No bot of this company is connected to the channel ${channel}: add one to its workspace`);
  return { companyId, bot, ...address };
}

/** What the gateway needs to know about a webhook node before it calls the engine. */
export interface WebhookNode {
  readonly id: string;
  readonly legacyId: string | undefined;
  /** Valid methods only; a draft may contain others. */
  readonly methods: readonly string[];
  readonly executionIdPath: string | undefined;
  readonly respond: 'onAccept' | 'onFinish';
}

/** The webhook node of a canvas; there is one at most (WEB-09). */
function findWebhookNode({ nodes }: Canvas): WebhookNode | undefined {
  const node = nodes.find(({ type }) => type === 'webhook');
  if (node === undefined) return undefined;
  const { methods, legacyId, executionIdPath, respond } = node.data;
  return {
    id: node.id,
    legacyId: readTextOrNone(legacyId),
    methods: WebhookMethod.options.filter((method) => Array.isArray(methods) && methods.includes(method)),
    executionIdPath: readTextOrNone(executionIdPath),
    respond: respond === 'onFinish' ? respond : 'onAccept',
  };
}

const readTextOrNone = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

/**
 * The webhook of a path in the latest version, or in the draft on the test route (VER-02).
 *
 * @throws {HiloError} `WORKFLOW_NOT_FOUND`, `NODE_NOT_FOUND`
 */
export async function findWebhook(service: Canvases, target: Place): Promise<WebhookNode> {
  const { workflowId, nodeId } = target;
  const canvas = await readCanvas(service, target);
  if (canvas === undefined) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
  const webhook = findWebhookNode(canvas);
  if (webhook?.id !== nodeId) throw new HiloError('NODE_NOT_FOUND', { workflowId, nodeId });
  return webhook;
}

/**
 * Whether a request would start an execution. One that names an execution resumes it (WEB-10), even after a publish has removed the
 * webhook (P14): such a request may use the reserved share of admission (P22).
 */
export async function wouldStart(service: Canvases, target: Place, request: WebhookRequest): Promise<boolean> {
  const webhook = await findPlacedWebhook(service, target);
  return webhook !== undefined && !namesExecution(webhook, request);
}

/**
 * Whether a request may be answered only when its execution has ended. One that names an execution may: that of an earlier version decides.
 */
export async function mayAnswerOnFinish(service: Canvases, target: Place, request: WebhookRequest): Promise<boolean> {
  const webhook = await findPlacedWebhook(service, target);
  return webhook === undefined || webhook.respond === 'onFinish' || namesExecution(webhook, request);
}

/** The webhook of the latest version or the draft, where it is the one that is asked. */
async function findPlacedWebhook(service: Canvases, target: Place): Promise<WebhookNode | undefined> {
  const canvas = await readCanvas(service, target);
  const webhook = canvas === undefined ? undefined : findWebhookNode(canvas);
  return webhook?.id === target.nodeId ? webhook : undefined;
}

function namesExecution(webhook: WebhookNode, { body, query }: WebhookRequest): boolean {
  const path = webhook.executionIdPath === undefined ? undefined : parsePath(webhook.executionIdPath);
  const inBody = path === undefined ? undefined : getPath(body, path);
  return typeof (inBody ?? getPath(query, ['executionId'])) === 'string';
}

type Canvases = Pick<WebhookParts, 'store'>;
type Place = Omit<Target, 'bot'>;

async function readCanvas({ store: { canvases } }: Canvases, { companyId, route, workflowId }: Place): Promise<Canvas | undefined> {
  const found = await (route === 'test' ? canvases.draft(companyId, workflowId) : canvases.latest(companyId, workflowId));
  return found?.canvas;
}

/** Finds webhooks by the ids of the earlier host's addresses. */
export interface LegacyIndex {
  /** The published webhook with this `legacyId`, else the only one whose node has this id (WEB-05). */
  find(companyId: string, webhookId: string): Promise<{ readonly workflowId: string; readonly nodeId: string } | undefined>;
}

/** A publish that removes or moves an id takes effect within this time; one that adds an id, at once. */
const freshMs = 1_000;

interface Published {
  readonly workflowId: string;
  readonly webhook: WebhookNode;
}

/** Keeps the webhooks of every latest version in memory. */
export function createLegacyIndex({ store, clock }: Pick<WebhookParts, 'store' | 'clock'>): LegacyIndex {
  const lists = new Map<string, { readonly atMs: number; readonly published: readonly Published[] }>();

  const load = async (companyId: string): Promise<readonly Published[]> => {
    const published: Published[] = [];
    for (const { workflowId, canvas } of await store.canvases.published(companyId)) {
      const webhook = findWebhookNode(canvas);
      if (webhook !== undefined) published.push({ workflowId, webhook });
    }
    lists.set(companyId, { atMs: clock.now(), published });
    return published;
  };

  return {
    async find(companyId, webhookId) {
      const kept = lists.get(companyId);
      const isFresh = kept !== undefined && clock.now() - kept.atMs < freshMs;
      const known = isFresh ? findMatching(kept.published, webhookId) : undefined;
      return known ?? findMatching(await load(companyId), webhookId);
    },
  };
}

function findMatching(
  published: readonly Published[],
  webhookId: string,
): { readonly workflowId: string; readonly nodeId: string } | undefined {
  const named = published.filter(({ webhook }) => webhook.legacyId === webhookId);
  const [only, ...others] = named.length > 0 ? named : published.filter(({ webhook }) => webhook.id === webhookId);
  return only === undefined || others.length > 0 ? undefined : { workflowId: only.workflowId, nodeId: only.webhook.id };
}
