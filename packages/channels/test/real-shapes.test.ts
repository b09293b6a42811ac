// Shapes that providers, and what stands between them and here, send beside the usual ones: none loses what is beside it.
import type { Json, JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { providers } from './providers.ts';
import { provider as host } from './stage.ts';

const known = await providers();

/** What a delivery holds, in short: messages by id and text, other events by kind, and counts. */
async function told(kind: string, body: Json | URLSearchParams, contentType = 'application/json') {
  const found = known.find(({ adapter }) => adapter.kind === kind);
  const about = { companyId: '7', id: 'bot', channel: found?.channel ?? 'custom', userIdFormat: 'open' } as const;
  const connected = found?.adapter.connect(about, found.fields('https://provider.example'));
  if (connected === undefined || 'unfitFields' in connected) throw new Error(`There is a provider "${kind}"`);
  const text = body instanceof URLSearchParams ? body.toString() : JSON.stringify(body);
  const sent = {
    headers: new Headers({ 'content-type': contentType }),
    body: new TextEncoder().encode(text),
    json: (inner?: string) => JSON.parse(inner ?? text) as Json,
  };
  let noted: object = {};
  const received = await connected.receive(sent, { ...host(404, {}).host, noted: (counts) => (noted = counts) });
  if (received.kind !== 'events') throw new Error(received.message);
  return { ...received, noted };
}

const whatsapp = (message: JsonObject, value: JsonObject = {}): JsonObject => {
  const messages = [{ from: '5215512345678', id: 'w1', timestamp: '1750269342', type: 'text', text: { body: 'Hi' }, ...message }];
  return { entry: [{ changes: [{ field: 'messages', value: { metadata: { phone_number_id: '1065' }, messages, ...value } }] }] };
};
const account = (field: string, value: Json = {}): JsonObject => ({ entry: [{ changes: [{ field, value }] }] });
const flow = (response: Json): JsonObject =>
  whatsapp({ type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: response } } });
const item = (more: JsonObject): JsonObject => ({
  sender: { id: '24' },
  recipient: { id: '10154' },
  timestamp: 1_750_000_000_000,
  ...more,
});
const page = (more: JsonObject, entry: JsonObject = {}): JsonObject => ({ entry: [{ id: '10154', messaging: [item(more)], ...entry }] });
const changed = (field: string, value: JsonObject): JsonObject => ({ entry: [{ id: '10154', changes: [{ field, value }] }] });
const slack = (event: Json): JsonObject => ({ type: 'event_callback', event_id: 'Ev1', event });
const teams = (more: JsonObject): JsonObject => ({
  type: 'message',
  id: '17',
  serviceUrl: 'https://smba.example/emea/',
  from: { id: '29:1' },
  conversation: { id: 'a:1', conversationType: 'personal' },
  text: 'Hi',
  ...more,
});
const direct = (data: Json, event: JsonObject = {}): JsonObject => ({
  id: '954',
  type: 'message_create',
  message_create: { target: { recipient_id: '1' }, sender_id: '99', message_data: data },
  ...event,
});
const x = (event: JsonObject): JsonObject => ({ for_user_id: '1', direct_message_events: [event] });

describe('a message', () => {
  it.each<[string, string, JsonObject, JsonObject]>([
    ['whatsapp-cloud', 'whose user and id are numbers', whatsapp({ from: 5_215_512_345_678, id: 77 }), { id: '77', text: 'Hi' }],
    ['whatsapp-cloud', 'to a number', whatsapp({}, { metadata: { phone_number_id: 1_065 } }), { id: 'w1', text: 'Hi' }],
    [
      'whatsapp-cloud',
      'that is no list',
      whatsapp({}, { messages: { from: '521', id: 'w2', type: 'text', text: { body: 'One' } } }),
      { id: 'w2', text: 'One' },
    ],
    ['whatsapp-cloud', 'of a form in JSON', flow({ a: 1 }), { type: 'flow', response: { a: 1 } }],
    ['whatsapp-cloud', 'of a form', flow('{"a":1}'), { type: 'flow', response: { a: 1 } }],
    ['messenger', 'whose user is a number', page({ sender: { id: 24 }, message: { mid: 'm1', text: 'Hi' } }), { text: 'Hi' }],
    ['messenger', 'to a page that is a number', page({ message: { mid: 'm1', text: 'Hi' } }, { id: 10_154 }), { text: 'Hi' }],
    ['messenger', 'that is no list', page({}, { messaging: item({ message: { mid: 'm1', text: 'Hi' } }) }), { text: 'Hi' }],
    ['instagram', 'among changes', changed('messages', item({ message: { mid: 'm1', text: 'Hi' } })), { id: 'm1', text: 'Hi' }],
    [
      'messenger',
      'chosen among changes',
      changed('messaging_postbacks', item({ postback: { mid: 'm2', payload: 'YES' } })),
      { payload: 'YES' },
    ],
    ['teams', 'whose id is a number', teams({ id: 1_485_983_408_511 }), { id: 'a:1|1485983408511' }],
    [
      'teams',
      'that quotes another one',
      teams({ attachments: [{ contentType: 'messageReference', content: '{"messageId":"16"}' }] }),
      { type: 'text', text: 'Hi', replyTo: 'a:1|16' },
    ],
    ['teams', 'that quotes nobody knows what', teams({ attachments: [{ contentType: 'messageReference', content: '{' }] }), { text: 'Hi' }],
    ['x', 'whose ids are numbers', { ...x(direct({ text: 'Hi' }, { id: 954 })), for_user_id: 1 }, { id: '954', text: 'Hi' }],
    ['x', 'with an attachment of null', x(direct({ text: 'Hi', attachment: null })), { type: 'text', text: 'Hi' }],
    ['x', 'that is no list', { for_user_id: '1', direct_message_events: direct({ text: 'Hi' }) }, { text: 'Hi' }],
  ])('of %s %s is one', async (kind, _what, body, message) => {
    const { events, leftOut } = await told(kind, body);
    expect([events, leftOut]).toMatchObject([[{ kind: 'message', message }], undefined]);
  });

  it('whose form cannot be read keeps what came', async () => {
    for (const response of [
      '{"a":',
      '',
      null,
      7,
      '"x"',
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, 1]))),
    ]) {
      const { events } = await told('whatsapp-cloud', flow(response));
      const interactive = { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: response } };
      expect(events).toMatchObject([{ kind: 'message', message: { type: 'flow', response: null, interactive } }]);
    }
  });

  it('of Teams with JSON of any depth as its value is one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('[', '{"payload":'), fc.constantFrom(1, 60, 64, 5_000, 60_000), async (open, levels) => {
        const value = `${open.repeat(levels)}0${(open === '[' ? ']' : '}').repeat(levels)}`;
        expect((await told('teams', teams({ value }))).events).toMatchObject([{ kind: 'message', message: { text: 'Hi' } }]);
      }),
      { numRuns: 20 },
    );
  });
});

const preference = (more: JsonObject, value: JsonObject = {}): JsonObject =>
  account('user_preferences', {
    metadata: { phone_number_id: '1065' },
    contacts: [{ profile: { name: 'Ana' }, wa_id: '5215512345678' }],
    user_preferences: [
      {
        wa_id: '5215512345678',
        detail: 'User requested to stop marketing messages',
        category: 'marketing_messages',
        value: 'stop',
        timestamp: 1_750_269_342,
        ...more,
      },
    ],
    ...value,
  });

describe('a switch for marketing messages in the app of WhatsApp', () => {
  const eventId = 'user_preferences:5215512345678:stop:1750269342000';
  it.each<[string, JsonObject, JsonObject]>([
    ['stops them', preference({}), { marketing: 'revoked', user: { id: '5215512345678', phone: '5215512345678', names: 'Ana' }, eventId }],
    ['resumes them', preference({ value: 'resume' }), { marketing: 'granted', atMs: 1_750_269_342_000 }],
    ['has its time as a text', preference({ timestamp: '1750269342' }), { eventId }],
    ['names a person by the business-scoped id', preference({ wa_id: null, user_id: 'US.1' }), { user: { id: 'US.1', bsuid: 'US.1' } }],
    [
      'comes as one object',
      preference({}, { user_preferences: { wa_id: '5', category: 'marketing_messages', value: 'stop' } }),
      { user: { id: '5' } },
    ],
    [
      'comes as news of the system',
      whatsapp({ type: 'system', system: { type: 'user_preference_changed', marketing: 'stop', body: 'Stopped' } }),
      { eventId: 'w1', marketing: 'revoked', message: { id: 'w1', type: 'user_preferences', text: 'Stopped' } },
    ],
  ])('%s', async (_what, body, event) => {
    expect((await told('whatsapp-cloud', body)).events).toMatchObject([{ kind: 'consent', ...event }]);
  });

  it.each<[string, JsonObject]>([
    ['a category of next year', preference({ category: 'service_messages' })],
    ['a value of next year', preference({ value: 'pause' })],
    ['an inherited name as its value', preference({ value: 'constructor' })],
    ['nobody', preference({ wa_id: null })],
    ['another number of the app', preference({}, { metadata: { phone_number_id: '9' } })],
  ])('of %s changes nothing, and is counted', async (_what, body) => {
    expect(await told('whatsapp-cloud', body)).toMatchObject({ events: [], noted: { activity: 1 } });
  });
});

describe('a reply to a story of Instagram', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['says to which', { story: { id: '17', url: 'https://cdn.example/17' } }, { story: { id: '17', url: 'https://cdn.example/17' } }],
    ['has its id as a number', { story: { id: 17 } }, { story: { id: '17' } }],
    ['names a message beside it', { mid: 'm.1', story: { id: '17' } }, { replyTo: 'm.1', story: { id: '17' } }],
  ])('%s', async (_what, answered, message) => {
    const body = page({ message: { mid: 'm.2', text: 'Lovely', reply_to: answered } });
    expect((await told('instagram', body)).events).toMatchObject([{ message: { text: 'Lovely', ...message } }]);
  });

  it.each<Json>([null, 'story', [], { story: null }, { story: 'x' }, { story: {} }])('that says %j names none', async (answered) => {
    const body = page({ message: { mid: 'm.2', text: 'Lovely', reply_to: answered } });
    const [event] = (await told('instagram', body)).events;
    expect(event).toMatchObject({ message: { text: 'Lovely' } });
    expect(event).not.toHaveProperty('message.story');
  });
});

describe('what is no message', () => {
  it.each<[string, string, Json | URLSearchParams, JsonObject]>([
    [
      'whatsapp-cloud',
      'a status of another kind',
      whatsapp({}, { messages: null, statuses: [{ id: 'w', status: 'captured' }] }),
      { status: 1 },
    ],
    ['whatsapp-cloud', 'news of the account', account('account_update', { event: 'VERIFIED_ACCOUNT' }), { system: 1 }],
    ['whatsapp-cloud', 'what was said before', account('history', { metadata: { phone_number_id: '1065' }, history: [{}] }), { system: 1 }],
    ['whatsapp-cloud', 'a wish of the user', account('user_preferences', { user_preferences: [{}] }), { activity: 1 }],
    ['whatsapp-cloud', 'a field of next year', account('of_next_year', { a: 1 }), { unsupported: 1 }],
    ['messenger', 'a comment', changed('feed', { from: { id: '1' }, item: 'comment' }), { activity: 1 }],
    ['messenger', 'what another app answers', changed('standby', item({ message: { mid: 'm' } })), { system: 1 }],
  ])('of %s, such as %s, is counted', async (kind, _what, body, noted) => {
    expect(await told(kind, body)).toMatchObject({ events: [], noted });
  });

  it.each<[string, Json, string]>([
    ['whatsapp-cloud', { entry: [null] }, 'entry that is no object'],
    ['whatsapp-cloud', { entry: [{ changes: [7] }] }, 'change that is no object'],
    ['whatsapp-cloud', account('messages', null), 'change without its value'],
    ['whatsapp-cloud', whatsapp({}, { messages: 'none' }), 'message that is no object'],
    ['messenger', { entry: ['x'] }, 'entry that is no object'],
    ['messenger', { entry: [{ id: '10154', changes: [null] }] }, 'event that is no object'],
    ['slack', slack(null), 'event that is no object'],
    ['slack', slack({ type: 'message', subtype: 'message_changed', channel: 'D1', message: null }), 'edit without its content'],
    ['slack', slack({ type: 'message', subtype: 'message_deleted', channel: 'D1' }), 'deletion without the id of its message'],
    ['x', { for_user_id: '1', direct_message_mark_read_events: [null] }, 'status that is no object'],
  ])('of %s, as %j, is left out by what it lacks', async (kind, body, what) => {
    expect(await told(kind, body)).toMatchObject({ events: [], leftOut: { [what]: 1 } });
  });

  it.each(['message', 'postback', 'referral', 'reaction', 'read', 'delivery'])('a %s of null does not make', async (name) => {
    expect((await told('messenger', page({ [name]: null }))).events).toMatchObject([{ kind: 'notice', what: 'unsupported' }]);
    expect((await told('messenger', page({ [name]: null, message: { mid: 'm1', text: 'Hi' } }))).events).toMatchObject([
      { kind: 'message' },
    ]);
  });
});

it.each<[string, JsonObject]>([
  ['of version 11', { from: '521', system: { new_wa_id: '522', type: 'user_changed_number' } }],
  ['of a customer', { from: null, system: { wa_id: '522', customer: '521', type: 'customer_changed_number' } }],
])('a number that changed is told, also in the form %s', async (_what, message) => {
  expect((await told('whatsapp-cloud', whatsapp({ type: 'system', ...message }))).events).toMatchObject([
    { kind: 'userIdChanged', previousId: '521', user: { id: '522', phone: '522' } },
  ]);
});

it('a form of Slack is one, however its type is written', async () => {
  const action = { type: 'button', action_id: 'a', value: 'YES', action_ts: '1.1' };
  const payload = JSON.stringify({ type: 'block_actions', user: { id: 'U1' }, actions: [null, action] });
  const { events, leftOut } = await told('slack', new URLSearchParams({ payload }), 'Application/X-WWW-Form-Urlencoded; charset=UTF-8');
  expect([events, leftOut]).toMatchObject([[{ message: { payload: 'YES' } }], { 'action that is no object': 1 }]);
});
