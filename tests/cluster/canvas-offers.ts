import { type Canvas, isJsonObject, type Json } from '@hilo/engine/contract';
import { simulatedIds } from '../../packages/simulator/src/simulation/world.ts';

/** A webhook, as those outside call it. */
interface Webhook {
  readonly address: {
    readonly companyId: string;
    readonly botId: string;
    readonly workflowId: string;
    readonly nodeId: string;
    readonly route: 'production';
    readonly channel: 'whatsapp';
  };
  readonly method: string;
}

/** The webhook of a canvas, where it has one. */
export function webhookOf({ id, nodes }: Canvas): readonly Webhook[] {
  const node = nodes.find(({ type }) => type === 'webhook');
  if (node === undefined) return [];
  const { methods } = node.data;
  const [first] = listOf(methods);
  const method = typeof first === 'string' ? first : 'POST';
  return [{ address: { ...simulatedIds, workflowId: id, nodeId: node.id, route: 'production', channel: 'whatsapp' }, method }];
}

/** Texts that a canvas listens for, and some others. */
export function textsOf(canvases: readonly Canvas[]): readonly string[] {
  const texts = new Set(['hello', '7', 'Yes', 'No']);
  for (const { data } of canvases.flatMap(({ nodes }) => nodes)) {
    const { keywords, message } = data;
    for (const keyword of listOf(keywords)) if (typeof keyword === 'string') texts.add(keyword);
    for (const option of listOf(isJsonObject(message) ? message['quick_replies'] : undefined)) {
      const title = isJsonObject(option) ? option['title'] : undefined;
      if (typeof title === 'string') texts.add(title);
    }
  }
  return [...texts];
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
