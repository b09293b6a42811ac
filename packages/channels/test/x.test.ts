import { createHmac } from 'node:crypto';
import type { Json, JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChannelHost, ConnectedChannel } from '../src/channel-adapter.ts';
import { xChannel } from '../src/x/index.ts';
import { trySending } from './outbound-property.ts';
import { schemaOf } from './schemas.ts';
import { containing, delivery, eventsOf, outbound, provider } from './stage.ts';

const problemsOf = schemaOf('x.dm.request');
const accepted = { data: { id: '17', dm_conversation_id: '1-2', dm_event_id: '1346' } };
const isMessage = (url: string): boolean => url.endsWith('/messages');

function connected(): ConnectedChannel {
  const bot = { companyId: '1', id: 'bot_x', channel: 'twitter', userIdFormat: 'open' } as const;
  const channel = xChannel.connect(bot, { consumerKey: 'k', consumerSecret: 'shh', accessToken: 'token' });
  if ('unfitFields' in channel) throw new Error(channel.unfitFields.join());
  return channel;
}

const text = { type: 'text', text: 'Hi' };

describe('a direct message of X', () => {
  it('is a valid request or a refusal that says why, whatever the message', () =>
    expect(
      trySending({ connected, answer: accepted, headers: { 'content-type': 'image/png' }, isMessage, problemsOf }),
    ).resolves.toBeUndefined());

  it('goes to the conversation with the user', async () => {
    const { host, calls } = provider(201, accepted);
    expect(await connected().send(outbound(text, { recipient: { id: '99' } }), host)).toEqual({ kind: 'sent', providerMessageId: '1346' });
    expect(calls).toMatchObject([
      {
        method: 'POST',
        url: 'https://api.x.com/2/dm_conversations/with/99/messages',
        headers: { authorization: 'Bearer token' },
        body: '{"text":"Hi"}',
      },
    ]);
  });

  it('has its options numbered in the text', async () => {
    const { host, calls } = provider(201, accepted);
    const options = [
      { title: 'Yes', payload: 'Y' },
      { title: 'No', payload: 'N', description: 'not now' },
    ];
    await connected().send(outbound({ ...text, buttons: { options } }), host);
    expect(JSON.parse(String(calls[0]?.body))).toEqual({ text: 'Hi\n\n1. Yes\n2. No: not now' });
  });

  /** A place of files and X behind it, which works on the file for two questions. */
  function stage(contentType: string, bytes: number, states: readonly string[]) {
    const asked: string[] = [];
    const left = [...states];
    const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
    const host: ChannelHost = {
      clock: { now: () => 0 },
      dialer: {
        request(call) {
          asked.push(`${call.method} ${call.url.replace('https://api.x.com', '')}`);
          const answer = (body: Uint8Array, status = 200) =>
            Promise.resolve({ status, headers: { 'content-type': contentType }, body, url: call.url, retryAfterMs: undefined, bytes: 0 });
          if (call.url.startsWith('https://example.com')) return answer(new Uint8Array(bytes));
          if (call.url.endsWith('/append')) return answer(new Uint8Array(), 204);
          if (isMessage(call.url)) return answer(json(accepted), 201);
          const state = call.url.endsWith('/initialize') ? undefined : left.shift();
          return answer(json({ data: { id: '710', ...(state !== undefined && { processing_info: { state, check_after_secs: 3 } }) } }));
        },
      },
    };
    return { host, asked };
  }

  it('has a picture that was fetched and uploaded in pieces before', async () => {
    const { host, asked } = stage('image/png', 3 * 1024 * 1024 + 1, []);
    expect(await connected().send(outbound({ type: 'image', mediaUrl: 'https://example.com/a.png' }), host)).toMatchObject({
      kind: 'sent',
    });
    expect(asked).toEqual([
      'GET https://example.com/a.png',
      'POST /2/media/upload/initialize',
      'POST /2/media/upload/710/append',
      'POST /2/media/upload/710/append',
      'POST /2/media/upload/710/finalize',
      'POST /2/dm_conversations/with/5215512345678/messages',
    ]);
  });

  it('waits until X has worked on a film, and uploads it once', async () => {
    const { host, asked } = stage('video/mp4', 10, ['pending', 'in_progress', 'succeeded']);
    const channel = connected();
    const film = outbound({ type: 'video', mediaUrl: 'https://example.com/a.mp4' });
    expect(await channel.send(film, host)).toMatchObject({ kind: 'later', retryAfterMs: 3_000 });
    expect(await channel.send(film, host)).toMatchObject({ kind: 'later', retryAfterMs: 3_000 });
    expect(await channel.send(film, host)).toMatchObject({ kind: 'sent' });
    expect(asked.filter((line) => line.includes('initialize'))).toHaveLength(1);
    expect(asked.filter((line) => line.includes('STATUS'))).toEqual(
      Array.from({ length: 2 }, () => 'GET /2/media/upload?command=STATUS&media_id=710'),
    );
  });

  it.each([
    ['a page instead of a picture', 'text/html', ['x'], 'UNSUPPORTED_MEDIA_TYPE'],
    ['a file that X cannot read', 'image/png', ['failed'], 'UNSUPPORTED_MEDIA_TYPE'],
  ])('is refused for %s', async (_what, contentType, states, cause) => {
    const { host, asked } = stage(contentType, 10, states);
    expect(await connected().send(outbound({ type: 'image', mediaUrl: 'https://example.com/a.png' }), host)).toMatchObject({
      kind: 'refused',
      cause,
    });
    expect(asked.some(isMessage)).toBe(false);
  });

  it.each([
    [401, { title: 'Unauthorized', status: 401 }, 'refused', 'PROVIDER_UNAUTHORIZED'],
    [403, { title: 'Forbidden', detail: 'You do not have permission to DM one or more participants.' }, 'refused', 'USER_NOT_FOUND'],
    [403, { title: 'Client Forbidden', type: 'https://api.twitter.com/2/problems/client-forbidden' }, 'refused', 'PROVIDER_UNAUTHORIZED'],
    [400, { title: 'Invalid Request', detail: 'One or more parameters' }, 'refused', 'INVALID_REQUEST'],
    [429, { title: 'Too Many Requests', detail: 'Too Many Requests' }, 'later', 'PROVIDER_RATE_LIMITED'],
    [503, { title: 'Service Unavailable' }, 'later', 'PROVIDER_UNAVAILABLE'],
    [500, { title: 'Internal' }, 'unknown', 'PROVIDER_UNAVAILABLE'],
    [502, '<html>', 'unknown', 'PROVIDER_UNAVAILABLE'],
    [201, {}, 'unknown', 'PROVIDER_ANSWER_UNREADABLE'],
  ])('that is answered %d %j is %s, %s', async (status, answer, kind, cause) => {
    const { host } = provider(status, answer, { nowMs: 1_000_000, headers: { 'x-rate-limit-reset': '1060' } });
    const result = await connected().send(outbound(text), host);
    expect(result).toMatchObject({ kind, cause, ...(status === 429 && { retryAfterMs: 60_000 }) });
  });
});

describe('a delivery of X', () => {
  const body = (events: JsonObject): JsonObject => ({ for_user_id: '1', users: { '99': { id: '99', name: 'Ana' } }, ...events });
  const message = (data: JsonObject, senderId = '99'): JsonObject =>
    body({
      direct_message_events: [
        {
          type: 'message_create',
          id: '954',
          created_timestamp: '1516403560557',
          message_create: { target: { recipient_id: '1' }, sender_id: senderId, message_data: data },
        },
      ],
    });

  it.each<[JsonObject, readonly object[]]>([
    [
      message({ text: 'a &amp; b' }),
      [
        {
          kind: 'message',
          eventId: '954',
          atMs: 1_516_403_560_557,
          user: { id: '99', names: 'Ana' },
          message: { type: 'text', text: 'a & b' },
        },
      ],
    ],
    [
      message({
        text: 'see https://t.co/a and https://t.co/b',
        entities: {
          urls: [
            { url: 'https://t.co/a', expanded_url: 'https://acme.com/$&?x=1', display_url: 'acme.com/$&' },
            { url: 'https://t.co/b' },
            { url: 'see', expanded_url: 'nothing' },
          ],
        },
      }),
      [{ message: { text: 'see https://acme.com/$&?x=1 and https://t.co/b' } }],
    ],
    [message({ text: 'ours' }, '1'), [{ kind: 'notice', what: 'echo' }]],
    [
      message({ text: 'Blue', quick_reply_response: { type: 'options', metadata: 'B' } }),
      [{ message: { type: 'button', text: 'Blue', payload: 'B' } }],
    ],
    [
      message({
        text: 'See https://t.co/x',
        attachment: { type: 'media', media: { id_str: '7', type: 'photo', media_url_https: 'https://ton.x/1.jpg', url: 'https://t.co/x' } },
      }),
      [{ message: { type: 'image', text: 'See', mediaUrl: 'https://ton.x/1.jpg', mediaId: '7' } }],
    ],
    [
      message({
        text: '',
        attachment: { type: 'location', location: { shared_coordinate: { coordinates: { coordinates: [-99.1, 19.4] } } } },
      }),
      [{ message: { type: 'location', coordinates: { lat: 19.4, long: -99.1 } } }],
    ],
    [
      body({ direct_message_mark_read_events: [{ sender_id: '99', last_read_event_id: '1346', created_timestamp: '5' }] }),
      [{ kind: 'status', status: 'read', of: { providerMessageId: '1346' } }],
    ],
    [body({ tweet_create_events: [{ id: 1 }] }), []],
  ])('%j is read', async (sent, expected) => {
    expect(await eventsOf(connected(), delivery(sent))).toMatchObject(expected);
  });

  it('never throws for JSON of any shape', () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const candidates = [value, body({ direct_message_events: value as Json }), message({ text: 'x', attachment: value as Json })];
        for (const candidate of candidates)
          await expect(connected().receive(delivery(candidate as Json), provider(404, {}).host)).resolves.toHaveProperty('kind');
      }),
    ));

  const hmac = (content: string, secret = 'shh'): string => `sha256=${createHmac('sha256', secret).update(content).digest('base64')}`;
  const signed = (signature: string) => ({
    ...delivery({ for_user_id: '1' }),
    headers: new Headers({ 'x-twitter-webhooks-signature': signature }),
  });

  it.each([
    ['its secret', hmac('{"for_user_id":"1"}'), true],
    ['the secret of another app', hmac('{"for_user_id":"1"}', 'other'), false],
    ['a signature of another body', hmac('{}'), false],
    ['nothing', '', false],
  ])('is signed with %s', async (_what, signature, isAuthentic) => {
    expect(await connected().authenticate(signed(signature), provider(200, {}).host)).toBe(isAuthentic);
  });

  const verify = (query: string) => connected().verify?.(new URLSearchParams(query), provider(200, {}).host);

  it('is asked for by a challenge, which is signed', () => {
    expect(verify('crc_token=Y2hhbGxlbmdl&nonce=1')).toEqual({ json: { response_token: hmac('Y2hhbGxlbmdl') } });
  });

  it.each([encodeURIComponent('{"for_user_id":"1"}'), '', 'a'.repeat(513)])('has nothing signed that could be a delivery: %s', (token) => {
    expect(verify(`crc_token=${token}`)).toBeUndefined();
  });

  it('of the X Activity API, which names no account here, is left out and counted, so that it does not come again and again', async () => {
    const sent = { data: { event_type: 'dm.received', filter: { user_id: '1' }, payload: {} } };
    const received = await connected().receive(delivery(sent), provider(404, {}).host);
    expect(received).toMatchObject({ kind: 'events', events: [], leftOut: { 'event of the X Activity API': 1 } });
  });

  it('without an account is none', async () => {
    expect(await connected().receive(delivery({}), provider(404, {}).host)).toMatchObject({
      kind: 'invalid',
      message: containing('for_user_id'),
    });
  });
});
