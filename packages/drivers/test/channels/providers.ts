// What the doubles of the providers know: where messages go, what is taken, every published error, and how deliveries are signed.
import { createHmac } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import type { ProviderFailure } from '@hilo/testing/contracts';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { ChannelAdapter } from '../../src/channels/channel-adapter.ts';
import { customChannel } from '../../src/channels/custom/index.ts';
import { instagramChannel } from '../../src/channels/instagram/index.ts';
import { logChannel } from '../../src/channels/log/index.ts';
import { messengerChannel } from '../../src/channels/messenger/index.ts';
import { slackChannel } from '../../src/channels/slack/index.ts';
import { teamsChannel } from '../../src/channels/teams/index.ts';
import { webChannel } from '../../src/channels/web/index.ts';
import { whatsappChannel } from '../../src/channels/whatsapp/index.ts';
import { xChannel } from '../../src/channels/x/index.ts';
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
  /** The body by which the provider tells that the user wrote `text`. @param id - of the message */
  textOf(text: string, id: string, url: string): JsonObject;
  /** The headers that go with a body at an instant; `secret` stands in for that of the bot. */
  sign(body: string, nowMs: number, secret: string): Promise<Record<string, string>> | Record<string, string>;
}

export const secret = 'double-secret';

const failure = (status: number, body: JsonObject, kind: ProviderFailure['kind'], cause: string): ProviderFailure => ({
  status,
  body,
  kind,
  cause,
});

const hubSignature = (body: string, _nowMs: number, key: string): Record<string, string> => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
});

const graph = (code: number, kind: ProviderFailure['kind'], cause: string, subcode?: number): ProviderFailure =>
  failure(
    kind === 'later' ? 500 : 400,
    { error: { code, message: 'no', ...(subcode !== undefined && { error_subcode: subcode }) } },
    kind,
    cause,
  );

const whatsappCodes = (kind: ProviderFailure['kind'], cause: string, codes: readonly number[]): readonly ProviderFailure[] =>
  codes.map((code) => graph(code, kind, cause));

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
    ...whatsappCodes('refused', 'PROVIDER_UNAUTHORIZED', [0, 3, 10, 190, 368, 131_031, 131_042]),
    ...whatsappCodes('later', 'PROVIDER_RATE_LIMITED', [4, 80_007, 130_429, 131_048, 131_056]),
    ...whatsappCodes('later', 'PROVIDER_UNAVAILABLE', [1, 2, 131_000]),
    ...whatsappCodes('refused', 'BOT_NOT_FOUND', [33, 133_010]),
    ...whatsappCodes('refused', 'INVALID_REQUEST', [100, 131_008, 131_009, 131_051]),
    ...whatsappCodes('refused', 'USER_NOT_FOUND', [131_026]),
    ...whatsappCodes('refused', 'OUTSIDE_SESSION_WINDOW', [131_047]),
    ...whatsappCodes('refused', 'INVALID_MEDIA_URL', [131_053]),
    ...whatsappCodes('refused', 'INVALID_TEMPLATE', [132_001, 132_015, 132_016]),
    ...whatsappCodes('refused', 'INVALID_PARAMETERS', [132_000, 132_005, 132_012]),
    ...whatsappCodes('refused', 'INVALID_USER_ID', [131_021, 131_062]),
    ...whatsappCodes('refused', 'NOT_DELIVERED', [131_049, 131_050, 130_472]),
  ],
  userId: '5215512345678',
  textOf: (text, id) => ({
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
              messages: [{ from: '5215512345678', id, timestamp: '1750269342', type: 'text', text: { body: text } }],
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
  failures: [
    graph(190, 'refused', 'PROVIDER_UNAUTHORIZED'),
    graph(4, 'later', 'PROVIDER_RATE_LIMITED'),
    graph(613, 'later', 'PROVIDER_RATE_LIMITED'),
    graph(2, 'later', 'PROVIDER_UNAVAILABLE'),
    graph(100, 'refused', 'USER_NOT_FOUND', 2_018_001),
    graph(10, 'refused', 'OUTSIDE_SESSION_WINDOW', 2_018_278),
    graph(551, 'refused', 'USER_NOT_FOUND'),
    graph(100, 'refused', 'INVALID_REQUEST'),
  ],
  userId: '24',
  textOf: (text, id) => ({
    object: channel === 'facebook' ? 'page' : 'instagram',
    entry: [
      {
        id: '10154',
        messaging: [{ sender: { id: '24' }, recipient: { id: '10154' }, timestamp: 1_750_000_000_000, message: { mid: id, text } }],
      },
    ],
  }),
  sign: hubSignature,
});

const slackError = (error: string, kind: ProviderFailure['kind'], cause: string): ProviderFailure =>
  failure(error === 'ratelimited' ? 429 : 200, { ok: false, error }, kind, cause);

const slack: Provider = {
  adapter: slackChannel,
  channel: 'slack',
  fields: (baseUrl) => ({ botToken: 'xoxb-token', signingSecret: secret, baseUrl }),
  plan: {
    isMessage: ({ method, url }) => method === 'POST' && url === '/api/chat.postMessage',
    problemsOf: schemaOf('slack.chat-post-message.request'),
    accepted: { ok: true, channel: 'D1', ts: '1503435956.000247' },
  },
  failures: [
    ...['channel_not_found', 'not_in_channel', 'is_archived'].map((code) => slackError(code, 'refused', 'USER_NOT_FOUND')),
    ...['msg_too_long', 'no_text', 'invalid_blocks', 'msg_blocks_too_long'].map((code) => slackError(code, 'refused', 'INVALID_REQUEST')),
    ...['rate_limited', 'ratelimited'].map((code) => slackError(code, 'later', 'PROVIDER_RATE_LIMITED')),
    ...['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked'].map((code) =>
      slackError(code, 'refused', 'PROVIDER_UNAUTHORIZED'),
    ),
  ],
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
  failures: [
    failure(413, { error: { code: 'MessageSizeTooBig' } }, 'refused', 'INVALID_REQUEST'),
    failure(404, { error: { code: 'ConversationNotFound' } }, 'refused', 'USER_NOT_FOUND'),
    failure(403, { error: { code: 'ForbiddenOperationException', message: 'MessageWritesBlocked' } }, 'refused', 'USER_NOT_FOUND'),
    failure(400, { error: { code: 'BadArgument' } }, 'refused', 'INVALID_REQUEST'),
    failure(429, { error: { code: 'TooManyRequests' } }, 'later', 'PROVIDER_RATE_LIMITED'),
  ],
  userId: '29:ana',
  textOf: (text, id, url) => ({
    type: 'message',
    id,
    timestamp: '2026-02-01T10:00:00Z',
    serviceUrl: `${url}/emea/`,
    from: { id: '29:ana', name: 'Ana' },
    conversation: { id: 'a:1' },
    recipient: { id: '28:bot' },
    text,
  }),
  async sign(body, nowMs, key) {
    const { privateKey } = await (key === secret ? keyPair : foreignPair);
    const seconds = Math.floor(nowMs / 1_000);
    const read = JSON.parse(body) as { readonly serviceUrl?: string };
    const claims = {
      iss: 'https://api.botframework.com',
      aud: 'app',
      serviceurl: read.serviceUrl ?? '',
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
  textOf: (text, id) => ({
    for_user_id: '1',
    direct_message_events: [
      {
        type: 'message_create',
        id,
        created_timestamp: '1516403560557',
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
