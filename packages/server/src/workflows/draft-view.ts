import { type Canvas, type Channel, type Problem } from '@hilo/engine/contract';
import type { Service } from '../service.ts';
import { channelsOf } from './connections.ts';

/** A draft with what is known of it. */
export interface DraftFacts {
  readonly canvas: Canvas;
  readonly hash: string;
  readonly latest: { readonly version: number; readonly hash: string } | undefined;
}

/** What lists show of a draft. */
export const draftSummary = ({ canvas, hash, latest }: DraftFacts) => ({
  workflowId: canvas.id,
  hash,
  publishedVersion: latest?.version ?? null,
  isPublished: latest?.hash === hash,
});

/** A draft, whole. @param base - what the gateway's addresses begin with, such as `https://hilo.example` */
export const draftView = (
  facts: DraftFacts,
  problems: readonly Problem[],
  { service, companyId, base }: { readonly service: Pick<Service, 'companies'>; readonly companyId: string; readonly base: string },
) => ({
  ...draftSummary(facts),
  canvas: facts.canvas,
  problems: [...problems],
  urls: urlsOf(facts.canvas, channelsOf(service, companyId), base),
});

/** The addresses of the webhook node, by channel (WEB-01, WEB-02, WEB-04). */
function urlsOf(canvas: Canvas, channels: readonly Channel[], base: string) {
  const node = canvas.nodes.find(({ type }) => type === 'webhook');
  if (node === undefined) return null;
  const address = (channel: Channel, route: string) =>
    `${base}/workflows/v2/webhooks/skill/${encodeURIComponent(canvas.id)}/${channel}/${route}${encodeURIComponent(node.id)}`;
  const byChannel = (route: string): { readonly [Name in Channel]?: string } =>
    Object.fromEntries(channels.map((channel) => [channel, address(channel, route)]));
  return { production: byChannel(''), test: byChannel('test/') };
}
