import { createEngine, createMemoryCanvases, createMemoryStore, type Engine, parseCanvas } from '../../packages/engine/src/index.ts';
import { standardNodes } from '../../packages/nodes/src/index.ts';
import { systemRandom } from '../../packages/server/src/platform/system-random.ts';
import type { DurableStore } from '../../packages/stores/src/index.ts';
import { realClock } from '../real-clock.ts';

const companyId = '1';

/** Takes a request, keeps a value and waits for another request; then it ends. */
const parking = {
  schemaVersion: 1,
  id: 'parking',
  name: 'Parking',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user', executionIdPath: 'executionId' } },
    { id: 'keep', type: 'set', data: { assignments: [{ path: '$context.order', value: '{{$webhook.order.body.id}}' }] } },
    { id: 'wait', type: 'wait-external', data: { timeout: 'P21D' } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'keep' },
    { source: 'keep', target: 'wait' },
    { source: 'wait', sourceHandle: 'resumed', target: 'done' },
    { source: 'wait', sourceHandle: 'timeout', target: 'done' },
  ],
};

/** An engine as a host makes it, over a store that lasts. */
export function engineOver({ executions, canvases }: Pick<DurableStore, 'executions' | 'canvases'>): Engine {
  return createEngine({
    nodes: standardNodes,
    clock: realClock,
    random: systemRandom,
    store: executions,
    canvases,
  });
}

/** The engine alone: nothing is kept but in memory. */
export const engineInMemory = (): Engine => engineOver({ executions: createMemoryStore(), canvases: createMemoryCanvases() });

export async function publishParking(engine: Engine): Promise<void> {
  const { canvas, problems } = parseCanvas(parking);
  if (canvas === undefined) throw new Error(JSON.stringify(problems));
  await engine.saveDraft(companyId, canvas);
  await engine.publish(companyId, canvas.id);
}

/** A request to the webhook: a start, or with an id the answer to the wait. Every start is another user's. */
export async function call(
  engine: Engine,
  body: { readonly id: string; readonly user?: string; readonly executionId?: string },
): Promise<string> {
  const { executionId } = await engine.receiveWebhook({
    companyId,
    workflowId: 'parking',
    nodeId: 'hook',
    route: 'production',
    channel: 'whatsapp',
    botId: 'bot',
    request: { method: 'POST', headers: { 'content-type': 'application/json' }, query: {}, body },
  });
  return executionId;
}

/** Does `count` things, `callers` at a time. @returns the latency of each, in milliseconds */
export async function together(count: number, callers: number, one: (index: number) => Promise<unknown>): Promise<readonly number[]> {
  const latencies: number[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const beganMs = performance.now();
      await one(index);
      latencies.push(performance.now() - beganMs);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return latencies;
}
