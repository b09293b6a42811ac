// A company with two people who have left something at every door: one is erased, the other stays.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { JsonObject } from '@hilo/engine/contract';
import { createApp } from '../../src/service/app.ts';
import { keepFile } from '../../src/chat/files.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import type { Place } from '../data/open-for-test.ts';

/** Texts that are planted, each at a door of its own. */
const doors = [
  ...(['text', 'payload', 'names', 'field', 'list', 'fileName', 'fileBytes', 'webhookBody', 'foreignWebhook', 'variable'] as const),
  ...(['evidence', 'campaignParameter', 'startKey', 'heldSignal', 'event', 'outbound', 'unmatched'] as const),
  ...(['payment', 'operatorText', 'explanation', 'endedReason', 'answerName', 'answerBytes'] as const),
] as const;
type Door = (typeof doors)[number];

/** A person of the stage. */
export interface Planted {
  readonly id: string;
  readonly bsuid: string;
  readonly canary: (door: Door) => string;
}
export const plantedPerson = (id: string, name: string): Planted => ({
  id,
  bsuid: `PE.${name}12345`,
  canary: (door) => `${name}Canary${door}Q7`,
});

/** Every text that tells of the person. */
export const textsOf = ({ id, bsuid, canary }: Planted): readonly string[] => [
  id,
  bsuid,
  ...doors.filter((door) => door !== 'fileBytes' && door !== 'answerBytes').map(canary),
  ...(['fileBytes', 'answerBytes'] as const).map((door) => Buffer.from(canary(door)).toString('base64').slice(0, -3)),
];

const canvas = (id: string, nodes: readonly object[], edges: readonly object[]) => ({ schemaVersion: 1, id, name: id, nodes, edges });

const talking = canvas(
  'talking',
  [
    { id: 'begin', type: 'start', data: { keywords: ['hello'] } },
    {
      id: 'question',
      type: 'ask',
      data: { message: { type: 'text', text: 'Your order?' }, input: { kind: 'text' }, saveAs: '$context.order' },
    },
    {
      id: 'note',
      type: 'set',
      data: {
        assignments: [
          { path: '$memory.last', value: '{{$context.order}}' },
          { path: '$context.copy', value: '{{$context.order}}' },
        ],
      },
    },
    { id: 'wait', type: 'wait-event', data: { name: 'paid', correlation: '{{$user.id}}', timeout: 'P1D', saveAs: '$context.paid' } },
    { id: 'done', type: 'end' },
  ],
  [
    { source: 'begin', target: 'question' },
    { source: 'question', sourceHandle: 'answered', target: 'note' },
    { source: 'note', target: 'wait' },
    { source: 'wait', sourceHandle: 'received', target: 'done' },
  ],
);
const hooked = (id: string, data: object, more: object = {}) => ({
  ...more,
  ...canvas(
    id,
    [
      { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], ...data } },
      { id: 'done', type: 'end' },
    ],
    [{ source: 'hook', target: 'done' }],
  ),
});

const bot = (id: string, channel: string) => ({ id, name: id, channel, connectedAt: '2026-01-10T00:00:00Z', provider: { kind: 'log' } });

/** The company of the stage. */
export const companyOf = (people: readonly Planted[], more: object = {}) => ({
  id: 1,
  name: 'Acme',
  plan: 'growth',
  fields: [
    { key: 'city', label: 'City', type: 'text' },
    { key: 'likes', label: 'Likes', type: 'list' },
  ],
  clients: [{ clientId: 'acme', clientSecret: 'secret-of-acme' }],
  bots: [bot('bot_wa', 'whatsapp'), bot('bot_web', 'web')],
  templates: [
    { id: 'promo', botId: 'bot_wa', elementName: 'promo', language: 'en', category: 'MARKETING', status: 'APPROVED', body: 'Hi {{1}}' },
  ],
  campaigns: [
    {
      id: 'camp',
      name: 'Camp',
      botId: 'bot_wa',
      templateId: 'promo',
      elementName: 'promo',
      status: 'SCHEDULED',
      scheduledAt: '2036-01-10T00:00:00Z',
      createdAt: '2026-01-10T00:00:00Z',
      recipients: people.map(({ id, canary }) => ({ userId: id, parameters: { '1': canary('campaignParameter') } })),
    },
  ],
  operators: [{ id: 7, names: 'Olga', email: 'olga@example.com', teamIds: [] }],
  rooms: people.map(({ id }, index) => ({ id: `room_${index}`, botId: 'bot_wa', userId: id, tags: [] })),
  conversations: people.map(({ id, canary }, index) => ({
    _id: `case_${index}`,
    roomId: `room_${index}`,
    botId: 'bot_wa',
    userId: id,
    operatorId: 7,
    state: 'resolved',
    endedReason: canary('endedReason'),
    startAt: '2026-01-12T00:00:00Z',
    endAt: '2026-01-12T01:00:00Z',
  })),
  workflows: [talking, hooked('shop', { userIdPath: 'customer' }), hooked('report', {}, { kind: 'tool' })].map((one) => ({
    canvas: one,
    publish: true,
  })),
  ...more,
});

export function asking(service: RunningService) {
  const app = createApp(service);
  return async (
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly body: JsonObject }> => {
    const answer = await app.request(`/admin/v1${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${service.settings.adminToken}`, 'content-type': 'application/json', ...headers },
    });
    return { status: answer.status, body: (await answer.json()) as JsonObject };
  };
}

/** A field of an answer that is a text. */
export function textOf(answer: JsonObject, name: string): string {
  const value = answer[name];
  return typeof value === 'string' ? value : '';
}

let events = 0;

/** A message of a person to a bot. */
export const write = (service: RunningService, { id, bsuid, canary }: Planted, message: JsonObject, botId = 'bot_wa') =>
  service.engine.receiveMessage({
    companyId: '1',
    botId,
    eventId: `event-${(events += 1)}`,
    user: { id, names: canary('names'), bsuid },
    message: { id: `message-${events}`, ...message },
  });

const hook = (service: RunningService, workflowId: string, body: JsonObject, key: string) =>
  service.engine.receiveWebhook({
    companyId: '1',
    botId: 'bot_wa',
    workflowId,
    nodeId: 'hook',
    route: 'production',
    channel: 'whatsapp',
    idempotencyKey: key,
    request: { method: 'POST', body, query: {}, headers: {} },
  });

/** Leaves something of a person at every door. */
export async function plant(service: RunningService, person: Planted, nowMs: number): Promise<void> {
  const { id, canary } = person;
  const ask = asking(service);
  await write(service, person, { type: 'text', text: 'hello' });
  await service.engine.whenIdle();
  await write(service, person, { type: 'text', text: canary('text') });
  await service.engine.whenIdle();
  await service.engine.signal({ companyId: '1', name: 'paid', correlation: id, payload: { told: canary('event') } });
  await service.engine.signal({
    companyId: '1',
    name: 'later',
    correlation: id,
    payload: { told: canary('heldSignal') },
    ttlMs: 1_000_000,
  });
  await write(service, person, { type: 'text', text: 'hello' });
  await service.engine.whenIdle();
  await write(service, person, { type: 'interactive', payload: canary('payload'), text: canary('variable') });
  await service.engine.whenIdle();
  await write(service, person, { type: 'text', text: canary('unmatched') }, 'bot_web');
  await hook(service, 'shop', { customer: id, note: canary('webhookBody') }, `${id}-${canary('startKey')}`);
  await hook(service, 'report', { about: id, note: canary('foreignWebhook') }, `report-${id}`);
  await service.engine.whenIdle();
  const { body: contact } = await ask('GET', `/companies/1/contacts/phone:${id}`);
  await ask('PATCH', `/companies/1/contacts/${textOf(contact, 'id')}`, {
    fields: { city: canary('field'), likes: [canary('list')] },
    groups: ['vip'],
    consent: { marketing: 'granted', evidence: canary('evidence') },
  });
  await ask('POST', '/executions/bulk?companyId=1', { filter: { userId: id }, action: { type: 'release' }, atMost: 1, rate: 1 });
  await keepFile(
    service.store.runner,
    {
      lane: { companyId: '1', botId: 'bot_web', userKey: id },
      messageId: `file-${id}`,
      contentType: 'text/plain',
      filename: `${canary('fileName')}.txt`,
      content: Buffer.from(canary('fileBytes')),
    },
    nowMs,
  );
  await service.files?.keepAnswer({
    companyId: '1',
    idempotencyKey: `answer-${canary('answerName')}`,
    content: Buffer.from(canary('answerBytes')),
    contentType: 'text/plain',
    name: `${canary('answerName')}.txt`,
    user: { botId: 'bot_wa', userId: id },
  });
  const sent = await createApp(service).request('/v1/bots/bot_wa/messages', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${Buffer.from('acme:secret-of-acme').toString('base64')}` },
    body: JSON.stringify({ userId: id, type: 'text', text: canary('outbound') }),
  });
  await sent.text();
}

/** Every file of a directory that has one of some texts, and which. */
export function findTexts(directory: string, texts: readonly string[]): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile()) return [];
    const content = readFileSync(join(entry.parentPath, entry.name));
    return texts.filter((text) => content.includes(text)).map((text) => `${entry.name}: ${text}`);
  });
}

/** Lets a job come to its end. */
export async function endOf(service: RunningService, place: Pick<Place, 'clock'>, jobId: string): Promise<JsonObject> {
  for (;;) {
    const { body } = await asking(service)('GET', `/jobs/${jobId}`);
    if ((body['status'] !== 'waiting' && body['status'] !== 'running') || body['failure'] !== null) return body;
    place.clock.advanceBy(1);
    await setImmediate();
  }
}
