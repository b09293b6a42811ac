// A company whose people also answer in the apps of WhatsApp, Messenger and Instagram, with doubles of these providers.
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, type Json, type JsonObject, parseJsonText } from '@hilo/engine/contract';
import { createVirtualClock, seededRandom, type VirtualClock } from '@hilo/testing';
import { call } from '@hilo/stores';
import { type ProviderDouble, startProvider } from '../../../channels/test/double.ts';
import { providers, secret } from '../../../channels/test/providers.ts';
import { createManagement } from '../../src/service/app.ts';
import { createChannels } from '../../src/channels/routes.ts';
import { heldMs, statement } from '../../src/platform/database/schema.ts';
import { openService, type RunningService } from '../../src/service/open-service.ts';
import { runtimeParts } from '../data/runtime.ts';
import { settingsFor } from '../data/settings.ts';

const kinds = ['whatsapp-cloud', 'messenger', 'instagram'] as const;
export type Kind = (typeof kinds)[number];

/** Answers `hello` with two messages and a question, and the answer with one; `later` comes ten minutes after `remind`. */
const canvas = {
  schemaVersion: 1,
  id: 'talk',
  name: 'Talk',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['hello'] } },
    { id: 'greet', type: 'message', data: { message: { type: 'text', text: 'bot: welcome' } } },
    {
      id: 'name',
      type: 'ask',
      data: { message: { type: 'text', text: 'bot: your name?' }, input: { kind: 'text' }, saveAs: '$context.name', timeout: 'PT10M' },
    },
    { id: 'thank', type: 'message', data: { message: { type: 'text', text: 'bot: thanks, {{$context.name}}' } } },
    { id: 'late', type: 'message', data: { message: { type: 'text', text: 'bot: too late' } } },
    { id: 'remind', type: 'start', data: { keywords: ['remind'] } },
    { id: 'pause', type: 'delay', data: { duration: 'PT10M' } },
    { id: 'reminder', type: 'message', data: { message: { type: 'text', text: 'bot: reminder' } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'greet' },
    { source: 'greet', sourceHandle: 'sent', target: 'name' },
    { source: 'name', sourceHandle: 'answered', target: 'thank' },
    { source: 'name', sourceHandle: 'timeout', target: 'late' },
    { source: 'late', sourceHandle: 'sent', target: 'done' },
    { source: 'thank', sourceHandle: 'sent', target: 'done' },
    { source: 'remind', target: 'pause' },
    { source: 'pause', sourceHandle: 'elapsed', target: 'reminder' },
    { source: 'reminder', sourceHandle: 'sent', target: 'done' },
  ],
};

/** What a provider delivers, in its own shape. */
const bodies = {
  'whatsapp-cloud': {
    user: '51999000111',
    said: (text: string, id: string, nowMs: number) => ({
      field: 'messages',
      value: {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: '15550001111', phone_number_id: '1065' },
        contacts: [{ profile: { name: 'Ana' }, wa_id: '51999000111' }],
        messages: [{ from: '51999000111', id, timestamp: String(Math.floor(nowMs / 1_000)), type: 'text', text: { body: text } }],
      },
    }),
    echo: (text: string, id: string, nowMs: number) => ({
      field: 'smb_message_echoes',
      value: {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: '15550001111', phone_number_id: '1065' },
        message_echoes: [
          { from: '15550001111', to: '51999000111', id, timestamp: String(Math.floor(nowMs / 1_000)), type: 'text', text: { body: text } },
        ],
      },
    }),
  },
} as const;

const pageItem = (fromUser: boolean, message: JsonObject, nowMs: number): JsonObject => ({
  sender: { id: fromUser ? '24' : '10154' },
  recipient: { id: fromUser ? '10154' : '24' },
  timestamp: nowMs,
  message,
});

function bodyOf(kind: Kind, isEcho: boolean, { text, id, ...more }: JsonObject & { text: string; id: string }, nowMs: number): JsonObject {
  if (kind === 'whatsapp-cloud') {
    const change = isEcho ? bodies[kind].echo(text, id, nowMs) : bodies[kind].said(text, id, nowMs);
    return { object: 'whatsapp_business_account', entry: [{ id: '1', changes: [change] }] };
  }
  const message = { mid: id, text, ...(isEcho && { is_echo: true, app_id: 263902037430900 }), ...more };
  return { object: kind === 'messenger' ? 'page' : 'instagram', entry: [{ id: '10154', messaging: [pageItem(!isEcho, message, nowMs)] }] };
}

/** What happened, in its order: what the bot said, and when a person's message was answered with 200. */
export interface Happened {
  readonly what: 'bot' | 'person';
  readonly text: string;
  /** When a person's message was sent. */
  readonly atMs: number;
}

export interface TakeoverStage extends AsyncDisposable {
  readonly clock: VirtualClock;
  service(): RunningService;
  /** Says how long a takeover lasts. */
  lasts(takeover: string | undefined): Promise<void>;
  /** Whatever happened in the chats of all three. */
  readonly happened: Happened[];
  /** What the users of a bot were told by it. */
  told(kind: Kind): readonly string[];
  /** The user writes. */
  writes(kind: Kind, text: string): Promise<JsonObject>;
  /** A person answers the user in the app. @param more - further fields of the message; `id` makes it the same message again */
  answers(kind: Kind, text: string, more?: JsonObject): Promise<JsonObject>;
  /** Calls management. */
  ask(method: string, path: string, body?: Json): Promise<JsonObject>;
  /** Lets time pass in small steps, and what is due happen. */
  passes(ms: number): Promise<void>;
  reopen(): Promise<void>;
}

/** A message that is with its provider. */
const claimed = statement()((db) =>
  db
    .selectFrom('outbox')
    .select('id')
    .where('claimed_by', 'is not', null)
    .where('due_at_ms', '>', 0)
    .where('due_at_ms', '<', heldMs)
    .limit(1),
);

export const botOf = (kind: Kind): string => `bot_${kind}`;
export const userOf = (kind: Kind): string => (kind === 'whatsapp-cloud' ? bodies[kind].user : '24');

/** @param over - where the service keeps what it has; as the run says, when left out */
export async function takeoverStage(over?: () => ReturnType<typeof runtimeParts>): Promise<TakeoverStage> {
  const clock = createVirtualClock();
  const directory = await mkdtemp(join(tmpdir(), 'hilo-takeover-'));
  const { laneRuntime, ...place } = await (over === undefined ? runtimeParts(directory) : over());
  const happened: Happened[] = [];
  const known = (await providers()).filter(({ adapter }) => kinds.some((kind) => kind === adapter.kind));
  const doubles = await Promise.all(known.map(({ plan }) => startProvider(plan)));
  const doubleOf = (kind: Kind): ProviderDouble => {
    const double = doubles[known.findIndex(({ adapter }) => adapter.kind === kind)];
    if (double === undefined) throw new Error('Every provider has a double');
    return double;
  };
  const textsOf = (kind: Kind): readonly string[] =>
    doubleOf(kind)
      .sent()
      .map(({ body }) => textIn(parseJsonText(body)));
  for (const kind of kinds)
    doubleOf(kind).acceptBy((count) => {
      happened.push({ what: 'bot', text: textsOf(kind).at(-1) ?? '', atMs: clock.now() });
      const id = `${kind}-out-${count}`;
      return kind === 'whatsapp-cloud'
        ? { messaging_product: 'whatsapp', contacts: [{ input: '51', wa_id: '51999000111' }], messages: [{ id }] }
        : { recipient_id: '24', message_id: id };
    });
  const workspaceOf = (takeover: string | undefined) => ({
    companies: [
      {
        id: 1,
        name: 'Acme',
        plan: 'growth',
        ...(takeover !== undefined && { takeover }),
        consent: { stop: ['STOP'], start: ['START'], confirmStop: 'bot: stopped' },
        bots: known.map(({ adapter, channel, fields }) => ({
          id: `bot_${adapter.kind}`,
          name: adapter.kind,
          channel,
          connectedAt: '2026-01-01T00:00:00Z',
          provider: { kind: adapter.kind, ...fields(`http://${doubles[known.findIndex((one) => one.adapter === adapter)]?.host ?? ''}`) },
        })),
        templates: [
          {
            id: 'promo',
            botId: 'bot_whatsapp-cloud',
            elementName: 'promo',
            language: 'en',
            category: 'UTILITY',
            status: 'APPROVED',
            body: 'bot: offer',
          },
        ],
        operators: [{ id: 10, names: 'Olga', email: 'olga@acme.example', teamIds: [] }],
        workflows: [{ canvas, publish: true }],
      },
    ],
  });
  let opened = 0;
  const open = () =>
    openService(
      { ...settingsFor(directory, { ...place, egressAllow: doubles.map(({ host }) => host) }), laneRuntime },
      { clock, random: seededRandom((opened += 1)), log: { info: () => {}, warn: () => {}, error: () => {} } },
    );
  let service = await open();
  let count = 0;
  const settle = async (): Promise<void> => {
    // A message may wait for the pace of its provider, and its workflow for the message: time goes on for them.
    const turning = setInterval(() => clock.advanceBy(100), 20);
    await service.engine.whenIdle().finally(() => clearInterval(turning));
    const isSending = async (): Promise<boolean> => (await service.store.runner.readOne(call(claimed, {}))) !== undefined;
    for (let turn = 0; turn < 5 || (turn < 200 && (await isSending())); turn += 1)
      await new Promise((resolve) => void setImmediate(resolve));
  };
  const deliver = async (kind: Kind, isEcho: boolean, text: string, more: JsonObject): Promise<JsonObject> => {
    count += 1;
    const atMs = clock.now(); // a takeover lasts from here at the earliest, however late the answer is
    const body = JSON.stringify(bodyOf(kind, isEcho, { id: `${isEcho ? 'echo' : 'in'}-${count}`, text, ...more }, atMs));
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
    const response = await createChannels(service).request(`/channels/${botOf(kind)}/webhook`, { method: 'POST', headers, body });
    const answer = (await response.json()) as JsonObject;
    if (response.status !== 200) throw new Error(`The service answered ${response.status}: ${JSON.stringify(answer)}`);
    if (isEcho) happened.push({ what: 'person', text, atMs });
    return answer;
  };
  return {
    clock,
    service: () => service,
    happened,
    lasts: async (takeover) => void (await service.importWorkspace({ workspace: workspaceOf(takeover) })),
    told: textsOf,
    async writes(kind, text) {
      const answer = await deliver(kind, false, text, {});
      await settle();
      return answer;
    },
    async answers(kind, text, more = {}) {
      const answer = await deliver(kind, true, text, more);
      await settle();
      return answer;
    },
    async ask(method, path, body) {
      const headers = { 'content-type': 'application/json' };
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const response = await createManagement(service).request(path, init);
      return { status: response.status, body: (await response.json()) as Json };
    },
    async passes(ms) {
      const untilMs = clock.now() + ms;
      while (clock.now() < untilMs) {
        clock.advanceBy(Math.min(300_000, untilMs - clock.now()));
        await settle();
      }
      // What came due by then is looked for each second.
      for (let second = 0; second < 2; second += 1) {
        clock.advanceBy(1_000);
        await settle();
      }
    },
    async reopen() {
      await service.close();
      service = await open();
    },
    async [Symbol.asyncDispose]() {
      const turning = setInterval(() => clock.advanceBy(1_000), 20);
      await service.close().finally(() => clearInterval(turning));
      await Promise.all(doubles.map((double) => double.close()));
      await rm(directory, { recursive: true });
    },
  };
}

/** The words of a message as a provider takes it. */
function textIn(body: Json): string {
  if (!isJsonObject(body)) return '';
  const [text, message, template] = [body['text'], body['message'], body['template']];
  if (isJsonObject(template)) return 'bot: offer';
  const words = isJsonObject(text) ? text['body'] : isJsonObject(message) ? message['text'] : undefined;
  return typeof words === 'string' ? words : '';
}
