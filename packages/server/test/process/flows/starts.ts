import { expect, it } from 'vitest';
import { accepted, type Caller, keys } from '../caller.ts';
import { thirdKey } from '../third-company.ts';

const reminder = 'payment-reminder/whatsapp/wh1';
const started = (executionId: string) => ({ success: true, executionId, mode: 'new', isNewExecution: true });

/** New executions: permitted callers, inputs, and answers. */
export function startFlows(calls: () => Caller): void {
  it.for([
    ['whatsapp', 'bot_wa'],
    ['web', 'bot_web'],
    ['slack', 'bot_slack'],
  ] as const)('are accepted on the channel %s, through its bot (WEB-01, WEB-03, WEB-12, WEB-20, WEB-24)', async ([channel, botId]) => {
    const user = { id: '5215512345678' };
    const answer = await calls().hook(`payment-reminder/${channel}/wh1`, { user, number: 'F-1', amount: '10' });
    const { executionId } = accepted(answer);
    expect(answer.body).toEqual(started(executionId));
    const execution = await calls().settled(executionId);
    expect(execution).toMatchObject({ workflowId: 'payment-reminder', version: 1, status: 'waiting', botId, channel, userId: user.id });
    const sent = (await calls().messages(botId, user.id)).map(({ message }) => message.text);
    expect(sent).toContain('Hello Ana, invoice F-1 of 10 is due.');
  });

  it.for(['instagram', 'facebook', 'teams', 'twitter', 'custom'])(
    'are refused on %s, for which there is no bot (WEB-03)',
    async (channel) => {
      expect(await calls().hook(`payment-reminder/${channel}/wh1`, { user: { id: '5215512345678' } })).toMatchObject({
        status: 404,
        body: { error: 'BOT_NOT_FOUND' },
      });
    },
  );

  it.for(['WhatsApp', 'sms'])('are refused on %s, which is no channel (WEB-03)', async (channel) => {
    expect(await calls().hook(`payment-reminder/${channel}/wh1`, {})).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
  });

  it('need an API key in its header, on every route (WEB-06, AUT-02)', async () => {
    const body = { user: { id: '5215512345678' } };
    for (const path of [reminder, 'payment-reminder/whatsapp/test/wh1', 'nothing/whatsapp/wh1'])
      for (const [query, headers] of [
        ['', {}],
        ['', { 'x-api-key': 'hk_nobody' }],
        ['', { authorization: `Bearer ${keys.acme}` }],
        [`?x-api-key=${keys.acme}`, {}],
      ] as const) {
        const answer = await calls().call(`POST /workflows/v2/webhooks/skill/${path}${query}`, { body, headers });
        expect(answer).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } });
      }
    const shouted = { 'X-API-KEY': keys.acme };
    accepted(await calls().call(`POST /workflows/v2/webhooks/skill/${reminder}`, { body, headers: shouted }));
  });

  it('take the methods of the webhook, and a webhook without one refuses all (WEB-07, WEB-08)', async () => {
    const headers = { 'x-api-key': keys.acme };
    const base = '/workflows/v2/webhooks/skill';
    const wrong = await calls().call(`DELETE ${base}/${reminder}`, { headers });
    expect(wrong).toMatchObject({ status: 405, body: { error: 'METHOD_NOT_ALLOWED' } });
    expect(wrong.headers.get('allow')?.split(', ').toSorted()).toEqual(['GET', 'POST', 'PUT']);
    accepted(await calls().call(`PUT ${base}/${reminder}`, { headers, body: { user: { id: '5215512345678' } } }));
    accepted(await calls().call(`GET ${base}/${reminder}?userId=5215512345678`, { headers }));
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await calls().call(`${method} ${base}/no-methods/whatsapp/wn1`, { headers });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, '']);
    }
  });

  it('need the id of a user, from the body or the query (WEB-12, UID-01 to UID-03)', async () => {
    const missing = { status: 400, body: { error: 'INVALID_REQUEST', message: 'userId is missing' } };
    expect(await calls().hook(reminder, { user: {} })).toMatchObject(missing);
    expect(await calls().hook(reminder)).toMatchObject(missing);
    for (const id of ['+5215512345678', 'mx.a1B2c3', '', 5215512345678])
      expect(await calls().hook(reminder, { user: { id } })).toMatchObject({ status: 400, body: { error: 'INVALID_USER_ID' } });
    const { executionId } = accepted(await calls().hook(`${reminder}?userId=MX.a1B2c3`, {}));
    expect(await calls().settled(executionId)).toMatchObject({ userId: '5215512345678' }); // Ana, by her other id
  });

  it('have their request in the named variable, without its credentials (WEB-16, T24)', async () => {
    const body = { user: { id: '5215512345678' }, number: 'F-2', amount: '20' };
    const { executionId } = accepted(await calls().hook(`${reminder}?source=shop`, body, { 'x-source': 'shop' }));
    const { variables } = await calls().settled(executionId);
    expect(variables).toMatchObject({
      $webhook: {
        invoice: {
          body,
          query: { source: 'shop' },
          headers: { 'x-source': 'shop' },
          method: 'POST',
          mode: 'new',
          executionId,
          isNewExecution: true,
        },
      },
    });
    expect(JSON.stringify(variables)).not.toContain(keys.acme);
  });

  it('keep a closed window closed: the template goes out instead (WEB-18, WIN-01)', async () => {
    const eva = '593987654321';
    const { executionId } = accepted(await calls().hook(reminder, { user: { id: eva }, number: 'F-3', amount: '30' }));
    expect(await calls().settled(executionId)).toMatchObject({ status: 'completed' });
    expect((await calls().messages('bot_wa', eva)).map(({ message }) => message.type)).toEqual(['template']);
  });

  it('parse JSON and forms, keep other types as text, and end at 1 MB (WEB-26, P33)', async () => {
    const call = (body: string, type: string) =>
      calls().hook('noted/custom/hook?userId=5215512345678', body, { 'x-api-key': thirdKey, 'content-type': type });
    for (const [body, type, kept] of [
      ['{"a":[1]}', 'application/json', { a: [1] }],
      ['a=1&b=x%20y', 'application/x-www-form-urlencoded', { a: '1', b: 'x y' }],
      ['<a>1</a>', 'text/xml', '<a>1</a>'],
    ] as const) {
      const { executionId } = accepted(await call(body, type));
      expect((await calls().settled(executionId, '3')).variables).toMatchObject({ $webhook: { call: { body: kept } } });
    }
    expect(await call('{', 'application/json')).toMatchObject({ status: 400, body: { error: 'INVALID_REQUEST' } });
    expect(await call(`"${'x'.repeat(1_048_576)}"`, 'application/json')).toMatchObject({ status: 413, body: { error: 'INVALID_REQUEST' } });
  });

  it('are one when they are delivered again, also at the same time (WEB-27, P10)', async () => {
    const body = { user: { id: '5215512345678' } };
    for (const name of ['webhook-id', 'idempotency-key']) {
      const again = () => calls().hook(reminder, body, { [name]: `delivery-by-${name}` });
      const answers = await Promise.all([again(), again(), again()]);
      expect(new Set([...answers, await again()].map(({ text }) => text)).size).toBe(1);
      accepted(await again());
    }
    const differing = await calls().hook(reminder, body, { 'webhook-id': 'one', 'idempotency-key': 'two' });
    expect(differing).toMatchObject({ status: 400, body: { error: 'INVALID_REQUEST' } });
    const [one, two] = [await calls().hook(reminder, body), await calls().hook(reminder, body)].map(accepted);
    expect(one?.executionId).not.toBe(two?.executionId);
  });

  it('get the canvas’s response when it responds on finish (WEB-24)', async () => {
    const answer = await calls().hook('answering/custom/hook', { user: { id: '5215512345678' }, n: 7 }, { 'x-api-key': thirdKey });
    expect(answer).toMatchObject({ status: 201, body: { got: 7 } });
    expect(answer.headers.get('x-shop')).toBe('open');
  });

  it('need no user in a tool (WEB-29)', async () => {
    const { executionId } = accepted(await calls().hook('gadget/custom/hook', {}, { 'x-api-key': thirdKey }));
    expect(await calls().settled(executionId, '3')).toMatchObject({ status: 'completed', userId: null });
  });

  it('keep the data of earlier webhooks in $context (WEB-19, WEB-30)', async () => {
    const { executionId } = accepted(
      await calls().hook('earlier/custom/hook', { user: { id: '5215512345678' } }, { 'x-api-key': thirdKey }),
    );
    const { variables } = await calls().settled(executionId, '3');
    expect(variables).toMatchObject({ $context: { call: { mode: 'new' } } });
    expect(variables['$webhook'] ?? {}).toEqual({});
  });
}
