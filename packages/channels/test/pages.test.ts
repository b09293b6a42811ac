import { getPath, type Json, type JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConnectedChannel } from '../src/channel-adapter.ts';
import { instagramChannel, messengerChannel } from '../src/meta/page-channel.ts';
import { trySending } from './outbound-property.ts';
import { schemaOf } from './schemas.ts';
import { any, delivery, outbound, provider } from './stage.ts';

const fields = { pageId: '10154', accessToken: 'EAAB', appSecret: 'shh', verifyToken: 'right', apiVersion: 'v23.0' };
const accepted = { recipient_id: '24', message_id: 'm_1' };

const pages = [
  { adapter: messengerChannel, channel: 'facebook', problemsOf: schemaOf('messenger.send.request') },
  { adapter: instagramChannel, channel: 'instagram', problemsOf: schemaOf('instagram.send.request') },
] as const;

describe.each(pages)('$adapter.kind', ({ adapter, channel, problemsOf }) => {
  function connected(): ConnectedChannel {
    const page = adapter.connect({ companyId: '1', id: 'bot', channel, userIdFormat: 'open' }, fields);
    if ('unfitFields' in page) throw new Error(page.unfitFields.join());
    return page;
  }

  async function bodyOf(message: JsonObject): Promise<JsonObject> {
    const { host, calls } = provider(200, accepted);
    expect(await connected().send(outbound(message, { recipient: { id: '24' } }), host)).toEqual({
      kind: 'sent',
      providerMessageId: 'm_1',
    });
    expect(calls).toMatchObject([
      { method: 'POST', url: 'https://graph.facebook.com/v23.0/10154/messages', headers: { authorization: 'Bearer EAAB' } },
    ]);
    const body = JSON.parse(String(calls[0]?.body)) as JsonObject;
    expect(problemsOf(body)).toBe('');
    return body;
  }

  it('is sent a valid request or nothing, with the reason, whatever the message', () =>
    expect(
      trySending({ connected, answer: accepted, isMessage: (url) => url.endsWith('/messages'), problemsOf }),
    ).resolves.toBeUndefined());

  const options = (count: number, more: JsonObject = {}): JsonObject => ({
    type: 'text',
    text: 'Choose',
    buttons: { options: Array.from({ length: count }, (_, index) => ({ title: `Option ${index}`, payload: `p${index}`, ...more })) },
  });

  it('shows three options as buttons', async () => {
    expect(await bodyOf(options(3))).toMatchObject({
      recipient: { id: '24' },
      messaging_type: 'RESPONSE',
      message: {
        attachment: { payload: { template_type: 'button', buttons: [{ type: 'postback', title: 'Option 0', payload: 'p0' }, {}, {}] } },
      },
    });
  });

  it('names the message of a workflow in its buttons, whatever their payloads, and reads it back', async () => {
    // A payload that shows nothing is none: the title stands for it.
    const shown = (text: string): boolean => text.trim() !== '';
    const payload = fc.oneof(
      fc.string({ minLength: 1, maxLength: 40 }).filter(shown),
      fc.string({ minLength: 940, maxLength: 1_100 }).filter(shown),
      fc.constant('Yes#hilo:msg_2'),
    );
    await fc.assert(
      fc.asyncProperty(payload, fc.boolean(), async (given, isOfWorkflow) => {
        const { host, calls } = provider(200, accepted);
        const message = { type: 'text', text: 'Choose', buttons: { options: [{ title: 'Yes', payload: given }] } };
        await connected().send(outbound(message, { recipient: { id: '24' }, ...(isOfWorkflow && { isOfWorkflow }) }), host);
        const body = JSON.parse(String(calls[0]?.body ?? '{}')) as Json;
        if (calls.length === 0) return; // a payload that no option may have
        expect(problemsOf(body)).toBe('');
        const sent = getPath(body, ['message', 'attachment', 'payload', 'buttons', 0, 'payload']) ?? null;
        const [event] = await told({ postback: { mid: 'm2', title: 'Yes', payload: sent } });
        if (event?.kind !== 'message') throw new Error('A pressed button is a message');
        expect(event.message.payload ?? given).toBe(given);
        expect(event.message.replyTo).toBe(isOfWorkflow ? 'msg_1' : undefined);
      }),
    );
  });

  it('shows more options as quick replies, and descriptions in the text', async () => {
    const { message } = (await bodyOf(options(4, { description: 'all of it' }))) as { readonly message: JsonObject };
    expect(message['text']).toContain('Option 3: all of it');
    expect(message['quick_replies']).toHaveLength(4);
  });

  it.each([
    [{ type: 'flow', title: 'T', text: 'x', caption: 'c', parameters: { flow_id: '1', mode: 'published' } }, 'flow'],
    [{ type: 'template', parameters: {} }, 'template'],
    [{ type: 'image', mediaUrl: 'https://example.com/a.png', text: 'Look' }, 'caption'],
  ])('refuses %j', async (message, word) => {
    const { host, calls } = provider(200, accepted);
    const result = await connected().send(outbound(message), host);
    expect(result).toMatchObject({ kind: 'refused', cause: 'INVALID_REQUEST' });
    expect(JSON.stringify(result)).toContain(word);
    expect(calls).toEqual([]);
  });

  it.each([
    [{ code: 10, error_subcode: 2_018_278 }, 'refused', 'OUTSIDE_SESSION_WINDOW'],
    [{ code: 10 }, 'refused', 'PROVIDER_UNAUTHORIZED'],
    [{ code: 551 }, 'refused', 'USER_NOT_FOUND'],
    [{ code: 613 }, 'later', 'PROVIDER_RATE_LIMITED'],
    [{ code: 2 }, 'later', 'PROVIDER_UNAVAILABLE'],
  ])('says %j as %s %s', async (error, kind, cause) => {
    expect(await connected().send(outbound({ type: 'text', text: 'Hi' }), provider(400, { error }).host)).toMatchObject({ kind, cause });
  });

  const told = async (item: JsonObject) => {
    const received = await connected().receive(
      delivery({ entry: [{ id: '10154', messaging: [{ sender: { id: '24' }, timestamp: 1_750_000_000_000, ...item }] }] }),
      provider(200, {}).host,
    );
    return received.kind === 'events' ? received.events : [];
  };

  it.each([
    [
      { message: { mid: 'm1', text: 'Hi' } },
      [{ kind: 'message', eventId: 'm1', user: { id: '24' }, message: { type: 'text', text: 'Hi' } }],
    ],
    [
      { message: { mid: 'm1', text: 'Yes', quick_reply: { payload: 'YES' } } },
      [{ message: { type: 'button', text: 'Yes', payload: 'YES' } }],
    ],
    [{ postback: { mid: 'm2', title: 'Yes', payload: 'YES' } }, [{ eventId: 'm2', message: { type: 'button', payload: 'YES' } }]],
    [
      {
        message: {
          mid: 'm3',
          attachments: [
            { type: 'image', payload: { url: 'https://a/1' } },
            { type: 'file', payload: { url: 'https://a/2' } },
          ],
        },
      },
      [{ message: { type: 'image', mediaUrl: 'https://a/1' } }, { eventId: 'm3:1', message: { type: 'file' } }],
    ],
    ...[369239263222822, '369239383222810', 369239343222814].map((sticker_id): [JsonObject, readonly object[]] => [
      {
        message: {
          mid: 'm4',
          sticker_id,
          attachments: [{ type: 'image', payload: { url: 'https://scontent.xx.fbcdn.net/thumb.png', sticker_id } }],
        },
      },
      [{ message: { type: 'text', text: '👍' } }],
    ]),
    [{ message: { mid: 'm4', attachments: [{ type: 'share' }] } }, [{ message: { type: 'share', attachment: any(Object) } }]],
    [{ message: { mid: 'm5', is_deleted: true } }, [{ kind: 'edit', message: null }]],
    [{ reaction: { mid: 'm6', action: 'react', emoji: '😮' } }, [{ kind: 'reaction', emoji: '😮', providerMessageId: 'm6' }]],
    [{ reaction: { mid: 'm6', action: 'unreact' } }, [{ kind: 'reaction', emoji: null }]],
    [{ message_edit: { mid: 'm7', text: 'Hello', num_edit: 1 } }, [{ kind: 'edit', message: { text: 'Hello' } }]],
    [{ delivery: { mids: ['a', 'b'], watermark: 1 } }, [{ kind: 'status', status: 'delivered' }, { eventId: 'b:delivered' }]],
    [{ read: { mid: 'a' } }, [{ kind: 'status', status: 'read' }]],
    [{ message: { mid: 'm8', text: 'of a person on the page', is_echo: true } }, []],
    [
      { message: { mid: 'm8', text: 'ours', is_echo: true, metadata: 'key-1' } },
      [{ kind: 'status', status: 'sent', of: { providerMessageId: 'm8', idempotencyKey: 'key-1' } }],
    ],
    [{ optin: {} }, [{ kind: 'notice', what: 'activity' }]],
    [{ optin: { ref: 'plugin', user_ref: 'u' } }, [{ kind: 'notice', what: 'activity' }]],
    [{ optin: { type: 'one_time_notif_req', one_time_notif_token: 't' } }, [{ kind: 'notice', what: 'activity' }]],
    [
      { optin: { type: 'notification_messages', notification_messages_status: 'STOP_NOTIFICATIONS', title: 'Offers' } },
      [{ kind: 'consent', marketing: 'revoked', user: { id: '24' }, message: { type: 'optin', optin: { title: 'Offers' } } }],
    ],
    [
      { optin: { type: 'notification_messages', notification_messages_status: 'STOP NOTIFICATIONS', notification_messages_token: 't' } },
      [{ kind: 'consent', marketing: 'revoked' }],
    ],
    [
      { optin: { type: 'notification_messages', notification_messages_status: 'RESUME_NOTIFICATIONS' } },
      [{ kind: 'consent', marketing: 'granted' }],
    ],
    [
      { optin: { type: 'notification_messages', notification_messages_token: 't', notification_messages_timezone: 'America/Lima' } },
      [{ kind: 'consent', marketing: 'granted', user: { id: '24', timeZone: 'America/Lima' } }],
    ],
    [{ optin: { type: 'notification_messages', notification_messages_status: 'OF_NEXT_YEAR' } }, [{ kind: 'notice', what: 'activity' }]],
  ])('reads %j', async (item, events) => {
    expect(await told(item)).toMatchObject(events);
  });

  it.each<[item: JsonObject, message: JsonObject]>([
    [{ message: { mid: 'm9', is_unsupported: true } }, { id: 'm9', type: 'unsupported' }],
    [
      { message: { mid: 'm9', text: 'Hi', referral: { ref: 'autumn', source: 'ADS', ad_id: '6' } } },
      { id: 'm9', type: 'text', text: 'Hi', referral: { ref: 'autumn', source: 'ADS', ad_id: '6' } },
    ],
    [
      { message: { mid: 'm9', attachments: [{ type: 'share' }], referral: { ref: 'autumn' } } },
      { id: 'm9', type: 'share', attachment: { type: 'share' }, referral: { ref: 'autumn' } },
    ],
    [
      { postback: { mid: 'm9', title: 'Get started', payload: 'START', referral: { ref: 'autumn', source: 'SHORTLINK' } } },
      { id: 'm9', type: 'button', text: 'Get started', payload: 'START', referral: { ref: 'autumn', source: 'SHORTLINK' } },
    ],
  ])('keeps what the page is told about %j', async (item, message) => {
    expect(await told(item)).toEqual([
      expect.objectContaining({ kind: message['type'] === 'unsupported' ? 'notice' : 'message', eventId: 'm9', message }),
    ]);
  });

  it('reads JSON of any shape without throwing', () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (body) => {
        for (const candidate of [body, { entry: [{ id: '10154', messaging: [body] }] }, { entry: body }]) {
          await expect(connected().receive(delivery(candidate as Json), provider(200, {}).host)).resolves.toHaveProperty('kind');
        }
      }),
    ));
});

describe('a delivery of Instagram', () => {
  const sent = (object: string, id: string): Json => ({
    object,
    entry: [{ id, messaging: [{ sender: { id: '24' }, recipient: { id }, timestamp: 1, message: { mid: 'm1', text: 'Hi' } }] }],
  });

  it.each<[kind: string, object: string, id: string, isOwn: boolean]>([
    ['instagram', 'instagram', '17841405822304914', true],
    ['instagram', 'instagram', '10154', true],
    ['instagram', 'page', '10155', false],
    ['messenger', 'instagram', '17841405822304914', false],
    ['messenger', 'page', '10155', false],
    ['messenger', 'page', '10154', true],
  ])('names its account and not the page: for %s, one of "%s" from %s is the bot’s: %s', async (kind, object, id, isOwn) => {
    const page = pages.find(({ adapter }) => adapter.kind === kind);
    const connected = page?.adapter.connect({ companyId: '1', id: 'bot', channel: page.channel, userIdFormat: 'open' }, fields);
    if (connected === undefined || 'unfitFields' in connected) throw new Error(`There is an adapter "${kind}"`);
    expect(await connected.receive(delivery(sent(object, id)), provider(200, {}).host)).toMatchObject(
      isOwn ? { events: [{ eventId: 'm1' }] } : { events: [], leftOut: { 'event of another page': 1 } },
    );
  });
});
