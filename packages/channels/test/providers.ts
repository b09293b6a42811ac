// What the doubles of the providers know: where messages go, what is taken, every published error, and how deliveries are signed.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import type { ProviderFailure } from '@hilo/testing/contracts';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { ChannelAdapter } from '../src/channel-adapter.ts';
import { customChannel } from '../src/custom/index.ts';
import { instagramChannel, messengerChannel } from '../src/meta/page-channel.ts';
import { logChannel } from '../src/log/index.ts';
import { slackChannel } from '../src/slack/index.ts';
import { teamsChannel } from '../src/teams/index.ts';
import { webChannel } from '../src/web/index.ts';
import { whatsappChannel } from '../src/whatsapp/index.ts';
import { xChannel } from '../src/x/index.ts';
import type { ProviderPlan } from './double.ts';
import { schemaOf } from './schemas.ts';

/** A provider, for its double. */
export interface Provider {
  readonly adapter: ChannelAdapter;
  readonly channel: ChannelAdapter['channels'][number];
  /** The fields of a bot whose provider is at `url`. */
  fields(url: string): JsonObject;
  readonly plan: ProviderPlan;
  readonly failures: readonly ProviderFailure[];
  /** A user of the bot, by the id that the provider has for them. */
  readonly userId: string;
  /** The body by which the provider tells that the user wrote `text`. @param id - of the message; @param atMs - when, long ago if left out */
  textOf(text: string, id: string, url: string, atMs?: number): JsonObject;
  /** The headers that go with a body at an instant; `secret` stands in for that of the bot. */
  sign(body: string, nowMs: number, secret: string): Promise<Record<string, string>> | Record<string, string>;
}

export const secret = 'double-secret';

const longAgoMs = 1_750_000_000_000;

const failure = (status: number, body: JsonObject, kind: ProviderFailure['kind'], cause: string): ProviderFailure => ({
  status,
  body,
  kind,
  cause,
});

const hubSignature = (body: string, _nowMs: number, key: string): Record<string, string> => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
});

/** A row of the table of errors that the providers publish. */
interface PublishedError {
  readonly channel: string;
  readonly code: number | string;
  readonly subcode?: number;
  readonly title: string;
  readonly httpStatus: number;
  /** Codes of our interface that fit, the first one best; null where none does. */
  readonly hilo: readonly string[] | null;
  /** 200 for what the provider accepts, and tells later that it failed. */
  readonly hiloHttp: number;
  readonly retry: boolean;
}

const { codes: published } = JSON.parse(readFileSync(join(import.meta.dirname, 'errors.json'), 'utf8')) as {
  readonly codes: readonly PublishedError[];
};

/** Every error that a provider publishes, as a body of its own. */
const publishedBy = (channel: string, bodyOf: (error: PublishedError) => JsonObject): readonly ProviderFailure[] =>
  published
    .filter((error) => error.channel === channel)
    .map((error) => failure(error.httpStatus, bodyOf(error), error.retry ? 'later' : 'refused', causeOf(error)));

function causeOf({ title, hilo, hiloHttp, retry }: PublishedError): string {
  if (retry) return /rate|too many|throttled|limit/i.test(title) ? 'PROVIDER_RATE_LIMITED' : 'PROVIDER_UNAVAILABLE';
  return hilo?.[0] ?? (hiloHttp === 200 ? 'NOT_DELIVERED' : 'PROVIDER_UNAUTHORIZED');
}

const graphError = ({ code, subcode, title }: Pick<PublishedError, 'code' | 'subcode' | 'title'>, details?: string): JsonObject => ({
  error: {
    code,
    message: title,
    ...(subcode !== undefined && { error_subcode: subcode }),
    ...(details !== undefined && { error_data: { details } }),
  },
});

const mediaError = (details: string, cause: string): ProviderFailure =>
  failure(400, graphError({ code: 131_053, title: 'Media upload error' }, details), 'refused', cause);

const whatsapp: Provider = {
  adapter: whatsappChannel,
  channel: 'whatsapp',
  fields: (baseUrl) => ({
    phoneNumberId: '1065',
    accessToken: 'wa-token',
    appSecret: secret,
    verifyToken: 'v',
    apiVersion: 'v23.0',
    baseUrl,
  }),
  plan: {
    isMessage: ({ method, url }) => method === 'POST' && url === '/v23.0/1065/messages',
    problemsOf: schemaOf('whatsapp.messages.request'),
    accepted: { messaging_product: 'whatsapp', contacts: [{ input: '521', wa_id: '521' }], messages: [{ id: 'wamid.out' }] },
  },
  failures: [
    ...publishedBy('whatsapp', graphError),
    mediaError('Downloading media from weblink failed with http code 404', 'INVALID_MEDIA_URL'),
    mediaError('Unsupported Image mime type image/bmp', 'UNSUPPORTED_MEDIA_TYPE'),
    mediaError('Media file size too big. Max file size we currently support: 5MB', 'MEDIA_TOO_LARGE'),
    failure(404, graphError({ code: 132_000, title: 'Template not found' }), 'refused', 'INVALID_TEMPLATE'),
    failure(400, graphError({ code: 100, subcode: 2_494_010, title: 'Not on WhatsApp' }), 'refused', 'USER_NOT_FOUND'),
  ],
  userId: '5215512345678',
  textOf: (text, id, _url, atMs = longAgoMs) => ({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '1',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '1', phone_number_id: '1065' },
              contacts: [{ profile: { name: 'Ana' }, wa_id: '5215512345678' }],
              messages: [{ from: '5215512345678', id, timestamp: String(Math.floor(atMs / 1_000)), type: 'text', text: { body: text } }],
            },
          },
        ],
      },
    ],
  }),
  sign: hubSignature,
};

const page = (adapter: ChannelAdapter, channel: 'facebook' | 'instagram', schema: string): Provider => ({
  adapter,
  channel,
  fields: (baseUrl) => ({ pageId: '10154', accessToken: 'page-token', appSecret: secret, verifyToken: 'v', apiVersion: 'v23.0', baseUrl }),
  plan: {
    isMessage: ({ method, url }) => method === 'POST' && url === '/v23.0/10154/messages',
    problemsOf: schemaOf(schema),
    accepted: { recipient_id: '24', message_id: 'm_out' },
  },
  failures: publishedBy(channel, graphError),
  userId: '24',
  textOf: (text, id, _url, atMs = longAgoMs) => ({
    object: channel === 'facebook' ? 'page' : 'instagram',
    entry: [
      {
        id: '10154',
        messaging: [{ sender: { id: '24' }, recipient: { id: '10154' }, timestamp: atMs, message: { mid: id, text } }],
      },
    ],
  }),
  sign: hubSignature,
});

const slack: Provider = {
  adapter: slackChannel,
  channel: 'slack',
  fields: (baseUrl) => ({ botToken: 'xoxb-token', signingSecret: secret, baseUrl }),
  plan: {
    isMessage: ({ method, url }) => method === 'POST' && url === '/api/chat.postMessage',
    problemsOf: schemaOf('slack.chat-post-message.request'),
    accepted: { ok: true, channel: 'D1', ts: '1503435956.000247' },
  },
  failures: publishedBy('slack', ({ code }) => ({ ok: false, error: code })),
  userId: 'U1',
  textOf: (text, id) => ({
    type: 'event_callback',
    event_id: `Ev-${id}`,
    event: {
      type: 'message',
      channel: 'D1',
      channel_type: 'im',
      user: 'U1',
      ts: `${Number.parseInt(id.replace(/\D/g, '') || '1', 10)}.000200`,
      text,
    },
  }),
  sign(body, nowMs, key) {
    const sentAt = Math.floor(nowMs / 1_000);
    const signature = createHmac('sha256', key).update(`v0:${sentAt}:${body}`).digest('hex');
    return { 'x-slack-signature': `v0=${signature}`, 'x-slack-request-timestamp': String(sentAt) };
  },
};

const keyPair = generateKeyPair('RS256');
const foreignPair = generateKeyPair('RS256');
const publicKey = keyPair.then(async ({ publicKey: key }) => ({ ...(await exportJWK(key)), kid: 'k1', use: 'sig' }));

/** The connector of Teams, with its token endpoint and its key set at the same place. @param keySet - what `publicKey` resolves to */
const teams = (keySet: Json): Provider => ({
  adapter: teamsChannel,
  channel: 'teams',
  fields: (url) => ({ appId: 'app', appPassword: secret, tokenUrl: `${url}/token`, keysUrl: `${url}/keys`, baseUrl: url }),
  plan: {
    isMessage: ({ method, url }) => method === 'POST' && url.endsWith('/activities'),
    problemsOf: schemaOf('teams.activity.request'),
    accepted: { id: '1485983408511' },
    answer: ({ url }) =>
      url === '/token' ? { access_token: 'teams-token', expires_in: 3_600 } : url === '/keys' ? { keys: [keySet] } : undefined,
  },
  failures: publishedBy('teams', ({ code, title }) => ({ error: { code, message: title } })),
  userId: '29:ana',
  textOf: (text, id, url, atMs = longAgoMs) => ({
    type: 'message',
    id,
    timestamp: new Date(atMs).toISOString(),
    serviceUrl: `${url}/emea/`,
    from: { id: '29:ana', name: 'Ana' },
    conversation: { id: 'a:1' },
    recipient: { id: '28:bot' },
    text,
  }),
  async sign(body, nowMs, key) {
    const { privateKey } = await (key === secret ? keyPair : foreignPair);
    const seconds = Math.floor(nowMs / 1_000);
    const read = JSON.parse(body) as { readonly serviceUrl?: Json } | null;
    const claims = {
      iss: 'https://api.botframework.com',
      aud: 'app',
      serviceurl: read?.serviceUrl ?? '',
      nbf: seconds,
      exp: seconds + 3_600,
    };
    return { authorization: `Bearer ${await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(privateKey)}` };
  },
});

const x: Provider = {
  adapter: xChannel,
  channel: 'twitter',
  fields: (baseUrl) => ({ consumerKey: 'x-key', consumerSecret: secret, accessToken: 'x-token', baseUrl }),
  plan: {
    isMessage: ({ method, url }) => method === 'POST' && url.startsWith('/2/dm_conversations/with/'),
    problemsOf: schemaOf('x.dm.request'),
    accepted: { data: { dm_conversation_id: '1-2', dm_event_id: '1346' } },
    answer: ({ url }) => (url.startsWith('/2/media/upload') ? { data: { id: '710' } } : undefined),
  },
  failures: [
    failure(401, { title: 'Unauthorized' }, 'refused', 'PROVIDER_UNAUTHORIZED'),
    failure(403, { title: 'Forbidden', detail: 'not permitted to DM' }, 'refused', 'USER_NOT_FOUND'),
    failure(400, { title: 'Invalid Request' }, 'refused', 'INVALID_REQUEST'),
    failure(429, { title: 'Too Many Requests' }, 'later', 'PROVIDER_RATE_LIMITED'),
    failure(503, { title: 'Service Unavailable' }, 'later', 'PROVIDER_UNAVAILABLE'),
    failure(500, { title: 'Internal Server Error' }, 'unknown', 'PROVIDER_UNAVAILABLE'),
  ],
  userId: '99',
  textOf: (text, id, _url, atMs = longAgoMs) => ({
    for_user_id: '1',
    direct_message_events: [
      {
        type: 'message_create',
        id,
        created_timestamp: String(atMs),
        message_create: { target: { recipient_id: '1' }, sender_id: '99', message_data: { text } },
      },
    ],
  }),
  sign: (body, _nowMs, key) => ({ 'x-twitter-webhooks-signature': `sha256=${createHmac('sha256', key).update(body).digest('base64')}` }),
};

const ownEvent = (text: string, id: string): JsonObject => ({
  eventId: id,
  botId: 'bot',
  user: { id: 'ana' },
  message: { id, type: 'text', text },
  receivedAt: '2026-02-01T10:00:00Z',
});

const custom: Provider = {
  adapter: customChannel,
  channel: 'custom',
  fields: (url) => ({ url: `${url}/messages`, appSecret: secret }),
  plan: {
    isMessage: ({ method, url }) => method === 'POST' && url === '/messages',
    problemsOf: (body) =>
      isJsonObject(body) &&
      body['event'] === 'message' &&
      body['botId'] === 'bot' &&
      body['userId'] === 'ana' &&
      isJsonObject(body['message'] ?? null)
        ? ''
        : 'this is not event, botId, userId and message',
    accepted: {},
  },
  failures: [failure(400, {}, 'refused', 'PROVIDER_REFUSED'), failure(500, {}, 'later', 'PROVIDER_REFUSED')],
  userId: 'ana',
  textOf: ownEvent,
  sign: hubSignature,
};

const log: Provider = {
  adapter: logChannel,
  channel: 'web',
  fields: () => ({ appSecret: secret }),
  plan: { isMessage: () => true, problemsOf: () => 'log calls nobody', accepted: {} },
  failures: [],
  userId: 'ana',
  textOf: ownEvent,
  sign: hubSignature,
};

/** The chat of web pages: a browser proves who its visitor is, and keeping a message is sending it. */
const webSecret = 'secret-of-the-web-chat-0123456789abcdef';

const web: Provider = {
  adapter: webChannel,
  channel: 'web',
  fields: () => ({ appSecret: webSecret }),
  plan: { isMessage: () => true, problemsOf: () => 'web calls nobody', accepted: {} },
  failures: [],
  userId: 'ana',
  textOf: (text, id) => ({ id: `message-${id}`, type: 'text', text, userId: 'somebody else' }),
  async sign(_body, nowMs, key) {
    const token = new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).setSubject('ana').setAudience('bot');
    const secretKey = Buffer.from(key === secret ? webSecret : 'another-secret-0123456789abcdef0123');
    return { authorization: `Bearer ${await token.setExpirationTime(Math.floor(nowMs / 1_000) + 3_600).sign(secretKey)}` };
  },
};

/** Every provider of this package. */
export const providers = async (): Promise<readonly Provider[]> => [
  whatsapp,
  page(messengerChannel, 'facebook', 'messenger.send.request'),
  page(instagramChannel, 'instagram', 'instagram.send.request'),
  slack,
  teams(JSON.parse(JSON.stringify(await publicKey)) as Json),
  x,
  custom,
  log,
  web,
];
