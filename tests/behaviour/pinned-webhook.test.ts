import { createEngine, parseCanvas } from '@hilo/engine';
import { type CanvasStore, createMemoryCanvases, createMemoryStore, type JsonObject } from '@hilo/engine/store-kit';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { createVirtualClock, seededRandom } from '../../packages/testing/src/index.ts';

const companyId = '1';

/** A tool that waits for a second request, at a webhook with the given id. */
const waitingAt = (nodeId: string, methods: readonly string[] = ['POST'], executionIdPath = 'executionId'): object => ({
  schemaVersion: 1,
  id: 'order',
  name: 'Order',
  kind: 'tool',
  nodes: [
    { id: nodeId, type: 'webhook', data: { variableName: 'order', methods, executionIdPath } },
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
  let isRemoved = false;
  const kept = createMemoryCanvases();
  const canvases: CanvasStore = {
    ...kept,
    latest: async (company, id) => (isRemoved ? undefined : kept.latest(company, id)),
    version: () => Promise.reject(new Error('Versions are not read one by one')),
    versions: () => Promise.reject(new Error('Nor all of them')),
  };
  const store = { executions: createMemoryStore(), canvases };
  const engine = createEngine({ nodes: standardNodes, clock: createVirtualClock(), random: seededRandom(1), store });
  const save = async (json: object): Promise<void> => {
    const { canvas, problems } = parseCanvas(json);
    if (canvas === undefined) throw new Error(JSON.stringify(problems));
    await engine.saveDraft(companyId, canvas);
  };
  return {
    engine,
    save,
    async publish(json: object): Promise<void> {
      await save(json);
      await engine.publish(companyId, 'order');
    },
    remove: () => void (isRemoved = true),
    call: (nodeId: string, body: JsonObject, method = 'POST', company = companyId, route: 'production' | 'test' = 'production') =>
      engine.receiveWebhook({
        companyId: company,
        workflowId: 'order',
        nodeId,
        route,
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

  it('lets each be resumed where its own version looks for the id, and nowhere else (P14, WEB-11)', async () => {
    const { publish, call, statusOf } = start();
    await publish(waitingAt('old', ['POST'], 'meta.id'));
    const [first, second] = [await call('old', {}), await call('old', {})].map(({ executionId }) => executionId);
    if (first === undefined || second === undefined) throw new Error('Nothing began');
    await publish(waitingAt('old', ['POST'], 'ids[0]'));
    await publish(waitingAt('new'));
    expect(await statusOf(first)).toBe('waiting');

    await expect(call('old', { ids: [first] })).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
    await expect(call('old', { meta: { id: first } }, 'POST', '2')).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
    expect(await call('old', { ids: [first], meta: { id: second } })).toMatchObject({ executionId: second, mode: 'resume' });
    expect([await statusOf(first), await statusOf(second)]).toEqual(['waiting', 'completed']);
  });

  it('looks up at most a hundred executions for one request (P20)', async () => {
    const { publish, call } = start();
    await publish(waitingAt('old'));
    const { executionId } = await call('old', {});
    await publish(waitingAt('new'));
    const others = (count: number) => Array.from({ length: count }, (_, index) => index.toString(16).padStart(32, '0'));
    await expect(call('old', { others: others(100), executionId })).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
    expect(await call('old', { others: others(99), executionId })).toMatchObject({ executionId, mode: 'resume' });
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

describe('what waits', () => {
  it('is resumed by the test route while the draft is broken, which starts nothing (P14, VER-02)', async () => {
    const { save, call, statusOf } = start();
    const test = (body: JsonObject) => call('hook', body, 'POST', companyId, 'test');
    await save(waitingAt('hook'));
    const { executionId } = await test({});
    expect(await statusOf(executionId)).toBe('waiting');
    await save({ ...waitingAt('hook'), nodes: [{ id: 'hook', type: 'nonsense', data: {} }] });

    await expect(test({})).rejects.toMatchObject({ code: 'INVALID_CANVAS' });
    expect(await test({ executionId })).toMatchObject({ executionId, mode: 'resume' });
    expect(await statusOf(executionId)).toBe('completed');
  });

  it('is resumed though its workflow was removed while it began, and nothing else is (P14, WEB-22)', async () => {
    const { publish, remove, call, statusOf } = start();
    await publish(waitingAt('hook'));
    const { executionId } = await call('hook', {});
    expect(await statusOf(executionId)).toBe('waiting');
    remove();

    for (const body of [{}, { executionId: 'f'.repeat(32) }])
      await expect(call('hook', body)).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
    await expect(call('never', { executionId })).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
    expect(await call('hook', { executionId })).toMatchObject({ executionId, mode: 'resume' });
    expect(await statusOf(executionId)).toBe('completed');
  });
});
