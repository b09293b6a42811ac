import { Channel, HiloError, isHiloError, isWithin, type Json, type WebhookRequest } from '@hilo/engine/contract';
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
  const channel = channels.get(named);
  if (channel === undefined) throw notFound('NOT_FOUND', `There is no channel "${named}"; there are ${Channel.options.join(', ')}`);
  const bot = companies.botOfChannel(companyId, channel);
  if (bot === undefined)
    throw notFound('BOT_NOT_FOUND', `No bot of this company is connected to the channel ${channel}: add one to its workspace`);
  return { companyId, bot, ...address };
}

const channels: ReadonlyMap<string, Channel> = new Map(Channel.options.map((one) => [one, one]));

/**
 * What a request would do, by the webhook that decides: `start` an execution, or not, and whether it may be answered only when an execution
 * has ended. One that names an execution resumes it (WEB-10), even after a publish has removed the webhook (P14): that of an earlier version
 * decides on its answer, and it may use the reserved share of admission (P22).
 *
 * @throws {HiloError} `INVALID_REQUEST` for an execution id that is none
 */
export async function foresee(
  { engine }: Pick<WebhookParts, 'engine'>,
  target: Omit<Target, 'bot'>,
  request: WebhookRequest,
): Promise<{ readonly starts: boolean; readonly mayWait: boolean }> {
  try {
    const { executionId, respond } = await engine.admitWebhook({ ...target, request });
    return { starts: executionId === undefined, mayWait: executionId !== undefined || respond === 'onFinish' };
  } catch (error) {
    if (!(error instanceof HiloError) || isHiloError(error, 'INVALID_REQUEST')) throw error;
    return { starts: false, mayWait: true };
  }
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
  readonly nodeId: string;
  readonly legacyId: Json | undefined;
}

/** Keeps the webhooks of every latest version in memory. */
export function createLegacyIndex({ store, clock }: Pick<WebhookParts, 'store' | 'clock'>): LegacyIndex {
  const lists = new Map<string, { readonly atMs: number; readonly published: readonly Published[] }>();

  const load = async (companyId: string): Promise<readonly Published[]> => {
    const published: Published[] = [];
    for (const { workflowId, canvas } of await store.canvases.published(companyId)) {
      const webhook = canvas.nodes.find(({ type }) => type === 'webhook'); // there is one at most (WEB-09)
      if (webhook !== undefined) published.push({ workflowId, nodeId: webhook.id, legacyId: webhook.data['legacyId'] });
    }
    lists.set(companyId, { atMs: clock.now(), published });
    return published;
  };

  return {
    async find(companyId, webhookId) {
      const kept = lists.get(companyId);
      const isFresh = kept !== undefined && isWithin(kept.atMs, freshMs, clock.now());
      const known = isFresh ? findMatching(kept.published, webhookId) : undefined;
      return known ?? findMatching(await load(companyId), webhookId);
    },
  };
}

function findMatching(
  published: readonly Published[],
  webhookId: string,
): { readonly workflowId: string; readonly nodeId: string } | undefined {
  const named = published.filter(({ legacyId }) => legacyId === webhookId);
  const [only, ...others] = named.length > 0 ? named : published.filter(({ nodeId }) => nodeId === webhookId);
  return only === undefined || others.length > 0 ? undefined : { workflowId: only.workflowId, nodeId: only.nodeId };
}
