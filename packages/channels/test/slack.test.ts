import { createHmac } from 'node:crypto';
import type { Json, JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConnectedChannel, Delivery } from '../src/channel-adapter.ts';
import { slackChannel } from '../src/slack/index.ts';
import { trySending } from './outbound-property.ts';
import { schemaOf } from './schemas.ts';
import { containing, delivery, eventsOf, outbound, provider } from './stage.ts';

const problemsOf = schemaOf('slack.chat-post-message.request');
const accepted = { ok: true, channel: 'D1', ts: '1503435956.000247' };

function connected(): ConnectedChannel {
  const bot = { companyId: '1', id: 'bot_slack', channel: 'slack', userIdFormat: 'open' } as const;
  const channel = slackChannel.connect(bot, { botToken: 'xoxb', signingSecret: 'shh' });
  if ('unfitFields' in channel) throw new Error(channel.unfitFields.join());
  return channel;
}

async function bodyOf(message: JsonObject): Promise<JsonObject> {
  const { host, calls } = provider(200, accepted);
  expect(await connected().send(outbound(message, { recipient: { id: 'U1' } }), host)).toEqual({
    kind: 'sent',
    providerMessageId: 'D1:1503435956.000247',
  });
  expect(calls).toMatchObject([
    { method: 'POST', url: 'https://slack.com/api/chat.postMessage', headers: { authorization: 'Bearer xoxb' } },
  ]);
  const body = JSON.parse(String(calls[0]?.body)) as JsonObject;
  expect(problemsOf(body)).toBe('');
  expect(body['channel']).toBe('U1');
  return body;
}

const options = (count: number, more: JsonObject = {}): JsonObject => ({
  type: 'text',
  text: 'Choose',
  buttons: {
    buttonText: { type: 'text', text: 'Options' },
    options: Array.from({ length: count }, (_, index) => ({ title: `Option ${index}`, payload: `p${index}`, ...more })),
  },
});

describe('a forwarded message of Slack', () => {
  const share = {
    is_share: true,
    is_msg_unfurl: true,
    author_id: 'U2',
    author_name: 'Leo',
    from_url: 'https://acme.slack.com/archives/C1/p1',
  };
  const heard = async (event: JsonObject) => {
    const body = {
      type: 'event_callback',
      event_id: 'Ev1',
      event: { type: 'message', channel: 'D1', channel_type: 'im', user: 'U1', ts: '1.000200', ...event },
    };
    return (await eventsOf(connected(), delivery(body))).map((one) => (one.kind === 'message' ? one.message : one));
  };
  const file = { id: 'F1', mimetype: 'application/pdf', name: 'b.pdf' };

  it.each<[what: string, event: JsonObject, expected: readonly object[]]>([
    [
      'alone: its text is said',
      { text: '', attachments: [{ ...share, text: 'Order &lt;A-17&gt;' }] },
      [{ type: 'text', text: 'Order <A-17>', attachment: { author_name: 'Leo' } }],
    ],
    [
      'with words: these are said',
      { text: 'this one', attachments: [{ ...share, text: 'A-17' }] },
      [{ type: 'text', text: 'this one', attachment: { text: 'A-17' } }],
    ],
    [
      'two of them',
      {
        text: ' ',
        attachments: [
          { ...share, text: 'A' },
          { ...share, text: 'B' },
        ],
      },
      [{ type: 'text', text: 'A\nB' }],
    ],
    ['with a file', { text: '', attachments: [{ ...share, text: '', files: [file] }] }, [{ type: 'file', filename: 'b.pdf' }]],
    ['without a text', { text: '', attachments: [share] }, [{ type: 'text', text: '', attachment: { author_id: 'U2' } }]],
  ])('%s', async (_, event, expected) => {
    expect(await heard(event)).toMatchObject(expected);
  });

  it('is none where Slack previews a link', async () => {
    expect(await heard({ text: 'see <https://x.pe>', attachments: [{ text: 'A page', from_url: 'https://x.pe' }] })).toEqual([
      expect.not.objectContaining({ attachment: expect.anything() as unknown }),
    ]);
  });
});

describe('a message to Slack', () => {
  it('is a valid request or a refusal that says why, whatever the message', () =>
    expect(
      trySending({ connected, answer: accepted, isMessage: (url) => url.endsWith('chat.postMessage'), problemsOf }),
    ).resolves.toBeUndefined());

  it('spells &, < and > so that Slack shows them', async () => {
    expect(await bodyOf({ type: 'text', text: 'a < b & c > d', previewUrl: false })).toEqual({
      channel: 'U1',
      text: 'a &lt; b &amp; c &gt; d',
      unfurl_links: false,
      unfurl_media: false,
    });
  });

  it('has a section more where the text is too long once it is spelled so', async () => {
    const text = '&'.repeat(1_000);
    const { blocks } = (await bodyOf({ ...options(1), text })) as unknown as { blocks: { text?: { text: string } }[] };
    expect(blocks.map((block) => block.text?.text.length)).toEqual([3_000, 2_000, undefined]);
    expect(blocks.flatMap((block) => block.text?.text ?? []).join('')).toBe('&amp;'.repeat(1_000));
  });

  it('shows ten options as buttons, and described ones as a menu', async () => {
    expect(await bodyOf(options(10))).toMatchObject({
      blocks: [
        { type: 'section' },
        { type: 'actions', elements: [{ type: 'button', value: 'p0' }, ...Array.from({ length: 9 }, () => ({}))] },
      ],
    });
    expect(await bodyOf(options(2, { description: 'all of it' }))).toMatchObject({
      text: containing('Option 1: all of it'),
      blocks: [
        {},
        { elements: [{ type: 'static_select', options: [{ value: 'p0', description: { text: 'all of it' } }, { value: 'p1' }] }] },
      ],
    });
  });

  it.each([
    [{ type: 'image', mediaUrl: 'https://example.com/a.png' }, { blocks: [{ type: 'image', alt_text: 'a.png' }] }],
    [{ type: 'file', mediaUrl: 'https://example.com/a.pdf' }, { text: 'https://example.com/a.pdf' }],
    [{ type: 'location', coordinates: { lat: 1.5, long: -2 } }, { text: containing('query=1.5,-2') }],
    [
      { type: 'cta_url', title: 'T', text: 'B', caption: 'C', parameters: { display_text: 'Go', url: 'https://example.com/x' } },
      { blocks: [{ type: 'header' }, { type: 'section' }, { elements: [{ url: 'https://example.com/x' }] }, { type: 'context' }] },
    ],
  ])('%j has the form that Slack has for it', async (message, body) => {
    expect(await bodyOf(message)).toMatchObject(body);
  });

  it.each([
    [200, { ok: false, error: 'channel_not_found' }, 'refused', 'USER_NOT_FOUND'],
    [200, { ok: false, error: 'not_in_channel' }, 'refused', 'USER_NOT_FOUND'],
    [200, { ok: false, error: 'is_archived' }, 'refused', 'USER_NOT_FOUND'],
    [200, { ok: false, error: 'msg_too_long' }, 'refused', 'INVALID_REQUEST'],
    [200, { ok: false, error: 'no_text' }, 'refused', 'INVALID_REQUEST'],
    [200, { ok: false, error: 'invalid_blocks' }, 'refused', 'INVALID_REQUEST'],
    [200, { ok: false, error: 'msg_blocks_too_long' }, 'refused', 'INVALID_REQUEST'],
    [200, { ok: false, error: 'invalid_auth' }, 'refused', 'PROVIDER_UNAUTHORIZED'],
    [200, { ok: false, error: 'not_authed' }, 'refused', 'PROVIDER_UNAUTHORIZED'],
    [200, { ok: false, error: 'account_inactive' }, 'refused', 'PROVIDER_UNAUTHORIZED'],
    [200, { ok: false, error: 'token_revoked' }, 'refused', 'PROVIDER_UNAUTHORIZED'],
    [200, { ok: false, error: 'rate_limited' }, 'later', 'PROVIDER_RATE_LIMITED'],
    [429, { ok: false, error: 'ratelimited' }, 'later', 'PROVIDER_RATE_LIMITED'],
    [200, { ok: false, error: 'internal_error' }, 'unknown', 'PROVIDER_UNAVAILABLE'],
    [200, { ok: false, error: 'constructor' }, 'refused', 'PROVIDER_REFUSED'],
    [200, '<html>', 'unknown', 'PROVIDER_ANSWER_UNREADABLE'],
    [200, { ok: true }, 'unknown', 'PROVIDER_ANSWER_UNREADABLE'],
    [502, '<html>', 'unknown', 'PROVIDER_UNAVAILABLE'],
    [404, '<html>', 'refused', 'PROVIDER_REFUSED'],
  ])('that is answered %d %j is %s, %s', async (status, answer, kind, cause) => {
    const { host } = provider(status, answer, { retryAfterMs: 30_000 });
    const result = await connected().send(outbound({ type: 'text', text: 'Hi' }), host);
    expect(result).toMatchObject({ kind, cause, ...(kind === 'later' && { retryAfterMs: 30_000 }) });
  });
});

describe('a delivery of Slack', () => {
  const event = (fields: JsonObject): Delivery =>
    delivery({
      type: 'event_callback',
      event_id: 'Ev1',
      authorizations: [{ user_id: 'UBOT' }],
      event: { channel: 'D1', channel_type: 'im', ...fields },
    });
  const message = { type: 'message', user: 'U1', ts: '1503435956.000247' };
  const events = (sent: Delivery) => eventsOf(connected(), sent);
  const readAs = (rows: readonly (readonly [sent: string, typed: string])[]): [JsonObject, readonly object[]][] =>
    rows.map(([sent, typed]) => [{ ...message, text: sent }, [{ message: { text: typed } }]]);

  it('is answered with its challenge', async () => {
    expect(await connected().receive(delivery({ type: 'url_verification', challenge: '3eZ' }), provider(404, {}).host)).toEqual({
      kind: 'events',
      events: [],
      answer: { json: { challenge: '3eZ' } },
    });
  });

  it.each<[JsonObject, readonly object[]]>([
    [
      { ...message, text: 'Hi &amp; &lt;you&gt;' },
      [
        {
          kind: 'message',
          eventId: 'D1:1503435956.000247',
          atMs: 1_503_435_956_000,
          user: { id: 'U1' },
          message: { type: 'text', text: 'Hi & <you>' },
        },
      ],
    ],
    [{ ...message, text: '<mailto:ana@x.io|ana@x.io> <https://x.io/a|x.io/a>' }, [{ message: { text: 'ana@x.io https://x.io/a' } }]],
    ...readAs([
      ['<http://acme.com|acme.com>', 'acme.com'],
      ['<http://acme.com/|acme.com>', 'acme.com'],
      ['<http://acme.com>', 'http://acme.com'],
      ['<https://x.io/a?b=1&amp;c=2>', 'https://x.io/a?b=1&c=2'],
      ['<http://x.io/a|the page>', 'http://x.io/a'],
      ['<http://evil.io|acme.com>', 'http://evil.io'],
      ['<tel:+51999888777|999 888 777>', '999 888 777'],
      ['<mailto:ana@x.io|ana@x.io>, 34', 'ana@x.io, 34'],
      ['ask <@U2|ana> in <#C1|sales>, <!here> <!subteam^S1|@team>', 'ask @ana in #sales, @here @team'],
      ['<!date^1392734382^{date}|18 Feb>', '18 Feb'],
      ['<@U2>', '<@U2>'],
      [':+1:', '👍'],
      [':thumbsup::skin-tone-3:', '👍'],
      [':white_check_mark: yes', '✅ yes'],
      [':two:', '2\ufe0f\u20e3'],
      ['at 10:30: done', 'at 10:30: done'],
      [':party_parrot:', ':party_parrot:'],
    ]),
    [
      {
        ...message,
        text: ':pizza: :flag-pe: :odd:',
        blocks: [
          {
            type: 'rich_text',
            elements: [
              {
                type: 'rich_text_section',
                elements: [
                  { type: 'emoji', name: 'pizza', unicode: '1f355' },
                  { type: 'emoji', name: 'flag-pe', unicode: '1f1f5-1f1ea' },
                  { type: 'emoji', name: 'odd', unicode: 'd800-ffffff' },
                ],
              },
            ],
          },
        ],
      },
      [{ message: { text: '🍕 🇵🇪 ' } }],
    ],
    [{ ...message, type: 'app_mention', text: '<@UBOT> order' }, [{ eventId: 'D1:1503435956.000247', message: { text: 'order' } }]],
    [{ ...message, text: 'so', thread_ts: '1.2' }, [{ message: { replyTo: 'D1:1.2' } }]],
    [
      {
        ...message,
        subtype: 'file_share',
        text: 'See',
        files: [
          { id: 'F1', mimetype: 'image/png', name: 'a.png', url_private: 'https://files.slack.com/1' },
          { id: 'F2', mimetype: 'application/pdf', name: 'b.pdf', url_private: 'https://files.slack.com/2' },
        ],
      },
      [
        { message: { type: 'image', text: 'See', filename: 'a.png', mediaId: 'F1' } },
        { eventId: 'D1:1503435956.000247:1', message: { type: 'file', filename: 'b.pdf' } },
      ],
    ],
    [{ ...message, bot_id: 'B1', text: 'ours' }, []],
    [{ ...message, subtype: 'channel_join', text: 'joined' }, [{ kind: 'notice', what: 'system', user: { id: 'U1' } }]],
    [
      {
        type: 'message',
        subtype: 'message_changed',
        event_ts: '9.1',
        message: { ...message, text: 'new' },
        previous_message: { ...message, text: 'old' },
      },
      [{ kind: 'edit', providerMessageId: 'D1:1503435956.000247', message: { text: 'new' } }],
    ],
    [
      {
        type: 'message',
        subtype: 'message_changed',
        event_ts: '9.1',
        message: { ...message, text: 'same' },
        previous_message: { ...message, text: 'same' },
      },
      [],
    ],
    [
      { type: 'message', subtype: 'message_deleted', event_ts: '9.1', deleted_ts: '1503435956.000247', previous_message: message },
      [{ kind: 'edit', user: { id: 'U1' }, message: null }],
    ],
    [
      { type: 'reaction_added', user: 'U1', reaction: 'thumbsup', item: { type: 'message', channel: 'D1', ts: '5.1' }, event_ts: '6.1' },
      [{ kind: 'reaction', eventId: 'Ev1', emoji: 'thumbsup', providerMessageId: 'D1:5.1' }],
    ],
    [
      { type: 'reaction_removed', user: 'U1', reaction: 'thumbsup', item: { type: 'message', channel: 'D1', ts: '5.1' }, event_ts: '6.1' },
      [{ kind: 'reaction', emoji: null }],
    ],
    [{ type: 'app_home_opened', user: 'U1' }, [{ kind: 'notice', what: 'activity', user: { id: 'U1' } }]],
  ])('with %j is read', async (fields, expected) => {
    expect(await events(event(fields))).toMatchObject(expected);
  });

  const interaction = (payload: JsonObject): Delivery => {
    const body = new TextEncoder().encode(new URLSearchParams({ payload: JSON.stringify(payload) }).toString());
    const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
    return { headers, body, json: (text = '') => JSON.parse(text) as Json };
  };
  const pressed = { type: 'block_actions', user: { id: 'U1', username: 'ana' }, container: { channel_id: 'D1', message_ts: '5.1' } };

  it.each<[string, JsonObject, readonly object[]]>([
    [
      'a pressed button',
      { ...pressed, actions: [{ type: 'button', action_id: 'option-0', value: 'YES', text: { text: 'Yes' }, action_ts: '7.5' }] },
      [{ kind: 'message', user: { id: 'U1', names: 'ana' }, message: { type: 'button', text: 'Yes', payload: 'YES', replyTo: 'D1:5.1' } }],
    ],
    [
      'a chosen row',
      {
        ...pressed,
        actions: [
          { type: 'static_select', action_id: 'options', selected_option: { value: 'B', text: { text: 'Blue' } }, action_ts: '7.5' },
        ],
      },
      [{ message: { type: 'button', text: 'Blue', payload: 'B' } }],
    ],
    ['a button with an address', { ...pressed, actions: [{ type: 'button', action_id: 'url', action_ts: '7.5' }] }, []],
    ['a shortcut', { type: 'shortcut', trigger_id: 't1', user: { id: 'U1' } }, [{ eventId: 't1', message: { type: 'shortcut' } }]],
  ])('with %s is read', async (_what, payload, expected) => {
    expect(await events(interaction(payload))).toMatchObject(expected);
  });

  it('never throws for JSON of any shape', () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        for (const candidate of [
          value,
          { type: 'event_callback', event: value },
          { type: 'event_callback', event: { ...message, channel: 'D1', files: value, text: value } },
        ]) {
          await expect(connected().receive(delivery(candidate as Json), provider(404, {}).host)).resolves.toHaveProperty('kind');
        }
        const form = interaction({ ...pressed, actions: [value as Json] });
        await expect(connected().receive(form, provider(404, {}).host)).resolves.toHaveProperty('kind');
      }),
    ));

  const nowSeconds = 1_700_000_000;
  const signed = (secret: string, sentAt: number, text = '{"type":"x"}'): Delivery => {
    const v0 = createHmac('sha256', secret).update(`v0:${sentAt}:{"type":"x"}`).digest('hex');
    const headers = new Headers({ 'x-slack-signature': `v0=${v0}`, 'x-slack-request-timestamp': String(sentAt) });
    return { headers, body: new TextEncoder().encode(text), json: () => null };
  };

  it.each<[string, Delivery, boolean]>([
    ['by the secret, now', signed('shh', nowSeconds), true],
    ['300 seconds ago', signed('shh', nowSeconds - 300), true],
    ['301 seconds ago', signed('shh', nowSeconds - 301), false],
    ['301 seconds ahead', signed('shh', nowSeconds + 301), false],
    ['by another secret', signed('other', nowSeconds), false],
    ['over another body', signed('shh', nowSeconds, '{"type":"y"}'), false],
    ['not at all', delivery({}), false],
  ])('signed %s', async (_what, sent, isAuthentic) => {
    expect(await connected().authenticate(sent, provider(200, {}, { nowMs: nowSeconds * 1_000 }).host)).toBe(isAuthentic);
  });
});
