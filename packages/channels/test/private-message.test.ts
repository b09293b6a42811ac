// The rule "is this a message of a person to this bot, in private", over every type of every provider, and what must not cost a message.
import { checkCanvasText } from '@hilo/engine';
import type { Json, JsonObject } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentedTypes, meaningOf } from '../src/private-message.ts';
import { type Meaning, meanings } from '../src/channel-event.ts';
import { samples } from './delivery-samples.ts';
import { changes } from './json-changes.ts';
import { providers } from './providers.ts';
import { delivery, provider as host } from './stage.ts';

const known = await providers();

async function receivedBy(kind: string, body: Json) {
  const found = known.find(({ adapter }) => adapter.kind === kind);
  const about = { companyId: '7', id: 'bot', channel: found?.channel ?? 'custom', userIdFormat: 'open' } as const;
  const connected = found?.adapter.connect(about, found.fields('https://provider.example'));
  if (connected === undefined || 'unfitFields' in connected) throw new Error(`There is a provider "${kind}"`);
  let counts: object = {};
  const received = await connected.receive(delivery(body), { ...host(404, {}).host, noted: (given) => (counts = given) });
  if (received.kind !== 'events') throw new Error(received.message);
  return { ...received, noted: counts };
}

/** By what they are, the events of a delivery; and what is only counted. */
async function toldBy(kind: string, body: Json): Promise<readonly string[]> {
  const { events, noted } = await receivedBy(kind, body);
  return [...events.map((event) => (event.kind === 'notice' ? event.what : event.kind)), ...Object.keys(noted)];
}

const whatsapp = (message: JsonObject, more: JsonObject = {}): JsonObject => {
  const metadata = { display_phone_number: '+1 555-000-1111', phone_number_id: '1065' };
  const messages = [{ from: '5215512345678', id: 'w1', timestamp: '1750269342', ...message }];
  return { entry: [{ changes: [{ field: 'messages', value: { metadata, messages, ...more } }] }] };
};
const page = (item: JsonObject): JsonObject => ({
  entry: [{ id: '10154', messaging: [{ sender: { id: '24' }, recipient: { id: '10154' }, timestamp: 1_750_000_000_000, ...item }] }],
});
const slack = (event: JsonObject): JsonObject => ({
  type: 'event_callback',
  event_id: 'Ev1',
  authorizations: [{ user_id: 'UBOT' }],
  event: { type: 'message', user: 'U1', ts: '1503435956.000247', channel: 'D1', channel_type: 'im', text: 'Hi', ...event },
});
const teams = (activity: JsonObject): JsonObject => ({
  type: 'message',
  id: '17',
  timestamp: '2026-02-01T10:00:00Z',
  serviceUrl: 'https://smba.example/emea/',
  from: { id: '29:1' },
  conversation: { id: 'a:1', conversationType: 'personal' },
  recipient: { id: '28:bot' },
  text: 'Hi',
  ...activity,
});
const x = (create: JsonObject, more: JsonObject = {}): JsonObject => {
  const message_create = { target: { recipient_id: '1' }, sender_id: '99', message_data: { text: 'Hi' }, ...create };
  return {
    for_user_id: '1',
    direct_message_events: [{ type: 'message_create', id: '9', created_timestamp: '5', message_create, ...more }],
  };
};
const custom = (message: JsonObject): JsonObject => ({
  eventId: 'e',
  botId: 'bot',
  user: { id: '5215512345678' },
  message: { id: 'm', type: 'text', text: 'Hi', ...message },
  receivedAt: '2031-03-01T09:00:00Z',
});

describe('what a provider delivers', () => {
  it.each<[kind: string, body: JsonObject, told: readonly string[]]>([
    ['whatsapp-cloud', whatsapp({ type: 'text', text: { body: 'Hi' } }), ['message']],
    ['whatsapp-cloud', whatsapp({ type: 'text', text: { body: 'Hi' }, group_id: 'Y2Fw' }), ['group']],
    ['whatsapp-cloud', whatsapp({ type: 'unsupported', group_id: 'Y2Fw' }), ['group']],
    ['whatsapp-cloud', whatsapp({ type: 'text', text: { body: 'Hi' }, from: '15550001111' }), ['echo']],
    ['whatsapp-cloud', whatsapp({ type: 'unsupported', errors: [{ code: 131_051 }] }), ['unsupported']],
    ['whatsapp-cloud', whatsapp({ type: 'unknown' }), ['unsupported']],
    ['whatsapp-cloud', whatsapp({ type: 'of-next-year' }), ['unsupported']],
    ['whatsapp-cloud', whatsapp({ type: 'ephemeral' }), ['ephemeral']],
    ['whatsapp-cloud', whatsapp({ type: 'request_welcome' }), ['activity']],
    ['whatsapp-cloud', whatsapp({ type: 'system', system: { body: 'joined', type: 'group_join' } }), ['system']],
    ['whatsapp-cloud', whatsapp({ type: 'interactive', interactive: { type: 'call_permission_reply' } }), ['call']],
    ['whatsapp-cloud', whatsapp({}, { messages: [], calls: [{ id: 'c1', from: '521', event: 'connect', timestamp: '1' }] }), ['call']],
    [
      'whatsapp-cloud',
      whatsapp({}, { messages: [], message_echoes: [{ id: 'w2', from: '1555', to: '521', type: 'text', text: { body: 'Hi' } }] }),
      ['echo'],
    ],
    ['messenger', page({ message: { mid: 'm1', text: 'Hi' } }), ['message']],
    ['messenger', page({ message: { mid: 'm1', text: 'Hi', is_echo: true } }), ['echo']],
    ['instagram', page({ message: { mid: 'm1', text: 'Hi', is_self: true } }), ['echo']],
    ['messenger', page({ message: { mid: 'm1', text: 'Hi' }, sender: { id: '10154' } }), ['echo']],
    ['messenger', page({ message: { mid: 'm1', is_unsupported: true } }), ['unsupported']],
    ['instagram', page({ message: { mid: 'm1', attachments: [{ type: 'ephemeral' }] } }), ['ephemeral']],
    ['messenger', page({ message: { mid: 'm1', attachments: [{ type: 'of-next-year' }] } }), ['unsupported']],
    ['messenger', page({ referral: { ref: 'sale', source: 'SHORTLINK', type: 'OPEN_THREAD' } }), ['message']],
    ['messenger', page({ optin: { ref: 'x' } }), ['activity']],
    ['messenger', page({ account_linking: { status: 'linked' } }), ['system']],
    ['messenger', page({ of_next_year: {} }), ['unsupported']],
    ['messenger', { entry: [{ id: '10154', standby: [{ sender: { id: '24' }, message: { mid: 'm' } }] }] }, ['system']],
    ['instagram', { entry: [{ id: '10154', changes: [{ field: 'comments', value: {} }] }] }, ['activity']],
    ['slack', slack({}), ['message']],
    ['slack', slack({ channel: 'C1', channel_type: 'channel' }), ['group']],
    ['slack', slack({ channel: 'G1', channel_type: 'mpim' }), ['group']],
    ['slack', slack({ channel: 'C1', channel_type: undefined as never }), ['group']],
    ['slack', slack({ type: 'app_mention', channel: 'C1', channel_type: 'channel', text: '<@UBOT> order' }), ['message']],
    ['slack', slack({ channel: 'C1', channel_type: 'channel', text: '<@UBOT> order' }), ['message']],
    ['slack', slack({ subtype: 'channel_join' }), ['system']],
    ['slack', slack({ subtype: 'huddle_thread' }), ['call']],
    ['slack', slack({ subtype: 'of_next_year' }), ['unsupported']],
    ['slack', slack({ bot_id: 'B1' }), ['echo']],
    ['slack', slack({ bot_profile: { id: 'B1' } }), ['echo']],
    ['slack', slack({ user: 'USLACKBOT' }), ['echo']],
    ['slack', slack({ user: 'USLACKBOT', subtype: 'huddle_thread' }), ['call']],
    ['slack', { type: 'of_next_year' }, ['unsupported']],
    ['teams', teams({}), ['message']],
    ['teams', teams({ conversation: { id: 'a:1', conversationType: 'groupChat' } }), ['group']],
    ['teams', teams({ conversation: { id: 'a:1', conversationType: 'channel', isGroup: true } }), ['group']],
    ['teams', teams({ from: { id: '28:bot' } }), ['echo']],
    ['teams', teams({ from: { id: '28:other', role: 'bot' } }), ['echo']],
    ['teams', teams({ type: 'invoke', name: 'signin/verifyState', value: {} }), ['activity']],
    [
      'teams',
      teams({ type: 'invoke', name: 'adaptiveCard/action', value: { action: { type: 'Action.Execute', data: { payload: 'YES' } } } }),
      ['message'],
    ],
    ['teams', teams({ type: 'conversationUpdate', membersAdded: [{ id: '29:1' }] }), ['system']],
    ['teams', teams({ type: 'event', name: 'application/vnd.microsoft.meetingStart' }), ['call']],
    ['teams', teams({ type: 'typing' }), ['activity']],
    ['x', x({}), ['message']],
    ['x', x({ sender_id: '1', target: { recipient_id: '99' } }), ['echo']],
    ['x', x({}, { dm_conversation_id: '1346' }), ['group']],
    ['x', x({}, { dm_conversation_id: '1-99' }), ['message']],
    ['x', x({}, { type: 'participants_join' }), ['system']],
    ['x', { for_user_id: '1', follow_events: [{}], tweet_create_events: [{}] }, ['activity']],
    ['custom', custom({}), ['message']],
    ['custom', custom({ type: 'anything-of-the-host' }), ['message']],
    ['custom', custom({ groupId: 'g1' }), ['group']],
    ['custom', custom({ isEcho: true }), ['echo']],
    ['custom', custom({ type: 'unsupported' }), ['unsupported']],
    ['custom', custom({ type: 'ephemeral' }), ['ephemeral']],
    ['custom', custom({ type: 'call' }), ['call']],
  ])('by %s (%#) is what it is', async (kind, body, told) => {
    expect(await toldBy(kind, JSON.parse(JSON.stringify(body)) as JsonObject)).toEqual(told);
  });

  it.each<[kind: string, body: object, toUser: boolean, byPerson: boolean]>([
    [
      'whatsapp-cloud',
      whatsapp({}, { messages: [], message_echoes: [{ id: 'w2', from: '1555', to: '521', type: 'text', text: { body: 'Hi' } }] }),
      true,
      true,
    ],
    ['messenger', page({ message: { mid: 'm1', text: 'Hi', is_echo: true } }), true, true],
    ['instagram', page({ message: { mid: 'm1', text: 'Hi', is_self: true } }), false, false],
    ['slack', slack({ user: 'USLACKBOT' }), false, false],
    ['teams', teams({ from: { id: '28:bot' } }), false, false],
    ['x', x({ sender_id: '1', target: { recipient_id: '99' } }), true, false],
    ['custom', custom({ isEcho: true }), true, false],
  ])('by %s (%#) is said to its user where it is an echo that names them', async (kind, body, isToUser, isByPerson) => {
    const { events } = await receivedBy(kind, JSON.parse(JSON.stringify(body)) as JsonObject);
    for (const event of events) expect(['isToUser' in event, 'isByPerson' in event]).toEqual([isToUser, isByPerson]);
  });

  it('of a group keeps the group, and the address of its user in private', async () => {
    const { events } = await receivedBy('whatsapp-cloud', whatsapp({ type: 'text', text: { body: 'Hi' }, group_id: 'Y2Fw' }));
    expect(events).toMatchObject([{ user: { id: '5215512345678' }, message: { id: 'w1', text: 'Hi', groupId: 'Y2Fw' } }]);
    const inTeams = await receivedBy('teams', teams({ conversation: { id: 'a:2', conversationType: 'groupChat' } }));
    expect(inTeams.events[0]).not.toHaveProperty('user.address');
  });

  it('can only open a conversation where a person came by a link', async () => {
    const { events } = await receivedBy('messenger', page({ referral: { ref: 'sale' } }));
    expect(events).toMatchObject([{ kind: 'message', isOpening: true, message: { type: 'referral', referral: { ref: 'sale' } } }]);
  });

  it('names each type once, by a meaning that there is, and one that nobody knows is no message', () => {
    const found = Object.entries(documentedTypes).flatMap(([kind, types]) =>
      Object.entries<Meaning>(types).map(([type, meaning]) => [meaningOf(kind, type), meaning] as const),
    );
    expect(found.filter(([said, listed]) => said !== listed || !meanings.includes(listed))).toEqual([]);
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(documentedTypes)), fc.string(), (kind, type) => {
        fc.pre(!Object.hasOwn(documentedTypes[kind as keyof typeof documentedTypes], type));
        expect(meaningOf(kind, type)).toBe('unsupported');
      }),
    );
  });
});

describe('the time of a message', () => {
  type Told = [kind: string, told: Json, at: number];
  const second = 1_750_269_342;
  it.each<Told>([
    ['whatsapp-cloud', `${second}`, second * 1_000],
    ['whatsapp-cloud', second, second * 1_000],
    ...[second * 1_000, second * 1_000_000, 0, -5, 4, '', null, 'soon', '2025-06-18T17:55:42Z'].map(
      (at): Told => ['whatsapp-cloud', at, 0],
    ),
    ['messenger', second * 1_000, second * 1_000],
    ['messenger', `${second * 1_000}`, second * 1_000],
    ...[second, second * 1_000_000, 0, -5, null, '2025-06-18T17:55:42Z'].map((at): Told => ['messenger', at, 0]),
    ['slack', `${second}.000247`, second * 1_000],
    ['slack', `${second * 1_000}`, 0],
    ['slack', '4.2', 0],
    ['teams', '2025-06-18T17:55:42Z', second * 1_000],
    ['teams', '2025-06-18T19:55:42.000+02:00', second * 1_000],
    ...['', 'soon', second, '0001-01-01T00:00:00Z', '9999-12-31T00:00:00Z'].map((at): Told => ['teams', at, 0]),
    ['x', `${second * 1_000}`, second * 1_000],
    ['x', `${second}`, 0],
  ])('by %s, told as %j, is credible or not known', async (kind, told, at) => {
    const bodies: { readonly [kind: string]: JsonObject } = {
      'whatsapp-cloud': whatsapp({ type: 'text', text: { body: 'Hi' }, timestamp: told }),
      messenger: page({ message: { mid: 'm1', text: 'Hi' }, timestamp: told }),
      slack: slack({ ts: told }),
      teams: teams({ timestamp: told }),
      x: x({}, { created_timestamp: told }),
    };
    expect((await receivedBy(kind, bodies[kind] ?? {})).events).toMatchObject([{ kind: 'message', atMs: at }]);
  });
});

it.each<[body: JsonObject, locale: string | undefined, timeZone: string | undefined]>([
  [{ locale: 'es-MX', localTimezone: 'America/Mexico_City' }, 'es-MX', 'America/Mexico_City'],
  [
    { entities: [{ type: 'mention' }, { type: 'clientInfo', locale: 'pt-BR', timezone: 'America/Sao_Paulo' }], locale: 'en-US' },
    'pt-BR',
    'America/Sao_Paulo',
  ],
  [{ locale: 'es_PE', localTimezone: 'Mars/Olympus' }, 'es-PE', undefined],
  [{ locale: 5, localTimezone: null, entities: 'none' }, undefined, undefined],
])('a user of Teams has the locale and the time zone of their client (%#)', async (body, locale, timeZone) => {
  const { events } = await receivedBy('teams', teams(body));
  expect(events).toMatchObject([{ kind: 'message', message: { text: 'Hi' } }]);
  const [event] = events;
  expect(event !== undefined && 'user' in event && [event.user.locale, event.user.timeZone]).toEqual([locale, timeZone]);
});

describe('a user id that changed', () => {
  const changed = { system: { type: 'user_changed_user_id', user_id: 'MX.0987654321', previous_user_id: 'CO.1234567890' }, type: 'system' };

  it.each([
    ['with the user', whatsapp(changed)],
    ['without the user', JSON.parse(JSON.stringify(whatsapp(changed)).replace('"from":"5215512345678",', '')) as JsonObject],
  ])('is told %s', async (_how, body) => {
    expect((await receivedBy('whatsapp-cloud', body)).events).toMatchObject([
      { kind: 'userIdChanged', previousId: 'CO.1234567890', user: { id: 'MX.0987654321', bsuid: 'MX.0987654321' } },
    ]);
  });
});

describe('a slash command of Slack', () => {
  const form = (fields: { readonly [name: string]: string }) => {
    const body = new TextEncoder().encode(new URLSearchParams(fields).toString());
    const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
    return { headers, body, json: (text?: string) => JSON.parse(text ?? '') as Json };
  };
  const receive = async (fields: { readonly [name: string]: string }) => {
    const found = known.find(({ adapter }) => adapter.kind === 'slack');
    const about = { companyId: '7', id: 'bot', channel: 'slack', userIdFormat: 'open' } as const;
    const connected = found?.adapter.connect(about, found.fields('https://slack.example'));
    if (connected === undefined || 'unfitFields' in connected) throw new Error('There is Slack');
    let noted: object = {};
    const received = await connected.receive(form(fields), { ...host(404, {}).host, noted: (given) => (noted = given) });
    return { ...received, noted };
  };

  it('is a message with its text, by its name', async () => {
    const command = { command: '/orders', text: 'open ones', user_id: 'U1', user_name: 'ana', trigger_id: '13.9', channel_id: 'C1' };
    expect(await receive(command)).toMatchObject({
      kind: 'events',
      answer: { text: '' },
      events: [{ kind: 'message', user: { id: 'U1', names: 'ana' }, message: { type: 'command', text: 'open ones', payload: '/orders' } }],
    });
  });

  it('and every other request that Slack documents is answered', async () => {
    expect(await receive({ ssl_check: '1', token: 'x' })).toMatchObject({ kind: 'events', events: [], noted: { system: 1 } });
    for (const type of ['shortcut', 'message_action', 'view_submission', 'view_closed', 'block_suggestion', 'interactive_message']) {
      const payload = JSON.stringify({ type, user: { id: 'U1' }, trigger_id: '13.9' });
      expect(await receive({ payload })).toMatchObject({ kind: 'events', events: [{ kind: 'notice', what: 'activity' }] });
      expect(await receive({ payload: JSON.stringify({ type }) })).toMatchObject({ kind: 'events', events: [], noted: { activity: 1 } });
    }
    expect(await receive({ token: 'x' })).toMatchObject({ kind: 'invalid' });
  });
});

/** What a message needs to be one of its user; every other part of it may be anything. */
const needed = /^\.(?:eventId|botId|receivedAt|user(?:\.id)?|message(?:\.(?:id|type|text))?)?$/;

it('no malformed part costs a message of the contract of hosts', async () => {
  const whole = custom({ payload: 'A' });
  const user = { id: '5215512345678', phone: '5215512345678', bsuid: 'MX.1', names: 'Ana', timeZone: 'America/Lima', locale: 'es-PE' };
  const body = { ...whole, user };
  for (const { path, value = null } of changes(body)) {
    if (path === '' || needed.test(path) || path.startsWith('.message')) continue;
    expect([path, await toldBy('custom', value)]).toEqual([path, ['message']]);
  }
  const { events } = await receivedBy('custom', { ...body, user: { ...user, locale: 'es_MX' } });
  expect(events).toMatchObject([{ user: { locale: 'es-MX' } }]);
  expect(Object.keys(samples)).toContain('whatsapp-cloud'); // the deliveries of providers are changed in changed-deliveries.test.ts
});

it('the check of canvases knows every field that adapters fill of a message', async () => {
  const fields = new Set<string>();
  for (const [kind, bodies] of Object.entries(samples))
    for (const body of bodies)
      for (const event of (await receivedBy(kind, body)).events)
        if (event.kind === 'message') for (const field of Object.keys(event.message)) fields.add(field);
  const reads = [...fields].map((field) => `{{$message.${field} ?? "-"}}`).join(' ');
  const nodes = [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'tell', type: 'message', data: { message: { type: 'text', text: reads } } },
    { id: 'done', type: 'end' },
  ];
  const edges = [
    { source: 'begin', target: 'tell' },
    { source: 'tell', sourceHandle: 'sent', target: 'done' },
  ];
  const canvas = { schemaVersion: 1, id: 'fields', name: 'Fields', nodes, edges };
  const unknown = checkCanvasText(JSON.stringify(canvas), { nodes: standardNodes }).filter(({ code }) => code === 'UNKNOWN_VARIABLE_FIELD');
  expect(unknown.map(({ message }) => message)).toEqual([]);
});
