import { createEngine, type EngineOptions, HiloError } from '@hilo/engine';
import { drive, sendMessage, standardNodes } from '@hilo/nodes';
import { respondWebhook } from '@hilo/nodes/effects';
import { describe, expect, it } from 'vitest';
import { createVirtualClock, seededRandom } from '../../packages/testing/src/index.ts';

/** A company whose bot asks a question when its webhook is called. */
async function acmeWith(options: Partial<EngineOptions> = { clock: createVirtualClock(), random: seededRandom(1) }) {
  const sent: unknown[] = [];
  const engine = createEngine({
    nodes: standardNodes,
    drivers: [
      drive(sendMessage, ({ message }, { userId, idempotencyKey }) => {
        sent.push([userId, message]);
        return { kind: 'sent', messageId: idempotencyKey };
      }),
      drive(respondWebhook, () => ({ kind: 'done' })),
    ],
    ...options,
  });
  const acme = engine.company('acme');
  await engine.start();
  return { engine, acme, sent };
}

const asking = {
  schemaVersion: 1,
  id: 'order',
  name: 'Order',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user' } },
    { id: 'shown', type: 'ask', data: { message: { type: 'text', text: 'Now?' }, input: { kind: 'text' }, saveAs: '$context.answer' } },
    { id: 'done', type: 'end', data: { outputs: { answer: '{{$context.answer}}' } } },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'shown' },
    { source: 'shown', sourceHandle: 'answered', target: 'done' },
  ],
};

const answering = (respond: readonly object[] = []) => ({
  schemaVersion: 1,
  id: 'price',
  name: 'Price',
  kind: 'tool',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'call', methods: ['GET', 'POST'], respond: 'onFinish' } },
    ...respond,
    { id: 'done', type: 'end' },
  ],
  edges:
    respond.length === 0
      ? [{ source: 'hook', sourceHandle: 'new', target: 'done' }]
      : [
          { source: 'hook', sourceHandle: 'new', target: 'say' },
          { source: 'say', target: 'done' },
        ],
});

const say = { id: 'say', type: 'respond', data: { status: 201, body: { total: '{{$webhook.call.query.amount}}' } } };

const failure = async (promise: Promise<unknown>): Promise<HiloError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof HiloError)) throw new Error(`no HiloError: ${String(error)}`);
  return error;
};

describe("engine.company('acme')", () => {
  it('publishes, accepts a web standard request and a message, and emits the outcome', async () => {
    const { engine, acme, sent } = await acmeWith();
    const ended: unknown[] = [];
    engine.on('execution.ended', ({ companyId }, { status, outputs }) => ended.push([companyId, status, outputs]));
    expect(await acme.publish(JSON.stringify(asking))).toEqual({ workflowId: 'order', version: 1, warnings: expect.any(Array) as unknown });
    const request = new Request('https://bot.example/hook?a=1&b=2&b=3', {
      method: 'POST',
      body: JSON.stringify({ user: '593987654321' }),
      headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
    });
    const again = request.clone();
    const { executionId, mode, response } = await acme.webhook('order', request, { bot: 'web-bot' });
    expect([mode, response]).toEqual([
      'new',
      {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: { success: true, executionId, mode: 'new', isNewExecution: true },
      },
    ]);
    expect((await acme.webhook('order', again, { bot: 'web-bot' })).executionId).toBe(executionId);
    await engine.whenIdle();
    expect(sent).toMatchObject([['593987654321', { text: 'Now?' }]]);
    const { variables } = (await acme.execution(executionId))!.state;
    expect(variables['$webhook']).toMatchObject({ order: { query: { a: '1', b: ['2', '3'] } } });

    const yes = { bot: 'web-bot', deliveryId: 'm-1', user: { id: '593987654321' }, message: { type: 'text', text: 'yes' } };
    expect(await acme.message(yes)).toEqual({ outcome: 'resumed' });
    expect(await acme.message(yes)).toEqual({ outcome: 'duplicate' });
    await engine.whenIdle();
    expect(ended).toEqual([['acme', 'completed', { answer: 'yes' }]]);
    expect((await acme.history(executionId)).length).toBeGreaterThan(1);
  });

  it('keeps companies apart', async () => {
    const { engine, acme } = await acmeWith();
    await acme.publish(asking);
    const { executionId } = await acme.webhook('order', { method: 'POST', body: { user: '593987654321' } }, { bot: 'b' });
    const other = engine.company('other');
    expect(await other.execution(executionId)).toBeUndefined();
    expect(await failure(other.webhook('order', { method: 'POST' }))).toMatchObject({ code: 'WORKFLOW_NOT_FOUND', status: 404 });
    expect(await failure(other.cancel(executionId))).toMatchObject({ code: 'EXECUTION_NOT_FOUND', status: 404 });
    expect((await acme.cancel(executionId)).state.status).toBe('cancelled');
  });

  it('starts a workflow by its name, once for each key', async () => {
    const { acme } = await acmeWith();
    await acme.publish(asking);
    const first = await acme.start('order', { user: { id: '593987654321' }, bot: 'b', idempotencyKey: 'k' });
    expect(await acme.start('order', { user: { id: '593987654321' }, bot: 'b', idempotencyKey: 'k' })).toEqual(first);
    expect((await acme.execution(first.executionId))?.state.origin).toMatchObject({ companyId: 'acme', channel: 'web', botId: 'b' });
    expect(await acme.signal('nobody.waits')).toEqual({ executionIds: [] });
  });

  it('returns the canvas’s response when it waits for the end, and otherwise the status', async () => {
    const { acme } = await acmeWith();
    await acme.publish(answering([say]));
    const { response } = await acme.webhook('price', new Request('https://bot.example/?amount=7'));
    expect(response).toMatchObject({ status: 201, body: { total: '7' } });
    await acme.publish(answering());
    const ended = await acme.webhook('price', { method: 'GET' });
    expect(ended.response).toMatchObject({ status: 200, body: { success: true, status: 'completed' } });
  });

  it('stores nothing of a refused canvas, and reports every problem', async () => {
    const { acme } = await acmeWith();
    const refused = await failure(acme.publish({ ...asking, edges: [], nodes: [...asking.nodes, { id: 'x y', type: 'nothing' }] }));
    expect(refused).toMatchObject({ code: 'INVALID_CANVAS', status: 422 });
    if (!('problems' in refused.details)) throw new Error('no problems');
    expect(refused.details.problems.length).toBeGreaterThan(2);
    expect(await failure(acme.start('order'))).toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
    for (const none of ['', 'null', '[]', '{"schemaVersion":1}'])
      expect(await failure(acme.publish(none))).toMatchObject({ code: 'INVALID_CANVAS' });
  });

  it('refuses what has not the shape of a call', async () => {
    const { acme } = await acmeWith();
    await acme.publish(asking);
    const post = (body: string, type = 'application/json') =>
      acme.webhook('order', new Request('https://bot.example/', { method: 'POST', body, headers: { 'content-type': type } }));
    expect(await failure(post('{'))).toMatchObject({ code: 'INVALID_REQUEST', status: 400 });
    expect(await failure(post(`"${'x'.repeat(1_048_577)}"`))).toMatchObject({ code: 'INVALID_REQUEST', status: 400 });
    expect(await failure(acme.webhook('order', { method: 'GET' }))).toMatchObject({ code: 'METHOD_NOT_ALLOWED', status: 405 });
    expect((await post('user=593987654321', 'application/x-www-form-urlencoded')).mode).toBe('new');
    const delivery = { bot: 'b', deliveryId: 'm', user: { id: 'u' }, message: { type: 'text', text: 'x' } };
    for (const broken of [{ bot: '' }, { deliveryId: undefined }, { user: undefined }, { user: {} }, { message: 'x' }] as readonly object[])
      expect(await failure(acme.message({ ...delivery, ...broken }))).toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

describe('createEngine without clock and random', () => {
  it("takes the machine's", async () => {
    const { acme } = await acmeWith({});
    await acme.publish(asking);
    const before = Date.now();
    const { executionId } = await acme.start('order', { user: { id: '593987654321' }, bot: 'b' });
    expect((await acme.execution(executionId))!.createdAtMs).toBeGreaterThanOrEqual(before);
    const other = await acme.start('order', { user: { id: '593987654322' }, bot: 'b' });
    expect(other.executionId).not.toBe(executionId);
  });
});
