import type { Service } from '../service.ts';
import { type WebhookNode, webhookOf } from './find-webhook.ts';

/** Finds webhooks by the ids of the earlier host's addresses. */
export interface LegacyIndex {
  /** The published webhook with this `legacyId`, else the one whose node has this id, where only one has (WEB-05). */
  find(companyId: string, webhookId: string): Promise<{ readonly workflowId: string; readonly nodeId: string } | undefined>;
}

/** A publish that takes an id away, or gives it to another, is seen within this time; one that adds an id, at once. */
const freshMs = 1_000;

interface Published {
  readonly workflowId: string;
  readonly webhook: WebhookNode;
}

/** Keeps the webhooks of every latest version in memory. */
export function createLegacyIndex({ store, clock }: Pick<Service, 'store' | 'clock'>): LegacyIndex {
  const lists = new Map<string, { readonly atMs: number; readonly published: readonly Published[] }>();

  const load = async (companyId: string): Promise<readonly Published[]> => {
    const published: Published[] = [];
    for (const { workflowId, canvas } of await store.canvases.published(companyId)) {
      const webhook = webhookOf(canvas);
      if (webhook !== undefined) published.push({ workflowId, webhook });
    }
    lists.set(companyId, { atMs: clock.now(), published });
    return published;
  };

  return {
    async find(companyId, webhookId) {
      const kept = lists.get(companyId);
      const isFresh = kept !== undefined && clock.now() - kept.atMs < freshMs;
      const known = isFresh ? matching(kept.published, webhookId) : undefined;
      return known ?? matching(await load(companyId), webhookId);
    },
  };
}

function matching(
  published: readonly Published[],
  webhookId: string,
): { readonly workflowId: string; readonly nodeId: string } | undefined {
  const named = published.filter(({ webhook }) => webhook.legacyId === webhookId);
  const [only, ...others] = named.length > 0 ? named : published.filter(({ webhook }) => webhook.id === webhookId);
  return only === undefined || others.length > 0 ? undefined : { workflowId: only.workflowId, nodeId: only.webhook.id };
}
