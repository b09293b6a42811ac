import { createEngine, parseCanvas } from '@hilo/engine';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { createVirtualClock, seededRandom } from '../../packages/testing/src/index.ts';

const companyId = '1';

/** A tool that waits for a second request, at a webhook with the given id. */
const waitingAt = (nodeId: string, methods: readonly string[] = ['POST']): object => ({
  schemaVersion: 1,
  id: 'order',
  name: 'Order',
  kind: 'tool',
  nodes: [
    { id: nodeId, type: 'webhook', data: { variableName: 'order', methods, executionIdPath: 'executionId' } },
    { id: 'wait', type: 'wait-external', data: { timeout: 'PT2H' } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: nodeId, sourceHandle: 'new', target: 'wait' },
    { source: 'wait', sourceHandle: 'resumed', target: 'done' },
    { source: 'wait', sourceHandle: 'timeout', target: 'done' },
  ],
});

const start = () => {
  const engine = createEngine({ nodes: standardNodes, clock: createVirtualClock(), random: seededRandom(1) });
  return {
    engine,
    async publish(json: object): Promise<void> {
      const { canvas, problems } = parseCanvas(json);
      if (canvas === undefined) throw new Error(JSON.stringify(problems));
      await engine.saveDraft(companyId, canvas);
      await engine.publish(companyId, canvas.id);
    },
    call: (nodeId: string, body: { readonly executionId?: string }, method = 'POST') =>
      engine.receiveWebhook({
        companyId,
        workflowId: 'order',
        nodeId,
        route: 'production',
        channel: 'web',
        request: { method, headers: {}, query: {}, body },
      }),
    async statusOf(executionId: string) {
      await engine.whenIdle();
      return (await engine.execution(companyId, executionId))?.state.status;
    },
  };
};

describe('a publish that removes the webhook', () => {
  it('lets waiting executions be resumed, and accepts no new call (P14, WEB-01, WEB-21)', async () => {
    const { publish, call, statusOf } = start();
    await publish(waitingAt('old'));
    const { executionId } = await call('old', {});
    expect(await statusOf(executionId)).toBe('waiting');
    await publish(waitingAt('new'));

    await expect(call('old', {})).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
    await expect(call('never', { executionId })).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
    expect(await call('old', { executionId })).toMatchObject({ executionId, mode: 'resume' });
    expect(await statusOf(executionId)).toBe('completed');
  });
});

describe('a publish that changes the methods', () => {
  it.each([[['PUT']], [[]]])('to %j leaves what waits to be resumed by its own (P14, VER-02, WEB-21)', async (methods) => {
    const { publish, call, statusOf } = start();
    await publish(waitingAt('hook'));
    const { executionId } = await call('hook', {});
    expect(await statusOf(executionId)).toBe('waiting');
    await publish(waitingAt('hook', methods));

    await expect(call('hook', {})).rejects.toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
    await expect(call('hook', { executionId }, 'PUT')).rejects.toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
    expect(await call('hook', { executionId })).toMatchObject({ executionId, mode: 'resume' });
    expect(await statusOf(executionId)).toBe('completed');
  });
});
