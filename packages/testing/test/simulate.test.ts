import { readFileSync } from 'node:fs';
import { getPath, HiloError, isHiloError, type JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { replayScript } from '../src/script/replay-script.ts';
import { simulate } from '../src/simulation/simulate.ts';

const example = (name: string): JsonObject =>
  JSON.parse(readFileSync(new URL(`../../../examples/workspace/canvases/${name}.json`, import.meta.url), 'utf8')) as JsonObject;

const userId = '5215512345678';
const selfService = (plan: string) => ({ plan, kind: 'self-service', settings: { ordersUrl: 'https://orders.example' } });
const texts = (sent: readonly unknown[]) =>
  sent.map((message) => getPath(message as JsonObject, ['text']) ?? getPath(message as JsonObject, ['templateId']));

describe('order-status', () => {
  it('asks for the number until it is one, calls the service, and says what it answers', async () => {
    const talk = await simulate({ canvases: [example('order-status')], company: selfService('growth') });
    await talk.says('Pedido');
    await talk.says('the blue one');
    await talk.says('17');
    expect(talk.calls.at(-1)).toMatchObject({
      effect: 'http.request',
      request: { method: 'GET', url: 'https://orders.example/orders/17', timeoutMs: 30_000 },
      nodeId: 'look',
      attempt: 1,
    });
    await talk.apiAnswers({ status: 200, body: { state: 'lost' } });
    await talk.says('perhaps');
    await talk.says('Yes');
    expect(texts(talk.sent)).toEqual([
      'What is your order number?',
      'That is not a number. Try again.',
      'Order 17 was lost. Shall we send it again?',
      'Order 17 was lost. Shall we send it again?',
      'A new one is on its way.',
    ]);
    expect((await talk.variables())['$context']).toMatchObject({
      order: 17,
      again: 'Yes',
      result: { status: 200, body: { state: 'lost' } },
    });
    expect((await talk.execution())?.state.status).toBe('completed');
  });

  it('is cut by the plan, and the log says by which limit (TMO-06)', async () => {
    const talk = await simulate({ canvases: [example('order-status')], company: selfService('free') });
    await talk.says('order');
    await talk.says('17');
    await talk.passes(9_999);
    expect(texts(talk.sent)).toEqual(['What is your order number?']);
    await talk.passes(1);
    expect(texts(talk.sent).at(-1)).toBe('The order service did not answer (PLAN_TIMEOUT_EXCEEDED).');
    const entry = (await talk.history()).flatMap(({ entries }) => entries).find(({ cause }) => cause === 'PLAN_TIMEOUT_EXCEEDED');
    expect(entry).toMatchObject({ nodeId: 'look', port: 'error', limitMs: 10_000, configuredMs: 45_000, appliedMs: 10_000 });
  });

  it('keeps what the user writes meanwhile for the next wait, and says to wait (RET-06)', async () => {
    const talk = await simulate({ canvases: [example('order-status')], company: selfService('growth') });
    await talk.says('order');
    await talk.says('17');
    await talk.says('Yes');
    expect(texts(talk.sent).at(-1)).toBe('One moment please.');
    await talk.apiAnswers({ status: 200, body: { state: 'lost' } });
    expect(texts(talk.sent).slice(-2)).toEqual(['Order 17 was lost. Shall we send it again?', 'A new one is on its way.']);
  });

  it('takes an answer that was given before the call', async () => {
    const talk = await simulate({ canvases: [example('order-status')], company: selfService('growth') });
    await talk.apiAnswers('refused');
    await talk.says('order');
    await talk.says('17');
    expect(texts(talk.sent).at(-1)).toBe('The order service did not answer (HTTP_UNREACHABLE).');
  });
});

describe('payment-once', () => {
  const started = async () => {
    const talk = await simulate(example('payment-once'));
    await talk.says('Hello');
    const accepted = await talk.webhook({ body: { user: { id: userId }, number: 'F-1', amount: 20 } });
    return { talk, accepted, pay: (receipt: string) => talk.webhook({ body: { meta: { executionId: '<execution-1>' }, receipt } }) };
  };

  it('honours the first resume and ignores the second (WEB-15)', async () => {
    const { talk, accepted, pay } = await started();
    expect(accepted).toMatchObject({ mode: 'new', isNewExecution: true });
    expect(await pay('R-1')).toMatchObject({ mode: 'resume', isNewExecution: false });
    expect(await pay('R-2')).toMatchObject({ mode: 'resume', ignored: true });
    expect(texts(talk.sent)).toEqual(['Hello Ana, invoice F-1 of 20 is due.', 'Thank you. Receipt: R-1']);
    expect(getPath(await talk.variables(), ['$webhook', 'invoice'])).toMatchObject({
      mode: 'resume',
      isNewExecution: false,
      body: { receipt: 'R-1' },
    });
  });

  it('sends a template when nobody pays in three days', async () => {
    const { talk, pay } = await started();
    await talk.passes('2d23h');
    expect(talk.sent).toHaveLength(1);
    await talk.passes('1h');
    const executionId = (await talk.execution())?.executionId;
    expect(talk.sent.at(-1)).toEqual({ type: 'template', templateId: 'tpl1', parameters: { name: 'Ana', code: executionId } });
    const late = await pay('R-1');
    expect(isHiloError(late, 'EXECUTION_NOT_WAITING')).toBe(true);
  });

  it('sends only the template while the window is closed (WIN-01)', async () => {
    const talk = await simulate(example('payment-once'));
    await talk.webhook({ body: { user: { id: userId }, number: 'F-1', amount: 20 } });
    expect(texts(talk.sent)).toEqual(['tpl1']);
  });

  it('needs the user (WEB-12) and the right method (WEB-07)', async () => {
    const talk = await simulate(example('payment-once'));
    expect(await talk.webhook({ body: {} })).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await talk.webhook({ body: { user: { id: '+52' } } })).toMatchObject({ code: 'INVALID_USER_ID' });
    expect(await talk.webhook({ method: 'DELETE', query: { userId } })).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
    expect(await talk.webhook({ body: { meta: { executionId: 'unknown' } } })).toMatchObject({ code: 'EXECUTION_NOT_FOUND' });
    expect(await talk.executions()).toEqual([]);
  });
});

describe('payment-reminder', () => {
  it('starts a second execution for a second call, and one for a call that is repeated with its key (WEB-27)', async () => {
    const talk = await simulate(example('payment-reminder'));
    const call = { body: { user: { id: userId }, number: 'F-1', amount: 20 } };
    await talk.webhook(call);
    await talk.webhook(call);
    const first = await talk.webhook({ ...call, idempotencyKey: 'k' });
    expect(await talk.webhook({ ...call, idempotencyKey: 'k' })).toEqual(first);
    expect(await talk.executions()).toHaveLength(3);
  });
});

describe('sign-contract', () => {
  it('waits for its child, whose call is written over its own (WEB-17)', async () => {
    const talk = await simulate({ canvases: [example('sign-contract'), example('collect-signature')] });
    await talk.says('Hello');
    await talk.webhook({ body: { userId, number: 'C-1' } });
    const [parent, child] = await talk.executions();
    expect(parent?.state.wait).toMatchObject({ kind: 'child', childId: child?.executionId });
    expect(child).toMatchObject({
      workflowId: 'collect-signature',
      parent: { executionId: parent?.executionId },
      state: { wait: { kind: 'webhook' } },
    });

    const signed = await talk.webhook({
      workflowId: 'collect-signature',
      body: { executionId: '<execution-1>', signer: 'Ana', number: 'C-1/2031' },
    });
    expect(signed).toMatchObject({ executionId: parent?.executionId, mode: 'resume' });
    expect(texts(talk.sent)).toEqual(['Contract C-1/2031 signed by Ana.']);
    expect(getPath(await talk.variables(parent?.executionId), ['$webhook', 'contract'])).toMatchObject({
      mode: 'resume',
      executionId: parent?.executionId, // constant in a family (VAR-07)
      body: { signer: 'Ana' },
    });
  });

  it('says why when nobody signs', async () => {
    const talk = await simulate({ canvases: [example('sign-contract'), example('collect-signature')] });
    await talk.says('Hello');
    await talk.webhook({ body: { userId, number: 'C-1' } });
    await talk.passes('1d');
    // The window of 24 hours is closed by then.
    expect((await talk.executions()).map(({ state }) => [state.status, state.ending?.failure?.cause])).toEqual([
      ['completed', undefined],
      ['failed', 'ENDED_AS_FAILED'],
    ]);
    expect(talk.sent).toEqual([]);
  });
});

describe('no-methods', () => {
  it('refuses every request (WEB-08)', async () => {
    const talk = await simulate(example('no-methods'));
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(await talk.webhook({ method, body: { user: { id: userId } } })).toMatchObject({
        code: 'METHOD_NOT_ALLOWED',
        details: { allowed: [] },
      });
    }
  });
});

describe('simulate', () => {
  const hello = {
    schemaVersion: 1,
    id: 'hello',
    name: 'Hello',
    nodes: [
      { id: 'begin', type: 'start', data: { keywords: ['hello'] } },
      {
        id: 'ask',
        type: 'ask',
        data: {
          message: { type: 'quick_reply', text: 'Well?\nSay!', quick_replies: [{ title: 'Yes' }, { title: 'No' }] },
          timeout: 'PT2H',
        },
      },
      { id: 'wait', type: 'wait-event', data: { name: 'paid', correlation: '7', saveAs: '$context.paid' } },
      { id: 'log', type: 'log', data: { name: 'over', data: { paid: '{{$context.paid}}' } } },
      { id: 'done', type: 'end', data: { outputs: { paid: '{{$context.paid}}' } } },
      { id: 'late', type: 'end', data: { outcome: 'failed' } },
    ],
    edges: [
      { source: 'begin', target: 'ask' },
      { source: 'ask', sourceHandle: 'Yes', target: 'wait' },
      { source: 'ask', sourceHandle: 'No', target: 'late' },
      { source: 'ask', sourceHandle: 'other', target: 'ask' },
      { source: 'ask', sourceHandle: 'timeout', target: 'late' },
      { source: 'wait', target: 'log' },
      { source: 'log', target: 'done' },
    ],
  };

  it('writes down what happened, and the same script comes to the same transcript', async () => {
    const script = `# A talk

user: good day
  unmatched
user: hello
  bot: Well?\\nSay!  [Yes] [No]
  waits: reply until +2h
again
time: +1h30m
user: {"type":"image","mediaUrl":"https://a.example/b.png"}
  bot: Well?\\nSay!  [Yes] [No]
  waits: reply until +2h
signal: paid 7
  unmatched
user: [payload Yes]
  waits: event paid 7
signal: paid 7 {"amount":5}
  log: over {"paid":{"amount":5}}
  ended: completed {"paid":{"amount":5}}
user: hello
  bot: Well?\\nSay!  [Yes] [No]
  waits: reply until +2h
time: +1d
  ended: failed ENDED_AS_FAILED
cancel
  unmatched
user: hello
  bot: Well?\\nSay!  [Yes] [No]
  waits: reply until +2h
cancel
  ended: cancelled
cancel <execution-1>
`;
    expect(await replayScript([hello], script)).toBe(script);
  });

  it('writes for each verb the line that repeats it', async () => {
    const talk = await simulate(hello);
    await talk.says('hello');
    await talk.repeats();
    await talk.says({ payload: 'Yes', text: 'Yes!' });
    await talk.passes('PT1M');
    await talk.passes(1_500);
    await talk.signals('paid', '7', { a: 1 });
    await talk.apiAnswers('timeout');
    await talk.webhook({ body: { a: 1 }, query: { b: '2' } });
    await talk.cancels();
    const transcript = talk.transcript();
    expect(transcript.split('\n').filter((line) => !line.startsWith(' '))).toEqual([
      'user: hello',
      'again',
      'user: [payload Yes] Yes!',
      'time: +1m',
      'time: +1s500ms',
      'signal: paid 7 {"a":1}',
      'api: timeout',
      'webhook: POST {"a":1} query {"b":"2"}',
      'cancel',
    ]);
    expect(await replayScript([hello], transcript)).toBe(transcript);
  });

  it('is the same in every run with the same seed, and another with another', async () => {
    const idOf = async (seed: number) => {
      const talk = await simulate({ canvases: [hello], seed });
      await talk.says('hello');
      return (await talk.execution())?.executionId;
    };
    expect(await idOf(1)).toBe(await idOf(1));
    expect(await idOf(2)).not.toBe(await idOf(1));
  });

  it('refuses what cannot be published, unless it is told to run it', async () => {
    const broken = { ...hello, edges: hello.edges.filter(({ sourceHandle }) => sourceHandle !== 'No') };
    await expect(simulate(broken)).rejects.toThrow(HiloError);
    const talk = await simulate({ canvases: [broken], runsUnchecked: true });
    await talk.says('hello');
    await talk.says('No');
    expect((await talk.execution())?.state.ending?.failure?.cause).toBe('DEAD_END');
    await expect(simulate({ schemaVersion: 1 })).rejects.toMatchObject({ code: 'INVALID_CANVAS' });
  });

  it.each([
    ['throws', 'DRIVER_FAILED'],
    ['rubbish', 'DRIVER_ANSWER_INVALID'],
  ] as const)('lets a driver that is told to %s fail its node', async (fault, cause) => {
    const talk = await simulate({ canvases: [hello], faults: ({ effect }) => (effect === 'message.send' ? fault : undefined) });
    await talk.says('hello');
    expect(talk.sent).toEqual([]);
    expect((await talk.execution())?.state.ending?.failure).toMatchObject({ cause, nodeId: 'ask' });
  });

  it('lets a driver hang until the engine lets go of it', async () => {
    const talk = await simulate({ canvases: [hello], faults: () => 'hangs' });
    await talk.says('hello');
    expect((await talk.execution())?.state.pending).toMatchObject({ type: 'message.send' });
    await talk.passes('1m');
    expect((await talk.execution())?.state.ending?.failure).toMatchObject({ cause: 'TIMEOUT' });
  });

  it('answers a call that stands behind another as soon as it can', async () => {
    const slow = {
      ...example('payment-once'),
      nodes: [
        ...(example('payment-once')['nodes'] as readonly JsonObject[]),
        { id: 'begin', type: 'start', data: { keywords: ['slow'] } },
        { id: 'call', type: 'api', data: { url: 'https://a.example' } },
      ],
      edges: [
        ...(example('payment-once')['edges'] as readonly JsonObject[]),
        { source: 'begin', target: 'call' },
        { source: 'call', sourceHandle: 'success', target: 'done' },
      ],
    };
    const talk = await simulate(slow);
    await talk.says('good day');
    await talk.webhook({ body: { user: { id: userId }, number: 'F-1', amount: 20 } });
    await talk.says('slow');
    expect(await talk.webhook({ body: { meta: { executionId: '<execution-1>' }, receipt: 'R-1' } })).toBe('pending');
    await talk.apiAnswers({ status: 200 });
    expect(talk.transcript().split('\n').slice(-5)).toEqual([
      'api: 200',
      '  ended: completed',
      '  bot: Thank you. Receipt: R-1',
      '  webhook answered: resume',
      '  ended: completed',
    ]);
  });

  it('knows no window on other channels, and none where it is not enforced', async () => {
    const call = { body: { user: { id: userId }, number: 'F-1', amount: 20 } };
    for (const options of [{ channel: 'web' as const }, { enforcesSessionWindow: false }]) {
      const talk = await simulate({ canvases: [example('payment-once')], ...options });
      await talk.webhook(call);
      expect(texts(talk.sent)).toEqual(['Hello there, invoice F-1 of 20 is due.']);
    }
  });
});
