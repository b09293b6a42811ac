import { beforeEach, describe, expect, it } from 'vitest';
import { createTraffic } from '../../src/platform/http/traffic.ts';
import { createGateway } from '../../src/webhooks/routes.ts';
import { accepted, ana, type CallOptions, setStage, type Stage } from './calls.ts';
import { paid } from './canvases.ts';
import { keys } from './fake-service.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await setStage();
  await stage.service.keep(paid);
  await stage.service.keep(paid, { companyId: '2' });
  return () => stage.service.close();
});

/** Starts an execution that waits for the payment of an order. */
const ordered = async (number: string, key: string = keys.acme): Promise<string> => {
  const call = { body: { user: { id: ana }, number }, headers: { 'x-api-key': key } };
  const { executionId } = accepted(await stage.hook('paid/whatsapp/hook', call.body, { headers: call.headers }));
  await stage.service.engine.whenIdle();
  return executionId;
};
const admin = { authorization: `Bearer ${keys.admin}` };
const send = (body: unknown, headers: CallOptions['headers'] = {}, name = 'payment.received') =>
  stage.call(`/workflows/v2/signals/${name}`, { method: 'POST', headers: { 'x-api-key': keys.acme, ...headers }, body });
const sendAsAdmin = (body: object, headers: CallOptions['headers'] = {}) =>
  stage.call('/admin/v1/signals', { method: 'POST', headers: { ...admin, ...headers }, body });
const statusOf = async (executionId: string, companyId = '1') =>
  (await stage.service.engine.execution(companyId, executionId))?.state.status;

describe('a signal of a customer’s system', () => {
  it('resumes every waiting execution of its company, with its payload (P7)', async () => {
    const [first, second, another] = [await ordered('F-7'), await ordered('F-7'), await ordered('F-8')];
    const theirs = await ordered('F-7', keys.other);
    const { status, body } = await send({ correlation: 'F-7', payload: { amount: 120, length: 1 } });
    expect({ status, body }).toEqual({ status: 200, body: { executionIds: expect.arrayContaining([first, second]) as unknown } });
    expect((body as { executionIds: string[] }).executionIds).toHaveLength(2);
    expect((await stage.stateOf(first))?.variables['$context']).toMatchObject({ payment: { amount: 120, length: 1 } });
    expect([await statusOf(first), await statusOf(second), await statusOf(another), await statusOf(theirs, '2')]).toEqual([
      'completed',
      'completed',
      'waiting',
      'waiting',
    ]);
    expect(await send({ correlation: 'F-7' })).toMatchObject({ status: 200, body: { executionIds: [] } });
  });

  it('has the same answer and no second consequence with the same key (P10)', async () => {
    const first = await ordered('F-7');
    const key = { 'idempotency-key': 'provider-1' };
    expect((await send({ correlation: 'F-7' }, key)).body).toEqual({ executionIds: [first] });
    const later = await ordered('F-7');
    for (const name of ['idempotency-key', 'webhook-id'])
      expect((await send({ correlation: 'F-7' }, { [name]: 'provider-1' })).body).toEqual({ executionIds: [first] });
    expect(await statusOf(later)).toBe('waiting');
    expect((await send({ correlation: 'F-7' }, { 'idempotency-key': 'provider-2' })).body).toEqual({ executionIds: [later] });
  });

  it('is held with a ttl where nothing waits for it, for the first wait that fits, once', async () => {
    const key = { 'idempotency-key': 'provider-3' };
    const held = await send({ correlation: 'F-9', payload: { amount: 5 }, ttl: 'PT1H' }, key);
    expect(held).toMatchObject({ status: 200, body: { executionIds: [], heldUntil: expect.stringMatching(/Z$/) as unknown } });
    expect((await send({ correlation: 'F-9', payload: { amount: 5 }, ttl: 'PT1H' }, key)).body).toEqual(held.body);
    const first = await ordered('F-9');
    const second = await ordered('F-9');
    await expect.poll(() => statusOf(first)).toBe('completed');
    expect(await statusOf(second)).toBe('waiting');
    expect((await sendAsAdmin({ companyId: 1, name: 'payment.received', correlation: 'F-9', ttl: 'P1D' })).body).toEqual({
      executionIds: [second],
    });
    expect((await send({ correlation: 'F-9', ttl: 'PT0S' })).body).toEqual({ executionIds: [] });
    for (const ttl of ['1h', 'P31D', '-PT1H', 5]) expect(await send({ correlation: 'F-9', ttl })).toMatchObject({ status: 400 });
  });

  it('says what is wrong with it', async () => {
    const refusal = (message: string) => ({ status: 400, body: { error: 'INVALID_REQUEST', message } });
    expect(await send([])).toMatchObject(refusal('The signal is an object: { "correlation": "…", "payload": … }'));
    expect(await send({ correlation: 7 })).toMatchObject(refusal(expect.stringContaining('correlation is a text') as string));
  });

  it('may come as a form, without a payload, and by any name that a path can hold', async () => {
    const first = await ordered('F 7');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await send('correlation=F+7', form, 'payment%2Ereceived')).body).toEqual({ executionIds: [first] });
    expect((await send({ correlation: '' }, {}, encodeURIComponent('ñ/%\u0000😀'))).body).toEqual({ executionIds: [] });
    expect((await send({ correlation: '\ud800' })).body).toEqual({ executionIds: [] });
  });

  it('of more than 1 MB is refused, one without waiting executions resumes none, and waits stay open (P22)', async () => {
    const waiting = await ordered('F-7');
    const ofBytes = (bytes: number) => ({ correlation: 'F-7', payload: 'x'.repeat(bytes - '{"correlation":"F-7","payload":""}'.length) });
    expect(await send(ofBytes(1_048_577))).toMatchObject({ status: 413, body: { message: 'The body is larger than 1048576 bytes' } });
    expect(await send(ofBytes(1_048_576))).toMatchObject({ status: 400, body: { error: 'INVALID_REQUEST' } });
    expect(await send({ correlation: 'F-8', payload: { amount: 5 } })).toMatchObject({ status: 200, body: { executionIds: [] } });
    expect(await statusOf(waiting)).toBe('waiting');
    expect(await send({ correlation: 'F-7', payload: { amount: 5 } })).toMatchObject({ body: { executionIds: [waiting] } });
  });

  it('is limited as every call of its key is, and refused when there is no place (LIM-09, P22)', async () => {
    const limited = await setStage({ rateLimit: 1 });
    const ask = () =>
      limited.call('/workflows/v2/signals/a', { method: 'POST', headers: { 'x-api-key': keys.acme }, body: { correlation: '' } });
    expect((await Promise.all([ask(), ask(), ask()])).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429]);
    await limited.service.close();
    const traffic = createTraffic(stage.service);
    const gateway = createGateway(stage.service, traffic);
    const crowd = () => {
      for (;;) traffic.admission.enter({ kind: 'known', holder: '1' });
    };
    expect(crowd).toThrow('in progress');
    const headers = { 'x-api-key': keys.acme, 'content-type': 'application/json' };
    const refused = await gateway.request('/workflows/v2/signals/a', { method: 'POST', headers, body: '{"correlation":""}' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  });

  it('is answered 503 when the store does not take it (P26)', async () => {
    await stage.service.store.close();
    expect(await send({ correlation: 'F-7' })).toMatchObject({ status: 503, body: { error: 'STORE_UNAVAILABLE' } });
  });
});

describe('a signal of an operator', () => {
  it('is for the company that it names, and answers the same', async () => {
    const theirs = await ordered('F-7', keys.other);
    const signal = { companyId: '2', name: 'payment.received', correlation: 'F-7', payload: 1 };
    expect((await sendAsAdmin(signal, { 'idempotency-key': 'a' })).body).toEqual({ executionIds: [theirs] });
    expect((await sendAsAdmin(signal, { 'idempotency-key': 'a' })).body).toEqual({ executionIds: [theirs] });
    expect((await sendAsAdmin(signal)).body).toEqual({ executionIds: [] });
    const again = await ordered('F-7', keys.other);
    expect((await sendAsAdmin({ ...signal, companyId: 2 })).body).toEqual({ executionIds: [again] }); // as a workspace file has it
  });

  it.each([
    [{ name: 'a', correlation: '' }, 422, { validationError: { companyId: expect.anything() as unknown } }],
    [
      { companyId: true, name: 'a', correlation: '' },
      422,
      { validationError: { companyId: [{ en: 'companyId is the id of a company' }] } },
    ],
    [{ companyId: 9, name: 'a', correlation: '' }, 404, { error: 'COMPANY_NOT_FOUND' }],
    [{ companyId: '9', name: 'a', correlation: '' }, 404, { error: 'COMPANY_NOT_FOUND' }],
    [{ companyId: '1', correlation: '' }, 422, { validationError: { name: [{ en: 'name is a text' }] } }],
    [{ companyId: '1', name: '', correlation: '' }, 422, { validationError: { name: [{ en: 'name is empty' }] } }],
    [{ companyId: '1', name: 'a' }, 422, { validationError: { correlation: expect.anything() as unknown } }],
    [{ companyId: '1', name: 'a', correlation: '', payload: 'x'.repeat(65_536) }, 400, { error: 'INVALID_REQUEST' }],
  ])('is refused when it is malformed: %#', async (body, status, answer) => {
    expect(await sendAsAdmin(body)).toMatchObject({ status, body: answer });
  });

  it('has a key of at most 128 characters without blanks', async () => {
    const signal = { companyId: '1', name: 'a', correlation: '' };
    expect(await sendAsAdmin(signal, { 'idempotency-key': 'a b' })).toMatchObject({ status: 400, body: { error: 'INVALID_REQUEST' } });
  });
});

describe('a start by an operator', () => {
  const tool = {
    schemaVersion: 1,
    id: 'greet',
    name: 'Greet',
    settings: { inputs: { who: { type: 'string', default: 'nobody' } } },
    nodes: [
      { id: 'begin', type: 'start', data: { fallback: true } },
      { id: 'keep', type: 'set', data: { assignments: [{ path: '$context.who', value: '{{$input.who}}' }] } },
      { id: 'done', type: 'end', data: {} },
    ],
    edges: [
      { source: 'begin', target: 'keep' },
      { source: 'keep', target: 'done' },
    ],
  };
  const start = (body?: unknown, headers: CallOptions['headers'] = {}, path = 'greet') =>
    stage.call(`/admin/v1/workflows/${path}/start`, {
      method: 'POST',
      headers: { ...admin, ...headers },
      ...(body !== undefined && { body }),
    });

  it('runs the published version with its inputs, for a user of a bot or without a user', async () => {
    await stage.service.keep(tool);
    const { status, body } = await start({ inputs: { who: 'Ana' }, user: { id: ana }, botId: 'bot_wa' });
    expect(status).toBe(200);
    const { executionId } = body as { executionId: string };
    await stage.service.engine.whenIdle();
    expect(await stage.stateOf(executionId)).toMatchObject({
      status: 'completed',
      origin: { botId: 'bot_wa', channel: 'whatsapp', userId: ana },
      variables: { $context: { who: 'Ana' } },
    });
    expect(await start()).toMatchObject({ status: 200, body: { executionId: expect.any(String) as unknown } });
  });

  it('is one with the same key (P10)', async () => {
    await stage.service.keep(tool);
    const [first, again] = [await start({}, { 'idempotency-key': 'a' }), await start({}, { 'idempotency-key': 'a' })];
    expect(again.body).toEqual(first.body);
  });

  it.each([
    [{ inputs: [] }, 422, { validationError: { inputs: [{ en: 'inputs is an object' }] } }],
    [{ user: { id: ana } }, 422, { validationError: { botId: [{ en: 'name the bot of the user' }] } }],
    [{ user: ana, botId: 'bot_wa' }, 422, { validationError: { user: [{ en: 'user is an object with an id' }] } }],
    [{ user: { id: 'no phone' }, botId: 'bot_wa' }, 400, { error: 'INVALID_USER_ID' }],
    [{ user: { id: ana }, botId: 'bot_c2' }, 404, { error: 'BOT_NOT_FOUND' }],
    ['{', 400, { error: 'INVALID_REQUEST' }],
  ])('is refused where it cannot be: %#', async (body, status, answer) => {
    await stage.service.keep(tool);
    expect(await start(body)).toMatchObject({ status, body: answer });
  });

  it('is refused for an unpublished workflow', async () => {
    expect(await start({}, {}, 'greet')).toMatchObject({ status: 404, body: { error: 'WORKFLOW_NOT_FOUND' } });
    await stage.service.keep(tool, { publish: false });
    expect(await start({}, {}, 'greet')).toMatchObject({ status: 404, body: { error: 'WORKFLOW_NOT_FOUND' } });
  });
});
