import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Channel, channels, type Json, type JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import type { RunningService } from '../../src/service/open-service.ts';
import { changed, inlineExample } from './inline-example.ts';
import { type Place, withPlace } from './open-for-test.ts';

const acme = '/companies/0';
const secret = 'custom-app-secret';

/** A workflow that sends one message and ends with the result as `outcome`. */
const sendOne = (node: Json): Json => ({
  canvas: {
    schemaVersion: 1,
    id: 'send',
    name: 'Send',
    nodes: [
      { id: 'begin', type: 'start', data: {} },
      node,
      { id: 'done', type: 'end' },
      { id: 'not', type: 'end', data: { outcome: 'failed' } },
    ],
    edges: [
      { source: 'begin', target: 'say' },
      { source: 'say', sourceHandle: 'sent', target: 'done' },
      { source: 'say', sourceHandle: 'error', target: 'not' },
    ],
  },
  publish: true,
});

const say: Json = { id: 'say', type: 'message', data: { message: { type: 'text', text: 'Hello' } } };
const template = (parameters: Json, templateId = 'tpl1'): Json => ({ id: 'say', type: 'template', data: { templateId, parameters } });

interface Sent {
  readonly status: string;
  readonly cause: unknown;
}

/** Sends through a bot. @returns how the execution ended */
async function send({ engine }: RunningService, botId: string, channel: Channel, userId = '5215512345678'): Promise<Sent> {
  const { executionId } = await engine.startWorkflow({
    workflowId: 'send',
    origin: { companyId: '1', botId, userId, channel, route: 'production' },
  });
  await engine.whenIdle();
  const state = (await engine.execution('1', executionId))?.state;
  return { status: state?.status ?? '', cause: (state?.variables['$error'] as { readonly cause?: string } | undefined)?.cause };
}

/** Opens a service of the example with `send` and some changes. */
async function openWith(
  { open }: Place,
  changes: { readonly [pointer: string]: Json },
  egressAllow: readonly string[] = [],
): Promise<RunningService> {
  const service = await open({ egressAllow });
  await service.importWorkspace({ workspace: changed(await inlineExample(), { [`${acme}/workflows/-`]: sendOne(say), ...changes }) });
  return service;
}

const custom = (url: string): JsonObject => ({
  id: 'bot_own',
  name: 'Own',
  channel: 'custom',
  connectedAt: '2026-01-01T00:00:00Z',
  provider: { kind: 'custom', url, appSecret: secret },
});

/** A receiver with programmable answers, which records requests. */
async function receiver(answer: (attempt: number) => number) {
  const calls: { readonly headers: IncomingMessage['headers']; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      calls.push({ headers: request.headers, body });
      const status = answer(calls.length);
      if (status === 0) request.socket.destroy();
      else response.writeHead(status).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { calls, url: `http://127.0.0.1:${port}/in`, allow: [`127.0.0.1:${port}`], close: () => void server.close() };
}

describe('a bot of kind log', () => {
  it(
    'keeps what it sends',
    withPlace(async (place) => {
      const service = await openWith(place, {});
      expect(await send(service, 'bot_web', 'web')).toMatchObject({ status: 'completed' });
      expect((await service.messages.list('1', 'bot_web', { limit: 9 })).results).toMatchObject([
        { status: 'sent', message: { type: 'text', text: 'Hello' } },
      ]);
    }),
  );

  it(
    'sends on whatsapp within the window alone, unless that is switched off (WIN-01, WIN-03)',
    withPlace(async (place) => {
      const service = await openWith(place, {});
      expect(await send(service, 'bot_wa', 'whatsapp', '593987654321')).toEqual({ status: 'failed', cause: 'WINDOW_CLOSED' });
      const relaxed = changed(await inlineExample(), { [`${acme}/bots/0/settings`]: { enforceSessionWindow: false } });
      await service.importWorkspace({ workspace: relaxed });
      expect(await send(service, 'bot_wa', 'whatsapp', '593987654321')).toMatchObject({ status: 'completed' });
    }),
  );

  it(
    'opens the window again with a template, under onSend alone (WIN-02)',
    withPlace(async (place) => {
      for (const [policy, opens] of [
        ['onReply', false],
        ['onSend', true],
      ] as const) {
        const service = await openWith(place, {
          [`${acme}/bots/0/settings`]: { templateReopensWindow: policy },
          [`${acme}/workflows/6`]: sendOne(template({ name: 'Eva', code: 'E-1' })),
        });
        expect(await send(service, 'bot_wa', 'whatsapp', '593987654321')).toMatchObject({ status: 'completed' });
        const contact = await service.store.executions.contact('1', 'bot_wa', ['593987654321']);
        expect((contact?.windowUntilMs ?? 0) > place.clock.now()).toBe(opens);
        expect((await service.messages.list('1', 'bot_wa', { limit: 9 })).results.at(-1)?.message).toEqual({
          type: 'template',
          templateId: 'tpl1',
          elementName: 'payment_reminder',
          language: 'en',
          parameters: { name: 'Eva', code: 'E-1' },
          text: 'Hi Eva, your reference is E-1.',
        });
        await service.close();
      }
    }),
  );

  it(
    'sends a template by its provider’s element name, through the bot that has it',
    withPlace(async (place) => {
      const service = await openWith(place, {
        [`${acme}/workflows/6`]: sendOne(template({ name: 'Eva', code: 'E-1' }, 'payment_reminder')),
      });
      expect(await send(service, 'bot_wa', 'whatsapp', '593987654321')).toMatchObject({ status: 'completed' });
      expect((await service.messages.list('1', 'bot_wa', { limit: 9 })).results.at(-1)?.message).toMatchObject({ templateId: 'tpl1' });
      expect(await send(service, 'bot_web', 'web')).toEqual({ status: 'failed', cause: 'INVALID_TEMPLATE' });
      await service.close();
    }),
  );

  it.for([
    ['es-EC', 'payment_reminder', 'tpl1_es'],
    ['es-MX', '{{"payment_" + "reminder"}}', 'tpl1_mx'],
    ['fr-FR', 'payment_reminder', 'tpl1'],
    ['es-MX', 'tpl1', 'tpl1'],
  ] as const)('sends to a user of %s of the template "%s" the one in their language', ([locale, name, expected]) =>
    withPlace(async (place) => {
      const own = { botId: 'bot_wa', elementName: 'payment_reminder', category: 'UTILITY', status: 'APPROVED', body: '{{name}}: {{code}}' };
      const service = await openWith(place, {
        [`${acme}/templates/-`]: { ...own, id: 'tpl1_mx', language: 'es_MX' },
        [`${acme}/users/-`]: { id: '5215500000001', locale },
        [`${acme}/workflows/6`]: sendOne(template({ name: 'Eva', code: 'E-1' }, name)),
      });
      const spanish = changed(await inlineExample(), { [`${acme}/templates/-`]: { ...own, id: 'tpl1_es', language: 'es' } });
      await service.importWorkspace({ workspace: spanish });
      expect(await send(service, 'bot_wa', 'whatsapp', '5215500000001')).toMatchObject({ status: 'completed' });
      expect((await service.messages.list('1', 'bot_wa', { limit: 9 })).results.at(-1)?.message).toMatchObject({ templateId: expected });
      await service.close();
    })(),
  );

  it(
    'sends no template with other parameters, of another bot, or not approved (TPL-03, TPL-05)',
    withPlace(async (place) => {
      const service = await openWith(place, { [`${acme}/workflows/6`]: sendOne(template({ name: 'Eva', surplus: 'x' })) });
      expect(await send(service, 'bot_wa', 'whatsapp')).toEqual({ status: 'failed', cause: 'INVALID_PARAMETERS' });
      expect(await send(service, 'bot_web', 'web')).toEqual({ status: 'failed', cause: 'INVALID_TEMPLATE' });
      const rejected = changed(await inlineExample(), { [`${acme}/templates/0/status`]: 'REJECTED' });
      await service.importWorkspace({ workspace: rejected });
      expect(await send(service, 'bot_wa', 'whatsapp')).toEqual({ status: 'failed', cause: 'INVALID_TEMPLATE' });
      expect((await service.messages.list('1', 'bot_wa', { limit: 9 })).results).toEqual([]);
    }),
  );
});

describe('a bot of kind custom', () => {
  it(
    'posts the message, signed, with its key (EVT-01)',
    withPlace(async (place) => {
      const { calls, url, allow, close } = await receiver(() => 204);
      const service = await openWith(place, { [`${acme}/bots/-`]: custom(url) }, allow);
      expect(await send(service, 'bot_own', 'custom')).toMatchObject({ status: 'completed' });
      const [logged] = (await service.messages.list('1', 'bot_own', { limit: 9 })).results;
      const [call] = calls;
      expect(calls).toHaveLength(1);
      expect(JSON.parse(call?.body ?? '')).toEqual({
        event: 'message',
        botId: 'bot_own',
        userId: '5215512345678',
        message: { messageId: logged?.messageId, type: 'text', text: 'Hello', previewUrl: true },
      });
      expect(call?.headers['x-hub-signature-256']).toBe(
        `sha256=${createHmac('sha256', secret)
          .update(call?.body ?? '')
          .digest('hex')}`,
      );
      expect(call?.headers['idempotency-key']).toBe(logged?.idempotencyKey);
      expect(logged?.status).toBe('sent');
      close();
    }),
  );

  it(
    'repeats the message and the key in a retry, and reports a refusal (P4)',
    withPlace(async (place) => {
      const { calls, url, allow, close } = await receiver((attempt) => (attempt === 1 ? 400 : 200));
      const retrying = {
        ...say,
        data: { message: { type: 'text', text: 'Hello' }, retry: { attempts: 2, delay: 'PT1S' } },
      };
      const service = await openWith(place, { [`${acme}/bots/-`]: custom(url), [`${acme}/workflows/6`]: sendOne(retrying) }, allow);
      const first = await send(service, 'bot_own', 'custom');
      expect(first.status).toBe('waiting');
      expect((await service.messages.list('1', 'bot_own', { limit: 9 })).results).toMatchObject([
        { status: 'failed', cause: 'PROVIDER_REFUSED' },
      ]);
      const ended = new Promise<string>((resolve) => service.engine.on('execution.ended', (_about, { status }) => resolve(status)));
      place.clock.advanceBy(60_000);
      expect(await ended).toBe('completed');
      expect(calls.map(({ headers }) => headers['idempotency-key'])).toEqual([
        calls[0]?.headers['idempotency-key'],
        calls[0]?.headers['idempotency-key'],
      ]);
      expect(new Set(calls.map(({ body }) => body)).size).toBe(1);
      expect((await service.messages.list('1', 'bot_own', { limit: 9 })).results).toMatchObject([{ status: 'sent' }]);
      close();
    }),
  );

  it.each(channels)('serves the channel %s: its host bridges to a provider of its own', (channel) =>
    withPlace(async (place) => {
      const { calls, url, allow, close } = await receiver(() => 200);
      const bot = { ...custom(url), channel, settings: { enforceSessionWindow: false } };
      const service = await openWith(place, { [`${acme}/bots/-`]: bot }, allow);
      expect(await send(service, 'bot_own', channel)).toMatchObject({ status: 'completed' });
      expect(calls).toHaveLength(1);
      close();
    })(),
  );

  it(
    'reaches nothing private that the operator did not list (P30)',
    withPlace(async (place) => {
      const { calls, url, close } = await receiver(() => 200);
      const service = await openWith(place, { [`${acme}/bots/-`]: custom(url) });
      expect(await send(service, 'bot_own', 'custom')).toEqual({ status: 'failed', cause: 'EGRESS_REFUSED' });
      expect(calls).toEqual([]);
      close();
    }),
  );
});

describe('a bot of another kind', () => {
  it(
    'names the missing secret',
    withPlace(async (place) => {
      const service = await openWith(place, { [`${acme}/bots/2/provider`]: { kind: 'slack', botToken: 'xoxb' } });
      expect(await send(service, 'bot_slack', 'slack')).toEqual({ status: 'failed', cause: 'PROVIDER_INCOMPLETE' });
      expect((await service.messages.list('1', 'bot_slack', { limit: 9 })).results).toMatchObject([{ status: 'failed' }]);
    }),
  );
});

describe('a webhook', () => {
  it(
    'is answered by the called workflow, or by one that this calls; events are logged',
    withPlace(async (place) => {
      const child = {
        schemaVersion: 1,
        id: 'answer',
        name: 'Answer',
        nodes: [
          { id: 'begin', type: 'start', data: {} },
          { id: 'tell', type: 'log', data: { name: 'order.seen', level: 'warn', data: { order: 7 } } },
          { id: 'say', type: 'respond', data: { status: 202, body: { order: 7 } } },
          { id: 'done', type: 'end' },
        ],
        edges: [
          { source: 'begin', target: 'tell' },
          { source: 'tell', target: 'say' },
          { source: 'say', target: 'done' },
        ],
      };
      const parent = {
        schemaVersion: 1,
        id: 'ask',
        name: 'Ask',
        nodes: [
          { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user', respond: 'onFinish' } },
          { id: 'call', type: 'workflow', data: { workflowId: 'answer' } },
          { id: 'done', type: 'end' },
        ],
        edges: [
          { source: 'hook', sourceHandle: 'new', target: 'call' },
          { source: 'call', sourceHandle: 'success', target: 'done' },
        ],
      };
      const service = await openWith(place, {
        [`${acme}/workflows/-`]: { canvas: child, publish: true },
        [`${acme}/workflows/7`]: { canvas: parent, publish: true },
      });
      const accepted = await service.engine.receiveWebhook({
        companyId: '1',
        workflowId: 'ask',
        nodeId: 'hook',
        route: 'production',
        channel: 'web',
        botId: 'bot_web',
        request: { method: 'POST', headers: {}, query: {}, body: { user: '5215512345678' } },
      });
      expect(accepted.respond).toBe('onFinish');
      expect(await service.engine.awaitFinish('1', accepted, { limitMs: 10_000 })).toMatchObject({ status: 202, body: { order: 7 } });
      expect(place.log.lines).toContainEqual(
        expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ event: 'order.seen', data: { order: 7 } }) as object }),
      );
    }),
  );
});
