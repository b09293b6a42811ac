import { type CompiledNode, type NodeTypes, compileCanvas } from '../canvas/compile.ts';
import type { Canvas } from '../contract/canvas.ts';
import type { Clock } from '../contract/clock.ts';
import { divideData } from '../contract/common-data.ts';
import type { CanvasStore } from '../contract/store.ts';

/** A webhook as one version of a workflow has it, without the rest of its canvas. */
export type WebhookVersion = Pick<CompiledNode, 'id' | 'definition' | 'config'>;

/** The webhooks that the versions of a workflow have had. A version never changes, so that each is read once. */
export interface WebhookVersions {
  /** Each of them once, the latest first. */
  of(companyId: string, workflowId: string): Promise<readonly WebhookVersion[]>;
}

/** The known versions of a workflow. */
interface Known {
  /** The latest version that was read. */
  version: number;
  /** By the webhook in the canvas, the latest last. */
  readonly webhooks: Map<string, WebhookVersion>;
  /** The version after it, on its way. */
  reading: Promise<void> | undefined;
}

const capacity = 1_000;

/** After this many versions other work gets its turn: a store may answer synchronously (P20). */
const versionsPerTurn = 25;

/** Caches the thousand workflows used last. */
export function createWebhookVersions(canvases: CanvasStore, types: NodeTypes, clock: Clock): WebhookVersions {
  const workflows = new Map<string, Known>();

  const knownOf = (companyId: string, workflowId: string): Known => {
    const key = `${companyId}\0${workflowId}`;
    const known = workflows.get(key) ?? { version: 0, webhooks: new Map<string, WebhookVersion>(), reading: undefined };
    workflows.delete(key);
    workflows.set(key, known);
    const oldest = workflows.keys().next().value;
    if (workflows.size > capacity && oldest !== undefined) workflows.delete(oldest);
    return known;
  };

  const readNext = async (known: Known, companyId: string, workflowId: string): Promise<void> => {
    const version = known.version + 1;
    const published = await canvases.version(companyId, workflowId, version);
    const webhook = published === undefined ? undefined : webhookOf(published.canvas, published.hash, types);
    if (webhook !== undefined) {
      known.webhooks.delete(webhook.content);
      known.webhooks.set(webhook.content, webhook);
    }
    known.version = version;
    if (version % versionsPerTurn === 0) await new Promise<void>((resolve) => void clock.setTimeout(resolve, 0));
  };

  return {
    async of(companyId, workflowId) {
      const known = knownOf(companyId, workflowId);
      const latest = (await canvases.latest(companyId, workflowId))?.version ?? 0;
      if (latest < known.version) {
        // The workflow was removed and created again: its versions begin with the first again.
        known.version = 0;
        known.webhooks.clear();
      }
      // Concurrent callers share one read.
      while (known.version < latest) {
        known.reading ??= readNext(known, companyId, workflowId).finally(() => (known.reading = undefined));
        await known.reading;
      }
      return [...known.webhooks.values()].reverse();
    },
  };
}

/** The webhook of a canvas, of which nothing else is compiled, and what distinguishes it from others. */
function webhookOf(canvas: Canvas, hash: string, types: NodeTypes): (WebhookVersion & { readonly content: string }) | undefined {
  const nodes = canvas.nodes.filter(({ type }) => types.get(type)?.entry?.kind === 'webhook');
  const { webhook } = compileCanvas({ ...canvas, nodes, edges: [] }, hash, types).compiled;
  if (webhook === undefined) return undefined;
  const { id, definition, config, index } = webhook;
  return { id, definition, config, content: JSON.stringify([id, divideData(nodes[index]?.data ?? {}).config]) };
}
