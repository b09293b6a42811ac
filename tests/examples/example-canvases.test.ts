import { getPath, isHiloError } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import { example, texts, userId } from './example-canvases.ts';

const selfService = (plan: string) => ({ plan, kind: 'self-service', settings: { ordersUrl: 'https://orders.example' } });

describe('order-status', () => {
  it('asks for the number until it is valid, calls the service, and sends the answer', async () => {
    const conversation = await simulate({ canvases: [example('order-status')], company: selfService('growth') });
    await conversation.says('Pedido');
    await conversation.says('the blue one');
    await conversation.says('17');
    expect(conversation.calls.at(-1)).toMatchObject({
      effect: 'http.request',
      request: { method: 'GET', url: 'https://orders.example/orders/17', timeoutMs: 30_000 },
      nodeId: 'look',
      attempt: 1,
    });
    await conversation.apiAnswers({ status: 200, body: { state: 'lost' } });
    await conversation.says('perhaps');
    await conversation.says('Yes');
    expect(texts(conversation.sent)).toEqual([
      'What is your order number?',
      'That is not a number. Try again.',
      'Order 17 was lost. Shall we send it again?',
      'Order 17 was lost. Shall we send it again?',
      'A new one is on its way.',
    ]);
    expect((await conversation.variables())['$context']).toMatchObject({
      order: 17,
      again: 'Yes',
      result: { status: 200, body: { state: 'lost' } },
    });
    expect((await conversation.execution())?.state.status).toBe('completed');
  });

  it('is cut by the plan, and the log names the limit (TMO-06)', async () => {
    const conversation = await simulate({ canvases: [example('order-status')], company: selfService('free') });
    await conversation.says('order');
    await conversation.says('17');
    await conversation.passes(9_999);
    expect(texts(conversation.sent)).toEqual(['What is your order number?']);
    await conversation.passes(1);
    expect(texts(conversation.sent).at(-1)).toBe('The order service did not answer (PLAN_TIMEOUT_EXCEEDED).');
    const entry = (await conversation.history()).flatMap(({ entries }) => entries).find(({ cause }) => cause === 'PLAN_TIMEOUT_EXCEEDED');
    expect(entry).toMatchObject({ nodeId: 'look', port: 'error', limitMs: 10_000, configuredMs: 45_000, appliedMs: 10_000 });
  });

  it('keeps messages of the user for the next wait, and asks to wait (RET-06)', async () => {
    const conversation = await simulate({ canvases: [example('order-status')], company: selfService('growth') });
    await conversation.says('order');
    await conversation.says('17');
    await conversation.says('Yes');
    expect(texts(conversation.sent).at(-1)).toBe('One moment please.');
    await conversation.apiAnswers({ status: 200, body: { state: 'lost' } });
    expect(texts(conversation.sent).slice(-2)).toEqual(['Order 17 was lost. Shall we send it again?', 'A new one is on its way.']);
  });

  it('accepts an answer from before the call', async () => {
    const conversation = await simulate({ canvases: [example('order-status')], company: selfService('growth') });
    await conversation.apiAnswers('refused');
    await conversation.says('order');
    await conversation.says('17');
    expect(texts(conversation.sent).at(-1)).toBe('The order service did not answer (HTTP_UNREACHABLE).');
  });
});

describe('payment-once', () => {
  const started = async () => {
    const conversation = await simulate(example('payment-once'));
    await conversation.says('Hello');
    const accepted = await conversation.webhook({ body: { user: { id: userId }, number: 'F-1', amount: 20 } });
    return {
      conversation,
      accepted,
      pay: (receipt: string) => conversation.webhook({ body: { meta: { executionId: '<execution-1>' }, receipt } }),
    };
  };

  it('honours the first resume and ignores the second (WEB-15)', async () => {
    const { conversation, accepted, pay } = await started();
    expect(accepted).toMatchObject({ mode: 'new', isNewExecution: true });
    expect(await pay('R-1')).toMatchObject({ mode: 'resume', isNewExecution: false });
    expect(await pay('R-2')).toMatchObject({ mode: 'resume', ignored: true });
    expect(texts(conversation.sent)).toEqual(['Hello Ana, invoice F-1 of 20 is due.', 'Thank you. Receipt: R-1']);
    expect(getPath(await conversation.variables(), ['$webhook', 'invoice'])).toMatchObject({
      mode: 'resume',
      isNewExecution: false,
      body: { receipt: 'R-1' },
    });
  });

  it('sends a template when the order is unpaid after three days', async () => {
    const { conversation, pay } = await started();
    await conversation.passes('2d23h');
    expect(conversation.sent).toHaveLength(1);
    await conversation.passes('1h');
    const executionId = (await conversation.execution())?.executionId;
    expect(conversation.sent.at(-1)).toEqual({ type: 'template', templateId: 'tpl1', parameters: { name: 'Ana', code: executionId } });
    const late = await pay('R-1');
    expect(isHiloError(late, 'EXECUTION_NOT_WAITING')).toBe(true);
  });

  it('sends only the template while the window is closed (WIN-01)', async () => {
    const conversation = await simulate(example('payment-once'));
    await conversation.webhook({ body: { user: { id: userId }, number: 'F-1', amount: 20 } });
    expect(texts(conversation.sent)).toEqual(['tpl1']);
  });

  it('needs the user (WEB-12) and the right method (WEB-07)', async () => {
    const conversation = await simulate(example('payment-once'));
    await conversation.plays({ kind: 'webhook', call: { body: {} } }); // the method would name the user of the simulation
    expect(conversation.transcript()).toMatch(/answered: error INVALID_REQUEST$/);
    expect(await conversation.webhook({ body: { user: { id: '+52' } } })).toMatchObject({ code: 'INVALID_USER_ID' });
    expect(await conversation.webhook({ method: 'DELETE', query: { userId } })).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
    expect(await conversation.webhook({ body: { meta: { executionId: 'unknown' } } })).toMatchObject({ code: 'EXECUTION_NOT_FOUND' });
    expect(await conversation.executions()).toEqual([]);
  });
});

describe('payment-reminder', () => {
  it('starts a second execution for a second call, and one for a call that is repeated with its key (WEB-27)', async () => {
    const conversation = await simulate(example('payment-reminder'));
    const call = { body: { user: { id: userId }, number: 'F-1', amount: 20 } };
    await conversation.webhook(call);
    await conversation.webhook(call);
    const first = await conversation.webhook({ ...call, idempotencyKey: 'k' });
    expect(await conversation.webhook({ ...call, idempotencyKey: 'k' })).toEqual(first);
    expect(await conversation.executions()).toHaveLength(3);
  });
});

describe('sign-contract', () => {
  it('waits for its child, whose request replaces its own (WEB-17)', async () => {
    const conversation = await simulate({ canvases: [example('sign-contract'), example('collect-signature')] });
    await conversation.says('Hello');
    await conversation.webhook({ body: { userId, number: 'C-1' } });
    const [parent, child] = await conversation.executions();
    expect(parent?.state.wait).toMatchObject({ kind: 'child', childId: child?.executionId });
    expect(child).toMatchObject({
      workflowId: 'collect-signature',
      parent: { executionId: parent?.executionId },
      state: { wait: { kind: 'webhook' } },
    });

    const signed = await conversation.webhook({
      workflowId: 'collect-signature',
      body: { executionId: '<execution-1>', signer: 'Ana', number: 'C-1/2031' },
    });
    expect(signed).toMatchObject({ executionId: parent?.executionId, mode: 'resume' });
    expect(texts(conversation.sent)).toEqual(['Contract C-1/2031 signed by Ana.']);
    expect(getPath(await conversation.variables(parent?.executionId), ['$webhook', 'contract'])).toMatchObject({
      mode: 'resume',
      executionId: parent?.executionId, // constant in a family (VAR-07)
      body: { signer: 'Ana' },
    });
  });

  it('gives the reason when the document is unsigned', async () => {
    const conversation = await simulate({ canvases: [example('sign-contract'), example('collect-signature')] });
    await conversation.says('Hello');
    await conversation.webhook({ body: { userId, number: 'C-1' } });
    await conversation.passes('1d');
    // The window of 24 hours is closed by then.
    expect((await conversation.executions()).map(({ state }) => [state.status, state.ending?.failure?.cause])).toEqual([
      ['completed', undefined],
      ['failed', 'ENDED_AS_FAILED'],
    ]);
    expect(conversation.sent).toEqual([]);
  });
});

describe('no-methods', () => {
  it('refuses every request (WEB-08)', async () => {
    const conversation = await simulate(example('no-methods'));
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(await conversation.webhook({ method, body: { user: { id: userId } } })).toMatchObject({
        code: 'METHOD_NOT_ALLOWED',
        details: { allowed: [] },
      });
    }
  });
});
