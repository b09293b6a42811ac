// Subscriptions through management, and what a subscriber hears of a service that works: over HTTP, verified as receivers do.
import { createServer } from 'node:http';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json, JsonObject } from '@hilo/engine/contract';
import { seededRandom } from '@hilo/testing';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { eventTypes, type EventType } from '../../src/platform/events/event-types.ts';
import { openService, type RunningService } from '../../src/service/open-service.ts';
import { settingsFor } from '../data/settings.ts';
import { signDelivery } from '../../src/platform/events/webhook-signature.ts';
import { subscribe } from '../../../../examples/subscriber/subscriber.ts';
import { secret, silent } from './stage.ts';

const company = {
  id: 1,
  name: 'Acme',
  plan: 'growth',
  fields: [{ key: 'city', label: 'City', type: 'text' }],
  bots: [
    { id: 'bot_web', name: 'Web', channel: 'web', connectedAt: '2026-01-10T00:00:00Z', provider: { kind: 'log' } },
    { id: 'bot_wa', name: 'WhatsApp', channel: 'whatsapp', connectedAt: '2026-01-10T00:00:00Z', provider: { kind: 'log' } },
  ],
  workflows: [
    {
      publish: true,
      canvas: {
        schemaVersion: 1,
        id: 'greeting',
        name: 'Greeting',
        kind: 'skill',
        nodes: [
          { id: 'start', type: 'start', data: { fallback: true } },
          { id: 'hello', type: 'message', data: { message: { type: 'text', text: 'Hello!' } } },
          { id: 'done', type: 'end' },
        ],
        edges: [
          { source: 'start', target: 'hello' },
          { source: 'hello', sourceHandle: 'sent', target: 'done' },
        ],
      },
    },
  ],
};

interface Heard {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A subscriber on this machine. */
async function listen() {
  const heard: Heard[] = [];
  const arrivals = new EventEmitter();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      heard.push({ headers: { ...request.headers } as Record<string, string>, body: Buffer.concat(parts).toString() });
      response.end('<html>thank you</html>');
      arrivals.emit('one');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  /** Waits until so many have arrived. */
  const hear = async (count: number): Promise<void> => {
    while (heard.length < count) await once(arrivals, 'one');
  };
  return { heard, hear, port, url: `http://127.0.0.1:${port}/hook`, close: () => server.close() };
}

type Ask = (method: string, path: string, body?: object | string) => Promise<{ readonly status: number; readonly body: JsonObject }>;

const asking =
  (service: RunningService): Ask =>
  async (method, path, body) => {
    const answer = await createManagement(service).request(`/companies/1${path}`, {
      method,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      headers: { 'content-type': 'application/json' },
    });
    return { status: answer.status, body: (await answer.json()) as JsonObject };
  };

interface Hearing {
  readonly service: RunningService;
  readonly ask: Ask;
  readonly subscriber: Awaited<ReturnType<typeof listen>>;
}

/** Runs a test with a service and a subscriber, in the time of the machine: what arrives is waited for, not a time. */
const withSubscriber = (test: (at: Hearing) => Promise<void>) => async () => {
  const directory = await mkdtemp(join(tmpdir(), 'hilo-events-'));
  const subscriber = await listen();
  const service = await openService(settingsFor(directory, { egressAllow: [`127.0.0.1:${subscriber.port}`] }), {
    random: seededRandom(1),
    log: silent,
  });
  try {
    await service.importWorkspace({ workspace: { companies: [company] } });
    await test({ service, ask: asking(service), subscriber });
  } finally {
    await service.close();
    subscriber.close();
    await rm(directory, { recursive: true });
  }
};

const write = (service: RunningService, text: string, eventId: string) =>
  service.engine.receiveMessage({
    companyId: '1',
    botId: 'bot_web',
    eventId,
    user: { id: 'ana' },
    message: { type: 'text', text, id: eventId },
  });

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const idOf = ({ id }: JsonObject): string => textOf(id);

/** The events that a subscriber heard, each verified, and read by the schema of its type. */
const readAll = (heard: readonly Heard[], key: string) =>
  heard.map(({ body, headers }) => {
    const { type, data } = new Webhook(key).verify(body, headers) as { type: EventType; data: JsonObject };
    return { type, data: eventTypes[type].data.parse(data) as JsonObject };
  });

describe('a subscriber', () => {
  it(
    'hears what happens to a person, in its order, and who publishes',
    withSubscriber(async ({ service, ask, subscriber, subscriber: { hear } }) => {
      const made = await ask('POST', '/event-subscriptions', { url: subscriber.url, events: ['*'] });
      expect(made).toMatchObject({ status: 201, body: { url: subscriber.url, events: ['*'], paused: false } });
      const key = textOf(made.body['secret']);
      await write(service, 'hi', 'e1');
      await service.engine.whenIdle();
      await hear(5);
      const first = readAll(subscriber.heard, key);
      expect(first.map(({ type }) => type).toSorted()).toEqual([
        'contact.created',
        'execution.ended',
        'execution.started',
        'message.received',
        'message.sent',
      ]);
      expect(first.slice(0, 2).map(({ type }) => type)).toEqual(['contact.created', 'message.received']);
      expect(first.at(-1)).toMatchObject({ type: 'execution.ended', data: { workflowId: 'greeting', status: 'completed', userId: 'ana' } });
      expect(await ask('PATCH', '/contacts/bot_web:ana', { fields: { city: 'Lima' }, consent: { marketing: 'granted' } })).toMatchObject({
        status: 200,
      });
      expect(await ask('PUT', '/contacts/phone:51999000222', { names: 'Eva' })).toMatchObject({ status: 200 });
      await service.engine.company('1').publish({ ...company.workflows[0]?.canvas, name: 'Greeting again' });
      await hear(10);
      expect(
        readAll(subscriber.heard.slice(5), key)
          .map(({ type }) => type)
          .toSorted(),
      ).toEqual(['contact.consentChanged', 'contact.created', 'contact.updated', 'contact.updated', 'workflow.published']);
      const path = `/event-subscriptions/${idOf(made.body)}`;
      await expect.poll(async () => (await ask('GET', path)).body['pending']).toBe(0);
      expect((await ask('GET', `${path}/deliveries?state=delivered&limit=3`)).body).toMatchObject({
        results: [{ state: 'delivered', attempts: 1, lastAnswer: { status: 200, text: '<html>thank you</html>' } }, {}, {}],
        nextCursor: expect.stringMatching(/^deliveries-\d+$/) as unknown,
      });
    }),
  );

  it(
    'is not told what did not happen: a delivery that is repeated, a publication that was one already',
    withSubscriber(async ({ service, ask, subscriber: { url } }) => {
      const { body } = await ask('POST', '/event-subscriptions', { url, events: ['message.received', 'workflow.*'], paused: true });
      await write(service, 'one', 'e1');
      await write(service, 'one', 'e1');
      await service.engine.company('1').publish(company.workflows[0]?.canvas ?? {});
      const { results } = (await ask('GET', `/event-subscriptions/${idOf(body)}/deliveries`)).body;
      expect(results).toMatchObject([{ type: 'message.received', state: 'pending', attempts: 0, lastAnswer: null }]);
    }),
  );

  it(
    'is sent again what it took, and gets nothing while it is paused',
    withSubscriber(async ({ service, ask, subscriber, subscriber: { hear } }) => {
      const { body } = await ask('POST', '/event-subscriptions', { url: subscriber.url, events: ['message.received'], secret });
      expect(body['secret']).toBeUndefined();
      const path = `/event-subscriptions/${idOf(body)}`;
      await write(service, 'one', 'e1');
      await hear(1);
      await expect.poll(async () => (await ask('GET', path)).body['pending']).toBe(0);
      expect(await ask('POST', `${path}/pause`, '{}')).toMatchObject({ status: 200, body: { paused: true } });
      await write(service, 'two', 'e2');
      expect(await ask('GET', path)).toMatchObject({ body: { paused: true, pending: 1, parked: 0 } });
      expect(await ask('PATCH', path, { paused: false })).toMatchObject({ status: 200, body: { paused: false } });
      await hear(2);
      await expect.poll(async () => (await ask('GET', path)).body['pending']).toBe(0);
      expect(await ask('POST', `${path}/replay?from=2000-01-01T00:00:00Z`)).toEqual({ status: 200, body: { replayed: 2 } });
      await hear(4);
      expect(await ask('POST', '/replay?from=2100-01-01T00:00:00Z')).toEqual({ status: 200, body: { replayed: 0 } });
      expect(readAll(subscriber.heard, secret).map(({ data }) => data['messageId'])).toEqual(['e1', 'e2', 'e1', 'e2']);
      const ids = subscriber.heard.map(({ headers }) => headers['webhook-id']);
      expect(ids.slice(2)).toEqual(ids.slice(0, 2));
    }),
  );
});

describe('the example', () => {
  it('hears what is signed with its secret, once, and nothing else', async () => {
    const heard: unknown[] = [];
    const server = subscribe(secret, (event) => heard.push(event)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const body = JSON.stringify({ type: 'job.ended', data: { text: 'á' } });
    // The example takes the time of its own clock, within five minutes.
    const send = async (key: string, atMs = Date.now(), text = body): Promise<number> => {
      const { port } = server.address() as AddressInfo;
      return (
        await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers: { ...signDelivery(key, 'evt_1', atMs, body) }, body: text })
      ).status;
    };
    const other = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
    expect([
      await send(secret),
      await send(secret),
      await send(other),
      await send(secret, 0),
      await send(secret, Date.now(), '{}'),
    ]).toEqual([204, 204, 401, 401, 401]);
    expect(heard).toEqual([{ type: 'job.ended', data: { text: 'á' } }]);
    server.close();
    server.closeAllConnections();
  });
});

describe('a subscription', () => {
  it(
    'is refused with a sentence where it could never be served',
    withSubscriber(async ({ ask, subscriber: { url } }) => {
      const refused = async (body: object): Promise<unknown> => {
        const { status, body: answer } = await ask('POST', '/event-subscriptions', body);
        const said = (answer['validationError'] ?? {}) as { readonly [field: string]: readonly { readonly en: string }[] };
        return [status, Object.fromEntries(Object.entries(said).map(([field, words]) => [field, words.map(({ en }) => en)]))];
      };
      expect(await refused({ url, events: ['mesage.sent'] })).toEqual([
        422,
        { events: ['There is no event "mesage.sent": did you mean message.sent?'] },
      ]);
      expect(await refused({ url: 'http://10.0.0.1/hook', events: ['*'] })).toMatchObject([
        422,
        { url: [expect.stringContaining('10.0.0.1')] },
      ]);
      expect(await refused({ url: 'ftp://example.com', events: ['*'] })).toMatchObject([
        422,
        { url: [expect.stringContaining('https://')] },
      ]);
      expect(await refused({ url, events: ['*'], secret: 'hunter2' })).toMatchObject([
        422,
        { secret: [expect.stringContaining('whsec_')] },
      ]);
      expect(await refused({ url, events: ['*'], sekret: 'x' })).toMatchObject([422, {}]);
      expect(await refused({ events: ['*'] })).toMatchObject([422, { url: [expect.any(String)] }]);
    }),
  );

  it(
    'has bounds: the address, the names, and how many there are',
    withSubscriber(async ({ ask, subscriber: { url } }) => {
      const statusOf = async (body: object): Promise<number> => (await ask('POST', '/event-subscriptions', body)).status;
      const long = (length: number) => ({ url: `${url}?${'x'.repeat(length - url.length - 1)}`, events: ['*'] });
      const many = (count: number) => ({ url, events: Array.from({ length: count }, () => 'message.sent') });
      expect([await statusOf(long(2_047)), await statusOf(long(2_048)), await statusOf(long(2_049))]).toEqual([201, 201, 422]);
      expect([await statusOf(many(0)), await statusOf(many(1)), await statusOf(many(50)), await statusOf(many(51))]).toEqual([
        422, 201, 201, 422,
      ]);
      for (let count = 4; count < 19; count += 1) expect(await statusOf(many(1))).toBe(201);
      expect([await statusOf(many(1)), await statusOf(many(1))]).toEqual([201, 409]);
    }),
  );

  it(
    'travels with the workspace, without its secret, and is gone with all that was on its way',
    withSubscriber(async ({ service, ask, subscriber: { url } }) => {
      const { body } = await ask('POST', '/event-subscriptions', { url, events: ['message.*'], secret, paused: true });
      const id = idOf(body);
      await write(service, 'one', 'e1');
      const exported = await service.exportWorkspace();
      expect(JSON.stringify(exported)).not.toContain(secret.slice(6));
      expect(exported).toMatchObject({ companies: [{ eventSubscriptions: [{ id, url, events: ['message.*'], paused: true }] }] });
      expect((await service.importWorkspace({ workspace: exported })).counts.eventSubscriptions).toEqual({ given: 1, written: 0 });
      expect(await ask('GET', '/event-subscriptions')).toMatchObject({ body: { results: [{ id, paused: true }], nextCursor: null } });
      expect(await ask('DELETE', `/event-subscriptions/${id}`)).toEqual({ status: 200, body: { id } });
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/deliveries'],
        ['DELETE', ''],
        ['POST', '/pause'],
      ] as const)
        expect(await ask(method, `/event-subscriptions/${id}${path}`)).toMatchObject({
          status: 404,
          body: { error: 'SUBSCRIPTION_NOT_FOUND' },
        });
      expect(await ask('GET', '/event-subscriptions')).toEqual({ status: 200, body: { results: [], nextCursor: null } });
    }),
  );
});
