import { createEngine, parseCanvas } from '@hilo/engine';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { createVirtualClock, seededRandom } from '../src/index.ts';

const companyId = '1';

/** A tool that waits for a second request; its webhook has whatever id. */
const waitingAt = (nodeId: string): object => ({
  schemaVersion: 1,
  id: 'order',
  name: 'Order',
  kind: 'tool',
  nodes: [
    { id: nodeId, type: 'webhook', data: { variableName: 'order', methods: ['POST'], executionIdPath: 'executionId' } },
    { id: 'wait', type: 'wait-external', data: { timeout: 'PT2H' } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: nodeId, sourceHandle: 'new', target: 'wait' },
    { source: 'wait', sourceHandle: 'resumed', target: 'done' },
    { source: 'wait', sourceHandle: 'timeout', target: 'done' },
  ],
});

describe('a publish that takes the webhook away', () => {
  it('leaves what waits there to be resumed, and takes no new call (P14, WEB-01, WEB-21)', async () => {
    const engine = createEngine({ nodes: standardNodes, clock: createVirtualClock(), random: seededRandom(1) });
    const publish = async (nodeId: string): Promise<void> => {
      const { canvas, problems } = parseCanvas(waitingAt(nodeId));
      if (canvas === undefined) throw new Error(JSON.stringify(problems));
      await engine.saveDraft(companyId, canvas);
      await engine.publish(companyId, canvas.id);
    };
    const call = (nodeId: string, body: { readonly executionId?: string }) =>
      engine.receiveWebhook({
        companyId,
        workflowId: 'order',
        nodeId,
        route: 'production',
        channel: 'web',
        request: { method: 'POST', headers: {}, query: {}, body },
      });
    await publish('old');
    const { executionId } = await call('old', {});
    await engine.whenIdle();
    await publish('new');

    await expect(call('old', {})).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
    await expect(call('never', { executionId })).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
    expect(await call('old', { executionId })).toMatchObject({ executionId, mode: 'resume' });
    await engine.whenIdle();
    expect((await engine.execution(companyId, executionId))?.state.status).toBe('completed');
  });
});
