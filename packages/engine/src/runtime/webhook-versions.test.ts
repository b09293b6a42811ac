import { canvasOf, smallNodes } from '../../test/small-nodes.ts';
import { nodeTypes } from '../canvas/compile.ts';
import { parseCanvas } from '../canvas/parse.ts';
import type { Clock } from '../contract/clock.ts';
import type { CanvasStore } from '../contract/store.ts';
import { createEngine } from '../engine.ts';
import { createMemoryCanvases } from '../memory/canvas-store.ts';
import { createMemoryStore } from '../memory/execution-store.ts';
import { createWebhookVersions } from './webhook-versions.ts';
import { describe, expect, it } from 'vitest';

/** A workflow whose versions differ in their webhook, or in what is beside it. */
function workflow() {
  const kept = createMemoryCanvases();
  let reads = 0;
  const canvases: CanvasStore = {
    ...kept,
    async version(...of) {
      reads += 1;
      return kept.version(...of);
    },
    versions: () => Promise.reject(new Error('Not all of them at once')),
  };
  let breaths = 0;
  const clock: Clock = {
    now: () => 0,
    setTimeout(callback) {
      breaths += 1;
      queueMicrotask(callback);
    },
    clearTimeout: () => undefined,
  };
  const earlier = createWebhookVersions(canvases, nodeTypes(smallNodes), clock);
  return {
    canvases,
    clock,
    async publish(nodeId: string | undefined, variableName: string, name: string): Promise<void> {
      const hook = nodeId === undefined ? [] : [{ id: nodeId, type: 'webhook', data: { variableName } }];
      const { canvas } = parseCanvas(canvasOf([...hook, { id: 'done', type: 'end' }], [], { name }));
      if (canvas === undefined) throw new Error('The canvas cannot be parsed');
      await kept.publish('1', canvas, name, 0);
    },
    webhooks: async (workflowId = 'test') => (await earlier.of('1', workflowId)).map(({ id, config }) => ({ id, config })),
    reads: () => reads,
    breaths: () => breaths,
  };
}

describe('the webhooks of earlier versions', () => {
  it('are listed once each, the latest first', async () => {
    const { publish, webhooks } = workflow();
    await publish('a', 'x', 'v1');
    await publish('b', 'x', 'v2');
    await publish(undefined, '', 'v3');
    await publish('a', 'y', 'v4');
    await publish('a', 'x', 'v5');
    const config = (variableName: string) => ({ config: { variableName } });
    expect(await webhooks()).toEqual([
      { id: 'a', ...config('x') },
      { id: 'a', ...config('y') },
      { id: 'b', ...config('x') },
    ]);
    expect(await webhooks('nothing')).toEqual([]);
  });

  it('are read once for any number of concurrent calls, with breaks (P20)', async () => {
    const { publish, webhooks, reads, breaths } = workflow();
    for (let version = 1; version <= 50; version += 1) await publish('a', 'x', `v${version}`);
    const all = await Promise.all(Array.from({ length: 20 }, () => webhooks()));
    expect(new Set(all.map((found) => found.length))).toEqual(new Set([1]));
    expect([reads(), breaths()]).toEqual([50, 2]);
    await publish('b', 'x', 'next');
    expect(await webhooks()).toHaveLength(2);
    await webhooks();
    expect(reads()).toBe(51);
  });

  it('are read again after the store failed', async () => {
    const { publish, webhooks, canvases } = workflow();
    await publish('a', 'x', 'v1');
    const { version } = canvases;
    Object.assign(canvases, { version: () => Promise.reject(new Error('gone')) });
    await expect(webhooks()).rejects.toThrow('gone');
    Object.assign(canvases, { version });
    expect(await webhooks()).toHaveLength(1);
  });

  it('cost a refused call no more than one read of new versions (P20)', async () => {
    const { publish, canvases, clock, reads } = workflow();
    for (let version = 1; version <= 10; version += 1) await publish('a', 'x', `v${version}`);
    const engine = createEngine({
      nodes: smallNodes,
      clock,
      random: { bytes: (length) => new Uint8Array(length) },
      store: { executions: createMemoryStore(), canvases },
    });
    const request = { method: 'POST', headers: {}, query: {}, body: {} };
    for (let calls = 1; calls <= 3; calls += 1) {
      const call = engine.receiveWebhook({ companyId: '1', workflowId: 'test', nodeId: 'b', route: 'production', channel: 'web', request });
      await expect(call).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
    }
    expect(reads()).toBe(10);
  });
});
