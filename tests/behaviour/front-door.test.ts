import { createEngine, createMemoryCanvases, createMemoryStore, type EngineOptions, HiloError, parseCanvas } from '@hilo/engine';
import { drive, sendMessage, standardNodes } from '@hilo/nodes';
import { respondWebhook } from '@hilo/nodes/effects';
import fc from 'fast-check';
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

const refused = async (act: () => unknown) => {
  try {
    await act();
  } catch (error) {
    if (error instanceof HiloError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'taken';
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

  it('gives a host the headers that a canvas may set, and no other, also of a child that answers', async () => {
    const store = { executions: createMemoryStore(), canvases: createMemoryCanvases() };
    const { acme } = await acmeWith({ clock: createVirtualClock(), random: seededRandom(1), store });
    const headers = { 'Set-Cookie': 'a=b', 'X-Shop': 'open', Location: 'https://shop.example/', 'content-security-policy': 'none' };
    const { canvas } = parseCanvas(answering([{ ...say, data: { ...say.data, headers } }]));
    if (canvas === undefined) throw new Error('not a canvas');
    await store.canvases.publish('acme', canvas, 'unchecked', 0); // as a build published it that did not refuse them
    const { response } = await acme.webhook('price', new Request('https://bot.example/price?amount=7'));
    expect(response).toEqual({
      status: 201,
      headers: { 'x-shop': 'open', location: 'https://shop.example/', 'content-type': 'application/json' },
      body: { total: '7' },
    });
    const child = {
      schemaVersion: 1,
      id: 'child',
      name: 'Child',
      kind: 'tool',
      nodes: [
        { id: 'begin', type: 'start', data: {} },
        { id: 'say', type: 'respond', data: { status: 202, body: 'ok' } },
        { id: 'done', type: 'end' },
      ],
      edges: [
        { source: 'begin', target: 'say' },
        { source: 'say', target: 'done' },
      ],
    };
    await acme.publish(child);
    const parent = answering([{ id: 'say', type: 'workflow', data: { workflowId: 'child' } }]);
    const edges = parent.edges.map((edge) => (edge.source === 'say' ? { ...edge, sourceHandle: 'success' } : edge));
    await acme.publish({ ...parent, id: 'parent', edges });
    expect((await acme.webhook('parent', { method: 'GET' })).response).toEqual({
      status: 202,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: 'ok',
    });
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
    expect(await failure(post(`"${'x'.repeat(1_048_577)}"`))).toMatchObject({ code: 'INVALID_REQUEST', status: 413 });
    expect(await failure(acme.webhook('order', { method: 'GET' }))).toMatchObject({ code: 'METHOD_NOT_ALLOWED', status: 405 });
    expect((await post('user=593987654321', 'application/x-www-form-urlencoded')).mode).toBe('new');
    const delivery = { bot: 'b', deliveryId: 'm', user: { id: 'u' }, message: { type: 'text', text: 'x' } };
    for (const broken of [
      { bot: '' },
      { deliveryId: undefined },
      { user: undefined },
      { user: {} },
      { message: 'x' },
      { message: {} },
      { atMs: '1' },
      { repliesTo: 'x' },
      { repliesTo: [1] },
    ] as readonly object[])
      expect(await failure(acme.message({ ...delivery, ...broken }))).toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

describe('what a message says of itself', () => {
  const told = {
    ...asking,
    nodes: [
      { id: 'any', type: 'start', data: { fallback: true } },
      asking.nodes[1],
      { id: 'done', type: 'end', data: { outputs: { id: '{{$message.id}}', at: '{{$message.at}}' } } },
    ],
    edges: [{ source: 'any', target: 'shown' }, asking.edges[1]],
  };

  it.each([
    ['the time of arrival and the id of its delivery', {}, {}, { id: 'two', at: '2026-01-02T00:00:00.000Z' }],
    ['the time and the id that are told', { atMs: Date.UTC(2026, 0, 1, 12) }, { id: 'own' }, { id: 'own', at: '2026-01-01T12:00:00.000Z' }],
    ['no time of its own', {}, { at: 'noon' }, { id: 'two', at: '2026-01-02T00:00:00.000Z' }],
  ])('is %s', async (_what, more, message, outputs) => {
    const clock = createVirtualClock(Date.UTC(2026, 0, 1));
    const { engine, acme } = await acmeWith({ clock, random: seededRandom(1) });
    const ended: unknown[] = [];
    engine.on('execution.ended', (_ref, { outputs: given }) => ended.push(given));
    await acme.publish(told);
    await acme.message({ bot: 'b', deliveryId: 'one', user: { id: 'ana' }, message: { type: 'text', text: 'Hi' } });
    await engine.whenIdle();
    clock.advanceTo(Date.UTC(2026, 0, 2));
    await acme.message({ bot: 'b', deliveryId: 'two', user: { id: 'ana' }, message: { type: 'text', text: 'yes', ...message }, ...more });
    await engine.whenIdle();
    expect(ended).toEqual([outputs]);
  });

  it('names the question that it answers, and an opening answers none', async () => {
    const { engine, acme } = await acmeWith();
    await acme.publish({ ...told, id: 'any' });
    const say = (deliveryId: string, more: object) =>
      acme.message({ bot: 'b', deliveryId, user: { id: 'ana' }, message: { type: 'text', text: 'Hi', replyTo: 'x' }, ...more });
    const outcomes = [];
    for (const [id, more] of Object.entries({ one: {}, two: { repliesTo: [] }, three: { isOpening: true }, four: {} })) {
      outcomes.push((await say(id, more)).outcome);
      await engine.whenIdle();
    }
    expect(outcomes).toEqual(['started', 'unmatched', 'unmatched', 'resumed']);
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

describe('What a host hands over', () => {
  const cyclic: { [key: string]: unknown } = {};
  cyclic['again'] = cyclic;
  const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
  const notJson = [cyclic, nested(64), 5n, Number.NaN, new Date(0), () => 1, Symbol('s'), new Map(), 'x'.repeat(1024 * 1024)];

  it.each(notJson.map((value) => [String(value).slice(0, 20), value] as const))(
    'is refused before it is accepted where no store can keep it: %s',
    async (_, value) => {
      const { engine, acme, sent } = await acmeWith();
      await acme.publish(asking);
      await acme.publish(answering([say]));
      const deliver = (message: object) =>
        acme.message({ bot: 'web', deliveryId: 'd1', user: { id: 'ana' }, message: message as { readonly type: string } });
      expect(await refused(() => deliver({ type: 'text', text: 'x', value }))).toMatch(/^INVALID_REQUEST: "message" of the delivery /);
      const body = { value } as never;
      expect(await refused(() => acme.webhook('price', { method: 'POST', body }))).toMatch(/^INVALID_REQUEST: The body /);
      expect(await refused(() => acme.start('order', { inputs: body }))).toMatch(/^INVALID_REQUEST: "inputs" /);
      expect(await refused(() => acme.signal('paid', { payload: body }))).toMatch(/^INVALID_REQUEST: The payload of the signal /);
      await engine.whenIdle();
      expect(await refused(() => deliver({ type: 'text', text: 'nothing stands in its way' }))).toBe('taken');
      expect(sent).toEqual([]);
    },
  );

  it('may be changed by its owner afterwards', async () => {
    const { engine, acme } = await acmeWith();
    await acme.publish(asking);
    const body = { user: '5215512345678' };
    const { executionId } = await acme.webhook('order', { method: 'POST', body }, { bot: 'wa' });
    const message = { type: 'text', text: 'yes' };
    const taken = acme.message({ bot: 'wa', deliveryId: 'd1', user: { id: '5215512345678' }, message });
    message.text = 'no';
    body.user = 'another';
    await taken;
    await engine.whenIdle();
    expect((await acme.execution(executionId))?.state).toMatchObject({
      status: 'completed',
      ending: { outputs: { answer: 'yes' } },
      variables: { $webhook: { order: { body: { user: '5215512345678' } } } },
    });
  });

  const saying = (message: object) => ({ bot: 'web', deliveryId: 'd', user: { id: 'ana' }, message: message as { readonly type: string } });

  it('is a message of any type, with fields of its own', async () => {
    const { acme } = await acmeWith();
    const taken = [
      { type: 'text', text: '' },
      { type: 'of-our-own', text: 'x', value: { a: [1, null] } },
      { type: 'text', id: 'own' },
    ];
    for (const [index, message] of taken.entries())
      expect(await acme.message({ ...saying(message), deliveryId: `${index}` })).toEqual({ outcome: 'unmatched' });
    expect(await acme.message({ ...saying({ type: 'text' }), user: { id: 'bea', phone: null, names: null } })).toEqual({
      outcome: 'unmatched',
    });
  });

  it.each<[(acme: Awaited<ReturnType<typeof acmeWith>>['acme']) => unknown, string]>([
    [(acme) => acme.message(undefined as never), 'A delivery must be an object'],
    [
      (acme) => acme.message({ bot: 'web', deliveryId: 'd', user: 'ana', message: {} } as never),
      '"user" of the delivery must be an object',
    ],
    [(acme) => acme.webhook('order', null as never), 'The request must be an object'],
    [(acme) => acme.webhook('order', {} as never), 'A request has a "method": a text that is not empty'],
    [(acme) => acme.webhook('order', { method: 'POST', headers: { a: 5 } } as never), 'The header "a" must be a text'],
    [(acme) => acme.webhook('order', { method: 'POST', query: [] } as never), '"query" of the request must be an object'],
    [(acme) => acme.start('order', { inputs: [] as never }), '"inputs" must be an object'],
    [(acme) => acme.message(saying({})), 'The message of a delivery has a "message.type", such as "text": a text that is not empty'],
    [
      (acme) => acme.message(saying({ type: '' })),
      'The message of a delivery has a "message.type", such as "text": a text that is not empty',
    ],
    [
      (acme) => acme.message(saying({ type: 5 })),
      'The message of a delivery has a "message.type", such as "text": a text that is not empty',
    ],
    [(acme) => acme.message(saying({ type: 'text', text: 5 })), '"message.text" of the delivery must be a text'],
    [(acme) => acme.message(saying({ type: 'button', payload: null })), '"message.payload" of the delivery must be a text'],
    [(acme) => acme.message(saying({ type: 'text', id: 7 })), '"message.id" of the delivery: a text that is not empty'],
    [
      (acme) => acme.message({ ...saying({ type: 'text' }), user: { id: 'ana', phone: 5 } } as never),
      '"user.phone" of the delivery must be a text, or null',
    ],
    [
      (acme) => acme.message({ ...saying({ type: 'text' }), user: { id: 'ana', locale: {} } } as never),
      '"user.locale" of the delivery must be a text, or null',
    ],
    [(acme) => acme.start('order', { user: { id: 5 } } as never), '"user.id": a text that is not empty'],
    [(acme) => acme.start('order', { user: 'ana' } as never), '"user" must be an object'],
    [(acme) => acme.start('order', { bot: 5 } as never), '"bot": a text that is not empty'],
    [(acme) => acme.start('order', { version: '1' } as never), '"version" must be a whole number from 1'],
    [(acme) => acme.start('order', { version: 0 }), '"version" must be a whole number from 1'],
    [(acme) => acme.start('order', { idempotencyKey: 5 } as never), '"idempotencyKey": a text that is not empty'],
    [(acme) => acme.test('order', { user: { id: '' } }), '"user.id": a text that is not empty'],
    [(acme) => acme.webhook('order', { method: 'POST' }, { bot: 5 } as never), '"bot": a text that is not empty'],
    [(acme) => acme.signal('paid', { ttlMs: '5' } as never), '"ttlMs" must be a whole number of milliseconds from 0'],
    [(acme) => acme.signal('paid', { ttlMs: -1 }), '"ttlMs" must be a whole number of milliseconds from 0'],
    [(acme) => acme.signal('', {}), 'A signal has a name: a text that is not empty'],
    [(acme) => acme.signal('paid', { correlation: 5 as never }), '"correlation" of a signal must be a text'],
  ])('is told apart in a sentence: %s', async (act, sentence) => {
    const { acme } = await acmeWith();
    await acme.publish(asking);
    expect(await refused(() => act(acme))).toBe(`INVALID_REQUEST: ${sentence}`);
  });

  it('is a request that nobody has read', async () => {
    const { acme } = await acmeWith();
    await acme.publish(answering([say]));
    const request = new Request('https://bots.test/x', { method: 'POST', body: '{}' });
    await request.text();
    expect(await refused(() => acme.webhook('price', request))).toBe(
      'INVALID_REQUEST: The body of the request was read before: hand over a clone',
    );
  });

  const [node] = standardNodes;
  it.each<[unknown, string]>([
    [undefined, 'createEngine takes an object'],
    [{}, '"nodes" is missing'],
    [{ nodes: 'standard' }, '"nodes" must be a list'],
    [{ nodes: [node, {}] }, '"nodes" has at 1 what is no node definition'],
    [{ nodes: [node, node] }, `"nodes" has the type "${node?.type}" twice`],
    [{ nodes: [], drivers: [{}] }, '"drivers" has at 0 what is no driver'],
    [{ nodes: [], drivers: [drive(sendMessage, undefined as never)] }, '"drivers" has at 0 a driver of message.send without a function'],
    [{ nodes: [], driver: [] }, 'There is no option "driver"; there are nodes, drivers'],
    [{ nodes: [], store: Promise.resolve({}) }, '"store" is a promise: await'],
    [{ nodes: [], store: {} }, '"store" must have "executions" and "canvases"'],
    [{ nodes: [], clock: { now: () => 1 } }, '"clock" must have "setTimeout", "clearTimeout"'],
    [{ nodes: [], random: Math.random }, '"random" must have "bytes"'],
    [{ nodes: [], trace: {} }, '"trace" must be a function'],
  ])('is refused where no engine can be made of it: %j', async (options, sentence) => {
    expect(await refused(() => createEngine(options as EngineOptions))).toMatch(new RegExp(`^INVALID_OPTIONS: ${sentence}`));
  });

  it('names a company, an event and a listener that there can be', async () => {
    const { engine } = await acmeWith();
    expect(await refused(() => engine.company(''))).toBe('INVALID_REQUEST: A company has an id: a text that is not empty');
    expect(await refused(() => engine.on('execution.end' as never, () => 1))).toMatch(
      /^INVALID_OPTIONS: There is no event "execution.end"; there are .*execution\.ended/,
    );
    expect(await refused(() => engine.on('execution.ended', undefined as never))).toBe(
      'INVALID_OPTIONS: The listener of execution.ended must be a function',
    );
  });
});

describe("engine.company('acme') as its authors use it", () => {
  it('refuses names that its options do not have, and ids that are no texts', async () => {
    const { acme } = await acmeWith();
    await acme.publish(asking);
    expect(await refused(() => acme.executions({ workflow: 'order' } as never))).toBe(
      'INVALID_REQUEST: The filters of executions have no "workflow"; there are workflowId, status, userId, limit, cursor',
    );
    expect(await refused(() => acme.executions({ status: 'open' as never }))).toMatch(
      /^INVALID_REQUEST: "status" of executions must be one of running,/,
    );
    expect(await refused(() => acme.executions('order' as never))).toMatch(/^INVALID_REQUEST: /);
    expect(await refused(() => acme.start('order', { input: {} } as never))).toMatch(
      /^INVALID_REQUEST: The options of a start have no "input"; there are inputs,/,
    );
    expect(await refused(() => acme.test('order', { users: {} } as never))).toMatch(
      /^INVALID_REQUEST: The options of a test have no "users"/,
    );
    expect(await refused(() => acme.signal('paid', { correlate: '1' } as never))).toMatch(
      /^INVALID_REQUEST: The options of a signal have no "correlate"/,
    );
    for (const id of [undefined, '', 7, { workflowId: 'order' }])
      expect(await refused(() => acme.start(id as never))).toBe('INVALID_REQUEST: A workflow has an id: a text that is not empty');
    expect(await refused(() => acme.diff('order', 1, 7))).toBe(
      'WORKFLOW_NOT_FOUND: There is no version 7 of workflow "order": name one that it has',
    );
    expect(await refused(() => Promise.resolve(acme.on('execution.ended', undefined as never)))).toBe(
      'INVALID_OPTIONS: The listener of execution.ended must be a function',
    );
  });

  it('checks, keeps and starts drafts, and compares versions', async () => {
    const { acme } = await acmeWith();
    const broken = { ...asking, edges: asking.edges.slice(1) };
    expect((await acme.validate(broken)).map(({ severity }) => severity)).toContain('error');
    await expect(acme.test('order')).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
    expect(await acme.saveDraft(broken)).toMatchObject({ workflowId: 'order' });
    expect(await acme.versions('order')).toEqual([]);
    await acme.saveDraft(asking);
    const { executionId } = await acme.test('order', { user: { id: '593987654321' }, bot: 'b' });
    expect(await acme.execution(executionId)).toMatchObject({ version: 'draft', state: { origin: { route: 'test' } } });
    await acme.publish(asking);
    await acme.publish({ ...asking, nodes: [...asking.nodes.slice(0, 2), { id: 'done', type: 'end' }] });
    expect((await acme.versions('order')).map(({ version }) => version)).toEqual([1, 2]);
    expect((await acme.diff('order', 1, 2)).nodes).toMatchObject([{ nodeId: 'done', kind: 'changed' }]);
    expect(await acme.diff('order', 2)).toEqual({ nodes: [], edges: [], settings: [] });
    await expect(acme.diff('order', 1, 7)).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
    await expect(acme.saveDraft('{')).rejects.toMatchObject({ code: 'INVALID_CANVAS' });
  });

  it('counts what is open, lists it page by page, and hears of its own company alone', async () => {
    const { acme, engine } = await acmeWith();
    const waiting: string[] = [];
    const off = acme.on('execution.waiting', ({ companyId }, { nodeId }) => waiting.push(`${companyId} ${nodeId}`));
    await acme.publish(asking);
    await engine.company('other').publish(asking);
    for (const user of ['593987654321', '593987654322', '593987654323'])
      await acme.webhook('order', { method: 'POST', body: { user } }, { bot: 'b' });
    await engine.company('other').webhook('order', { method: 'POST', body: { user: '593987654321' } }, { bot: 'b' });
    await engine.whenIdle();
    expect(waiting).toEqual(['acme shown', 'acme shown', 'acme shown']);
    off();
    const { results, nextCursor } = await acme.executions({ workflowId: 'order', status: 'waiting', limit: 2 });
    expect(results).toHaveLength(2);
    expect((await acme.executions({ limit: 2, cursor: nextCursor ?? '' })).results).toHaveLength(1);
    await acme.cancel(results[0]?.executionId ?? '');
    expect(await acme.population('order')).toEqual([
      {
        version: 1,
        running: 0,
        waiting: 2,
        quarantined: 0,
        nodes: [{ nodeId: 'shown', waiting: 2, oldestMs: expect.any(Number) as unknown }],
      },
    ]);
    for (const limit of [0, 1_001, 1.5]) await expect(acme.executions({ limit })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(waiting).toHaveLength(3);
  });

  it('tells arguments that are not of their kind in a sentence, whatever a host in JavaScript gives', async () => {
    const { engine, acme } = await acmeWith();
    await acme.publish(asking);
    const trap = (): never => {
      throw new Error('a trap');
    };
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    const bare: unknown = Object.create(null);
    const simple: readonly unknown[] = [
      undefined,
      null,
      0,
      NaN,
      -1,
      1n,
      true,
      '',
      'order',
      'a\0b',
      '\ud800',
      Symbol('s'),
      () => 1,
      class A {},
    ];
    const objects: readonly unknown[] = [
      [],
      {},
      [1],
      { odd: 1 },
      new Date(0),
      new Map(),
      bare,
      loop,
      new Proxy({}, { get: trap, ownKeys: trap }),
    ];
    const fields = [
      'channels',
      'published',
      'resolve',
      'user',
      'says',
      'ignore',
      'before',
      'place',
      'type',
      'job',
      'workflowId',
      'inputs',
      'version',
    ];
    const verbs = [acme, acme.migrations, acme.bulk].flatMap((of) =>
      Object.entries(of).filter((entry): entry is [string, (...given: readonly unknown[]) => unknown] => typeof entry[1] === 'function'),
    );
    const argument = fc.oneof(
      fc.constantFrom(...simple, ...objects),
      fc.tuple(fc.constantFrom(...fields), fc.constantFrom(...simple)).map(([field, value]) => ({ [field]: value })),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...verbs), fc.array(argument, { maxLength: 3 }), async ([name, verb], given) => {
        expect({ name, told: typeof (await refused(() => verb(...given))) }).toEqual({ name, told: 'string' });
      }),
      { numRuns: 1_500 },
    );
    const others = new Set([
      'on',
      'off',
      'company',
      'start',
      'begin',
      'stop',
      'replayStore',
      'refuseWebhook',
      'takeHandedCall',
      'awaitFinish',
      'recoverCompanies',
    ]);
    const lower = Object.entries(engine).filter(
      (entry): entry is [string, (...given: readonly unknown[]) => unknown] => typeof entry[1] === 'function' && !others.has(entry[0]),
    );
    const parts = fc.oneof(
      argument,
      fc.record(
        {
          companyId: fc.constantFrom('acme', 7, ''),
          workflowId: fc.constantFrom('order', null),
          nodeId: fc.constantFrom('hook', 1n),
          botId: fc.constantFrom('b', {}),
          eventId: fc.constantFrom('e', []),
          id: fc.constantFrom('order', 3),
          origin: argument,
          user: argument,
          message: argument,
          request: argument,
          claim: argument,
        },
        { requiredKeys: [] },
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...lower), fc.array(parts, { maxLength: 3 }), async ([name, verb], given) => {
        expect({ name, told: typeof (await refused(() => verb(...given))) }).toEqual({ name, told: 'string' });
      }),
      { numRuns: 600 },
    );
    // A canvas that was not parsed: what it lacks is told before it is hashed.
    const save = engine.saveDraft.bind(engine) as (...given: readonly unknown[]) => Promise<unknown>;
    for (const nodes of [undefined, null, {}, 'one', [null], [7], [[]]])
      expect(await refused(() => save('acme', { id: 'order', nodes, edges: [] }))).toMatch(
        /"nodes" of the canvas must be a list of objects|JSON/,
      );
    expect(await refused(() => save('acme', { id: 'order', nodes: [], edges: [null] }))).toMatch(
      /"edges" of the canvas must be a list of objects/,
    );
    const wrong = engine.publish.bind(engine) as (...given: readonly unknown[]) => Promise<unknown>;
    expect(await refused(() => wrong('acme', asking))).toMatch(/^INVALID_REQUEST: "workflowId" must be a text.*engine\.company/);
    expect(await refused(() => (engine.company as (id: unknown) => unknown)(7))).toMatch(/^INVALID_REQUEST: A company has an id/);
  });
});
