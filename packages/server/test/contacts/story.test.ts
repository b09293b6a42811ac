// A company's own operator works a day with people: everything by calls over HTTP, from a login to what a subscriber has heard of it.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isJsonObject, type Json, type JsonObject, parseJsonText } from '@hilo/engine/contract';
import { seededRandom } from '@hilo/testing';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { startProvider } from '../../../channels/test/double.ts';
import { providers, secret } from '../../../channels/test/providers.ts';
import { eventTypes, type EventType } from '../../src/platform/events/event-types.ts';
import { openService } from '../../src/service/open-service.ts';
import { serve } from '../../src/service/serve.ts';
import { settingsFor } from '../data/settings.ts';

const [ana, beto, carla, dani, eva] = ['51999000111', '51999000222', '51999000333', '51999000444', '51999000555'] as const;
const lines = ['Celular;Nombre;Ciudad', `${ana};Ana;Lima`, `${beto};Beto;Lima`, `${carla};Carla;Lima`, `${dani};;Lima`, `${eva};Eva;Cusco`];
const people = lines.join('\r\n');

const canvas = {
  schemaVersion: 1,
  id: 'offers',
  name: 'Offers',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    {
      id: 'which',
      type: 'ask',
      data: { message: { type: 'text', text: 'bot: which one?' }, input: { kind: 'text' }, saveAs: '$context.which' },
    },
    { id: 'thank', type: 'message', data: { message: { type: 'text', text: 'bot: thank you' } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'which' },
    { source: 'which', sourceHandle: 'answered', target: 'thank' },
    { source: 'thank', sourceHandle: 'sent', target: 'done' },
  ],
};

/** A subscriber that verifies what it hears as the receivers of others do. */
async function startSubscriber() {
  const heard: { readonly type: EventType; readonly data: JsonObject }[] = [];
  const arrivals = new EventEmitter();
  let key = '';
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { type, data } = new Webhook(key).verify(Buffer.concat(parts).toString(), { ...request.headers } as Record<string, string>) as {
        type: EventType;
        data: JsonObject;
      };
      heard.push({ type, data: eventTypes[type].data.parse(data) as JsonObject });
      response.writeHead(204).end();
      arrivals.emit('one');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    believe: (given: string) => void (key = given),
    /** Waits until it has heard of something. */
    async hear(type: EventType, data: JsonObject): Promise<void> {
      const isIt = (one: (typeof heard)[number]): boolean =>
        one.type === type && Object.entries(data).every(([name, value]) => JSON.stringify(one.data[name]) === JSON.stringify(value));
      while (!heard.some(isIt)) await once(arrivals, 'one');
    },
    close: () => void server.close(),
  };
}

/** What WhatsApp delivers: what a user wrote, or what a person answered them in the app. */
const delivery = (field: 'messages' | 'smb_message_echoes', user: string, id: string, text: string): string => {
  // By the clock of the service, which is the real one here: the package that verifies what a subscriber hears knows no other.
  const message = { id, timestamp: String(Math.floor(Date.now() / 1_000)), type: 'text', text: { body: text } };
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550001111', phone_number_id: '1065' },
    ...(field === 'messages'
      ? { contacts: [{ profile: { name: 'As they say' }, wa_id: user }], messages: [{ from: user, ...message }] }
      : { message_echoes: [{ from: '15550001111', to: user, ...message }] }),
  };
  return JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ field, value }] }] });
};

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** What the double of the provider was given for somebody. */
const toldOf = (body: string): readonly [string, string] => {
  const sent = parseJsonText(body);
  const fields = isJsonObject(sent) ? sent : {};
  const [text, template] = [fields['text'], fields['template']];
  return [
    textOf(fields['to']),
    isJsonObject(text) ? textOf(text['body']) : isJsonObject(template) ? `template ${textOf(template['name'])}` : '',
  ];
};

async function openStory() {
  const directory = await mkdtemp(join(tmpdir(), 'hilo-people-'));
  const whatsapp = (await providers()).find(({ adapter }) => adapter.kind === 'whatsapp-cloud');
  if (whatsapp === undefined) throw new Error('There is a double of WhatsApp');
  const [double, subscriber] = [await startProvider(whatsapp.plan), await startSubscriber()];
  double.acceptBy((count) => ({ messaging_product: 'whatsapp', contacts: [], messages: [{ id: `wamid.out${count}` }] }));
  const company = {
    id: 1,
    name: 'Acme',
    plan: 'growth',
    timeZone: 'America/Lima',
    fields: [{ key: 'city', label: 'City', type: 'text' }],
    consent: { stop: ['STOP'], start: ['START'], confirmStop: 'bot: no more offers', categories: ['MARKETING'] },
    takeover: 'PT30M',
    bots: [
      {
        id: 'bot_wa',
        name: 'WhatsApp',
        channel: 'whatsapp',
        connectedAt: '2026-01-01T00:00:00Z',
        provider: { kind: 'whatsapp-cloud', ...whatsapp.fields(double.url) },
      },
    ],
    templates: [
      { id: 'promo', botId: 'bot_wa', elementName: 'promo', language: 'es', category: 'MARKETING', status: 'APPROVED', body: 'Hola {{1}}' },
    ],
    workflows: [{ canvas, publish: true }],
  };
  const settings = settingsFor(directory, { egressAllow: [double.host, subscriber.host] });
  const service = await openService(settings, { random: seededRandom(1), log: { info: () => {}, warn: () => {}, error: () => {} } });
  await service.importWorkspace({ workspace: { companies: [company, { id: 2, name: 'Other', plan: 'free' }] } });
  const listening = await serve(service, settings);
  const url = `http://127.0.0.1:${listening.port}`;
  const told = (user: string): readonly string[] =>
    double.sent().flatMap(({ body }) => (toldOf(body)[0] === user ? [toldOf(body)[1]] : []));
  return {
    url,
    subscriber,
    adminToken: settings.adminToken ?? '',
    told,
    /** Waits until somebody was told as much. */
    async tells(user: string, count: number): Promise<readonly string[]> {
      while (told(user).length < count) await pause(5); // messages leave by real connections, and nothing tells of their arrival
      return told(user);
    },
    async delivers(field: 'messages' | 'smb_message_echoes', user: string, id: string, text: string): Promise<number> {
      const body = delivery(field, user, id, text);
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
      return (await fetch(`${url}/channels/bot_wa/webhook`, { method: 'POST', headers, body })).status;
    },
    async [Symbol.asyncDispose]() {
      await listening.close(0);
      await service.close();
      await double.close();
      subscriber.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** Calls management as somebody. */
const callerOf =
  (url: string, credential: { readonly [name: string]: string }) =>
  async (method: string, path: string, body?: Json, contentType = 'application/json') => {
    const answer = await fetch(`${url}/admin/v1${path}`, {
      method,
      headers: { ...credential, ...(body !== undefined && { 'content-type': contentType }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const parsed: Json = text.startsWith('{') ? parseJsonText(text) : {};
    return {
      status: answer.status,
      text,
      body: isJsonObject(parsed) ? parsed : {},
      cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
    };
  };

it('an operator of one company imports people, sends them a campaign, and each of them is heard', async () => {
  await using story = await openStory();
  const { url, subscriber, told, tells, delivers } = story;
  const asBuilder = callerOf(url, { authorization: `Bearer ${story.adminToken}` });

  // Who builds bots lets an operator of the company in, and a system hear of everything.
  await asBuilder('PUT', '/users/olga', { roles: ['operator'], companies: ['1'] });
  const link = (await asBuilder('POST', '/users/olga/login-link')).body;
  const made = await asBuilder('POST', '/companies/1/event-subscriptions', { url: `http://${subscriber.host}/hook`, events: ['*'] });
  subscriber.believe(textOf(made.body['secret']));
  const { status, cookie } = await callerOf(url, {})('POST', '/login', { code: textOf(link['url']).split('#login=')[1] ?? '' });
  expect([made.status, status]).toEqual([201, 200]);
  const olga = callerOf(url, { cookie });
  expect((await olga('GET', '/me')).body).toMatchObject({ name: 'user olga', companies: [{ id: '1' }] });
  expect((await olga('GET', '/companies/2/contacts')).status).toBe(404);

  // People from a file: nothing is written by the first call.
  const map = `map=${encodeURIComponent('phone=Celular,names=Nombre,city=Ciudad')}`;
  const tried = await olga('POST', `/companies/1/contacts/import?${map}&dryRun=true`, people, 'text/csv');
  expect([tried.status, tried.text]).toEqual([200, expect.stringContaining('"created":5,"changed":0')]);
  expect((await olga('GET', '/companies/1/contacts')).body).toMatchObject({ results: [] });
  expect((await olga('POST', `/companies/1/contacts/import?${map}`, people, 'text/csv')).status).toBe(200);
  expect((await olga('GET', `/companies/1/contacts/phone:${ana}`)).body).toMatchObject({ names: 'Ana', fields: { city: 'Lima' } });

  // A segment and a plan: Dani has no name to be greeted by.
  expect((await olga('PUT', '/companies/1/segments/lima', { condition: 'user.fields.city == "Lima"' })).status).toBe(200);
  const campaign = {
    name: 'Spring',
    botId: 'bot_wa',
    templateId: 'promo',
    audience: { segment: 'lima' },
    parameters: { '1': '{{user.names}}' },
  };
  const plan = async () => (await olga('POST', '/companies/1/campaigns?dryRun=true', campaign)).body;
  expect(await plan()).toEqual({ recipients: 4, duplicates: 0, noConsent: 0, missingParameters: [{ user: dani, parameter: '1' }] });
  expect((await olga('PATCH', `/companies/1/contacts/phone:${dani}`, { names: 'Dani' })).status).toBe(200);

  // Ana stops marketing, and is told so once.
  expect(await delivers('messages', ana, 'wamid.ana1', 'Stop!')).toBe(200);
  await subscriber.hear('contact.consentChanged', { userId: ana, marketing: 'revoked', source: 'keyword', evidence: 'wamid.ana1' });
  expect(await tells(ana, 1)).toEqual(['bot: no more offers']);
  expect(await plan()).toEqual({ recipients: 4, duplicates: 0, noConsent: 1, missingParameters: [] });

  const { body: sent, status: isMade } = await olga('POST', '/companies/1/campaigns', campaign);
  expect(isMade).toBe(201);
  const campaignId = textOf(sent['id']);
  await subscriber.hear('campaign.ended', { campaignId, status: 'COMPLETED' });
  expect([told(ana), told(beto), told(carla), told(dani), told(eva)]).toEqual([
    ['bot: no more offers'],
    ...[1, 2, 3].map(() => ['template promo']),
    [],
  ]);

  // Beto answers, and a person goes on with him from the app: the bot is silent.
  expect(await delivers('messages', beto, 'wamid.beto1', 'I want one')).toBe(200);
  expect(await tells(beto, 2)).toEqual(['template promo', 'bot: which one?']);
  expect(await delivers('smb_message_echoes', beto, 'wamid.echo1', 'Olga here, I will help you')).toBe(200);
  await subscriber.hear('conversation.opened', { userId: beto, origin: 'app' });
  expect(await delivers('messages', beto, 'wamid.beto2', 'The blue one')).toBe(200);
  await subscriber.hear('message.received', { userId: beto, messageId: 'wamid.beto2' });

  // Eva, who got no offer, is served to the end. What ends for Carla below is told nobody, where it is erased before it is delivered.
  expect(await delivers('messages', eva, 'wamid.eva1', 'What do you have?')).toBe(200);
  expect(await tells(eva, 1)).toEqual(['bot: which one?']);
  expect(await delivers('messages', eva, 'wamid.eva2', 'The red one')).toBe(200);
  expect(await tells(eva, 2)).toEqual(['bot: which one?', 'bot: thank you']);
  await subscriber.hear('execution.ended', {});

  // Carla asks to be forgotten.
  expect(await delivers('messages', carla, 'wamid.carla1', 'Please forget me')).toBe(200);
  expect(await tells(carla, 2)).toEqual(['template promo', 'bot: which one?']);
  const erased = await olga('DELETE', `/companies/1/contacts/phone:${carla}`);
  expect(erased.status).toBe(202);
  await subscriber.hear('job.ended', { jobId: textOf(erased.body['jobId']), status: 'done' });
  expect((await olga('GET', `/companies/1/contacts/phone:${carla}`)).status).toBe(404);

  // Counts stay, and the people that they were of do not.
  const counted = await olga('GET', `/companies/1/campaigns/${campaignId}`);
  expect(counted.body).toMatchObject({ status: 'COMPLETED', totalMessages: 4, failedMessages: 0, skipped: { consent: 1 } });
  expect((await olga('GET', `/companies/1/campaigns/${campaignId}/report`)).body).toMatchObject({
    sent: 2,
    skipped: { consent: 1 },
    replied: 1,
  });
  expect((await olga('GET', `/companies/1/campaigns/${campaignId}/results`)).text).not.toContain(carla);
  expect(told(beto)).toEqual(['template promo', 'bot: which one?']);
  const needed: readonly EventType[] = ['contact.created', 'contact.consentChanged', 'campaign.started', 'campaign.ended', 'message.sent'];
  const others: readonly EventType[] = ['message.received', 'execution.started', 'execution.ended', 'conversation.opened', 'job.ended'];
  for (const type of [...needed, ...others]) await subscriber.hear(type, {});
});
