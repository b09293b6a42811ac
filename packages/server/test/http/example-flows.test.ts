import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { JsonObject } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { startHttp } from '../../../drivers/test/local-servers.ts';
import { serve } from '../../src/service/serve.ts';
import { skipOn, virtualTime } from '../data/runtime.ts';
import { ana, restStage } from '../rest/rest-stage.ts';
import { exampleKey } from '../service-process.ts';

// Flows of `examples/canvases` as a company runs them: every input and every reading is an HTTP request, the store is a SQLite file.
// Time is virtual and begins on Monday, 3 March 2031, 09:00 UTC.

const bot = {
  id: 'bot_wa',
  name: 'Acme WhatsApp',
  channel: 'whatsapp',
  connectedAt: '2026-01-10T00:00:00Z',
  provider: { kind: 'log', appSecret: 'inbound-secret-wa' },
};

interface FlowSettings {
  /** The name of a file of `examples/canvases`. */
  readonly workflowId: string;
  /** The origin that its canvas calls, and the answers of the server that replaces it. */
  readonly calls?: { readonly origin: string; readonly answer: JsonObject };
  /** Templates that the channel has approved: their ids with their texts. */
  readonly templates?: { readonly [templateId: string]: string };
}

/** A flow of the examples, published in a service that listens on a port of its own; each request ends once the engine is idle. */
async function openFlow({ workflowId, calls, templates = {} }: FlowSettings) {
  const called = await startHttp((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(calls?.answer ?? {}));
  });
  const written = await readFile(new URL(`../../../../examples/canvases/${workflowId}.json`, import.meta.url), 'utf8');
  const canvas = JSON.parse(calls === undefined ? written : written.replaceAll(calls.origin, `http://${called.host}`)) as JsonObject;
  const stage = await restStage({
    settings: { egressAllow: [called.host] },
    changes: {
      '/companies/0/bots': [bot],
      '/companies/0/workflows': [{ canvas, publish: true }],
      '/companies/0/conversations': [],
      '/companies/0/campaigns': [],
      '/companies/0/templates': Object.entries(templates).map(([id, body]) => ({
        id,
        botId: bot.id,
        elementName: id,
        language: 'en',
        category: 'UTILITY',
        status: 'APPROVED',
        body,
      })),
    },
  });
  const { service, clock } = stage;
  const listening = await serve(service, { host: '127.0.0.1', port: 0 });

  const ask = async (method: string, path: string, headers: { readonly [name: string]: string }, body?: JsonObject) => {
    const response = await fetch(`http://127.0.0.1:${listening.port}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as JsonObject;
    expect({ path, status: response.status, answer }).toMatchObject({ status: 200 });
    await service.engine.whenIdle();
    return answer;
  };
  const asOperator = (method: string, path: string, body?: JsonObject) =>
    ask(method, `/admin/v1${path}?companyId=1`, { authorization: 'Bearer admin-token-of-the-tests' }, body);
  /** The only execution. */
  const execution = async () => {
    const { results } = (await asOperator('GET', '/executions')) as unknown as { readonly results: readonly Execution[] };
    expect(results).toHaveLength(1);
    return results[0]!;
  };
  let deliveries = 0;
  return {
    /** The requests to the replacement of the systems that the canvas calls. */
    called: called.received,
    asOperator,
    execution,
    /** With the API key of the company. */
    asCompany: (path: string, body: JsonObject) => ask('POST', `/workflows/v2${path}`, { 'x-api-key': exampleKey }, body),
    /** Ana's message, delivered and signed as the channel does. */
    says: (message: JsonObject) => {
      const id = `in-${(deliveries += 1)}`;
      const event = { eventId: id, botId: bot.id, user: { id: ana }, message: { id, ...message }, receivedAt: '2031-03-03T09:00:00Z' };
      const signature = createHmac('sha256', bot.provider.appSecret).update(JSON.stringify(event)).digest('hex');
      return ask('POST', `/channels/${bot.id}/webhook`, { 'x-hub-signature-256': `sha256=${signature}` }, event);
    },
    /** The messages to Ana, the oldest first: the text of each message, and of a template with its values. */
    sent: async () => {
      const { results } = (await ask('GET', `/admin/v1/bots/${bot.id}/messages?companyId=1&userId=${ana}`, {
        authorization: 'Bearer admin-token-of-the-tests',
      })) as unknown as { readonly results: readonly LoggedMessage[] };
      return results.filter(({ direction }) => direction === 'outbound').map(({ message }) => message['text']);
    },
    /** The nodes that were left, in order, each with its port. */
    way: async () => {
      const { executionId } = await execution();
      const { entries } = (await asOperator('GET', `/executions/${executionId}/history`)) as unknown as {
        readonly entries: readonly Entry[];
      };
      return entries.flatMap(({ nodeId, port }) => (port === undefined ? [] : [`${nodeId}.${port}`]));
    },
    /** Advances time to an instant, running due work. */
    async comes(instant: string) {
      clock.advanceTo(Date.parse(instant));
      await service.engine.whenIdle();
    },
    /** Runs due work: a minute passes with each look. */
    due: <Value>(read: () => Promise<Value>) =>
      expect.poll(
        () => {
          clock.advanceBy(60_000);
          return read();
        },
        { timeout: 60_000 },
      ),
    async [Symbol.asyncDispose]() {
      await listening.close(1_000);
      await stage[Symbol.asyncDispose]();
      await called.close();
    },
  };
}

interface Execution {
  readonly executionId: string;
  readonly status: string;
  readonly wait?: { readonly nodeId: string } | null;
  readonly variables: JsonObject;
}

interface LoggedMessage {
  readonly direction: string;
  readonly message: JsonObject;
}

interface Entry {
  readonly nodeId: string;
  readonly port?: string;
}

const text = (words: string) => ({ type: 'text', text: words });

it('qualifies a lead: buttons, a sum, a picture, a call to the CRM, and an operator', async () => {
  await using flow = await openFlow({
    workflowId: 'lead-qualification',
    calls: { origin: 'https://crm.example', answer: { score: 85 } },
  });
  await flow.says(text('I want a quote for solar'));
  await flow.says(text('A house'));
  await flow.says(text('plenty'));
  await flow.says(text('$1,200.50'));
  await flow.says({ type: 'image', mediaUrl: 'https://roofs.example/ana.jpg' });
  const asked = [
    'Hi Ana! What is the roof of?',
    'How much is your electricity bill a month, more or less?',
    'A sum such as 120 or $1,200.50, please.',
    'Send a photo of the roof, please.',
  ];
  expect(await flow.sent()).toEqual(asked);
  const lead = { phone: ana, roof: 'A house', bill: 1200.5, photo: 'https://roofs.example/ana.jpg' };
  expect(flow.called.map(({ method, url, body }) => [method, url, JSON.parse(body) as unknown])).toEqual([['POST', '/api/leads', lead]]);
  expect(await flow.execution()).toMatchObject({ status: 'waiting', wait: { nodeId: 'person' } });

  const { results } = await flow.asOperator('GET', '/conversations');
  expect(results).toMatchObject([{ state: 'active', user: { id: ana }, operator: { names: 'Olga' } }]);
  const [{ _id: conversationId } = { _id: '' }] = results as readonly { readonly _id: string }[];
  await flow.asOperator('POST', `/conversations/${conversationId}/messages`, text('Hello Ana, when may we come by?'));
  await flow.asOperator('POST', `/conversations/${conversationId}/close`, { reason: 'A visit is agreed' });
  await flow.due(flow.sent).toEqual([...asked, 'Hello Ana, when may we come by?', 'It was a pleasure. Write again whenever you like.']);
  await flow.due(flow.execution).toMatchObject({
    status: 'completed',
    variables: { $context: { roof: 'A house', bill: 1200.5, lead: { status: 200, body: { score: 85 } } } },
  });
});

it('books a table: one of the free times, the reminder a day before, and the evening itself', async (test) => {
  skipOn(test, virtualTime);
  await using flow = await openFlow({
    workflowId: 'booking',
    calls: { origin: 'https://tables.example', answer: { times: ['19:00', '20:30', '22:00'] } },
    templates: { table_tomorrow: 'Your table is booked for tomorrow at {{1}}.' },
  });
  await flow.says(text('Can I book?'));
  await flow.says(text('7/3/2031'));
  await flow.says(text('20:30'));
  const booked = [
    'For which day? For example 14/03/2031.',
    'At what time on 2031-03-07?',
    'Your table is booked for Friday 7 March, 20:30. Write “cancel” whenever you want to.',
  ];
  expect(flow.called.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /api/free?day=2031-03-07']);
  // In Madrid, where the table is, 20:30 is 19:30 UTC.
  await flow.comes('2031-03-06T19:29:00Z');
  expect(await flow.sent()).toEqual(booked);
  await flow.due(flow.sent).toEqual([...booked, 'Your table is booked for tomorrow at 20:30.']);
  await flow.comes('2031-03-07T19:29:00Z');
  expect(await flow.execution()).toMatchObject({ status: 'waiting', wait: { nodeId: 'until-table' } });
  await flow.due(flow.execution).toMatchObject({
    status: 'completed',
    variables: { $context: { day: '2031-03-07', time: '20:30', at: '2031-03-07T19:30:00.000Z' } },
  });
  const way = ['until-reminder.elapsed', 'reminder.sent', 'until-table.elapsed', 'forget.next', 'welcome.next'];
  expect((await flow.way()).slice(-5)).toEqual(way);
  expect(await flow.sent()).toHaveLength(booked.length + 1);
});

it('gives the table up at any time: at a question, and once it is booked', async (test) => {
  skipOn(test, virtualTime);
  await using flow = await openFlow({
    workflowId: 'booking',
    calls: { origin: 'https://tables.example', answer: { times: ['19:00'] } },
    templates: { table_tomorrow: 'Your table is booked for tomorrow at {{1}}.' },
  });
  const last = async () => (await flow.sent()).at(-1);
  for (const message of ['book', 'cancel']) await flow.says(text(message));
  expect(await last()).toBe('You have no table. Write “book” when you want one.');
  for (const message of ['book', '7/3/2031', 'please cancel']) await flow.says(text(message));
  expect(await last()).toBe('You have no table. Write “book” when you want one.');
  for (const message of ['book', '7/3/2031', '19:00', 'please cancel']) await flow.says(text(message));
  expect(await last()).toBe('Your table on 2031-03-07 at 19:00 is given up. Another time!');
  await flow.comes('2031-03-08T00:00:00Z');
  expect(await last()).toBe('Your table on 2031-03-07 at 19:00 is given up. Another time!');
});

it('reminds of an abandoned cart in the morning, and ends when the order comes', async (test) => {
  skipOn(test, virtualTime);
  await using flow = await openFlow({
    workflowId: 'abandoned-cart',
    templates: { cart_waits: '{{1}} waits in your cart: {{2}}.', cart_last_call: 'Last call: {{1}}.' },
  });
  // In Lima it is ten in the evening.
  await flow.comes('2031-03-04T03:00:00Z');
  const cart = { id: 'C-1', customer: { phone: ana }, items: [{ name: 'Lamp' }], total: 1234.5 };
  expect(await flow.asCompany('/webhooks/skill/abandoned-cart/whatsapp/cart', cart)).toMatchObject({ mode: 'new', isNewExecution: true });
  await flow.comes('2031-03-04T06:59:00Z');
  await flow.due(flow.execution).toMatchObject({ status: 'waiting', wait: { nodeId: 'daytime', dueAt: '2031-03-04T14:00:00.000Z' } });
  await flow.comes('2031-03-04T13:59:00Z');
  expect(await flow.sent()).toEqual([]);
  const reminder = 'Lamp waits in your cart: 1,234.50.';
  await flow.due(flow.sent).toEqual([reminder]);
  await flow.due(flow.execution).toMatchObject({ status: 'waiting', wait: { nodeId: 'answer' } });

  const { executionId } = await flow.execution();
  const placed = { correlation: 'C-1', payload: { orderId: 'O-1' } };
  expect(await flow.asCompany('/signals/order.placed', { ...placed, correlation: 'C-2' })).toMatchObject({ executionIds: [] });
  expect(await flow.asCompany('/signals/order.placed', placed)).toMatchObject({ executionIds: [executionId] });
  expect(await flow.execution()).toMatchObject({ status: 'completed' });
  expect(await flow.way()).toEqual(['cart.new', 'bought.timeout', 'daytime.elapsed', 'remind.sent', 'answer.received', 'won.next']);
  expect(await flow.sent()).toEqual([reminder]);
});
