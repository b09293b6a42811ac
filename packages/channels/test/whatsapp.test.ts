import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, type JsonObject, isJsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DriverError } from '../../drivers/src/index.ts';
import type { ChannelHost, ChannelMessage, ConnectedChannel } from '../src/channel-adapter.ts';
import { whatsappChannel } from '../src/whatsapp/index.ts';
import { trySending } from './outbound-property.ts';
import { schemaOf } from './schemas.ts';
import { any, containing, delivery, outbound, provider } from './stage.ts';

const problemsOf = schemaOf('whatsapp.messages.request');
const bot = { companyId: '1', id: 'bot_wa', channel: 'whatsapp', userIdFormat: 'strict' } as const;
const fields = { phoneNumberId: '106540352242922', accessToken: 'EAAB', appSecret: 'shh', verifyToken: 'right', apiVersion: 'v23.0' };

function connected(changes: JsonObject = {}): ConnectedChannel {
  const channel = whatsappChannel.connect(bot, { ...fields, ...changes });
  if ('unfitFields' in channel) throw new Error(channel.unfitFields.join());
  return channel;
}

const accepted = { messaging_product: 'whatsapp', contacts: [{ wa_id: '5215512345678' }], messages: [{ id: 'wamid.1' }] };
async function bodyOf(message: JsonObject, more: Partial<ChannelMessage> = {}): Promise<JsonObject> {
  const { host, calls } = provider(200, accepted);
  const result = await connected().send(outbound(message, more), host);
  expect(result).toEqual({ kind: 'sent', providerMessageId: 'wamid.1' });
  const body = JSON.parse(String(calls[0]?.body)) as JsonObject;
  expect(problemsOf(body)).toBe('');
  return body;
}

describe('a message to WhatsApp', () => {
  it('goes to the number’s messages, with the token, and its key in biz_opaque_callback_data', async () => {
    const { host, calls } = provider(200, accepted);
    await connected({ baseUrl: 'https://graph.example/' }).send(outbound({ type: 'text', text: 'Hi' }), host);
    expect(calls).toMatchObject([
      {
        method: 'POST',
        url: 'https://graph.example/v23.0/106540352242922/messages',
        headers: { authorization: 'Bearer EAAB', 'content-type': 'application/json' },
      },
    ]);
    expect(JSON.parse(String(calls[0]?.body))).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '5215512345678',
      biz_opaque_callback_data: 'key-1',
      type: 'text',
      text: { body: 'Hi', preview_url: true },
    });
  });

  it('is addressed by recipient where the user has a business-scoped id', async () => {
    const body = await bodyOf({ type: 'text', text: 'Hi' }, { recipient: { id: 'US.13491208655302741918', phone: '16505551234' } });
    expect(body).toMatchObject({ recipient: 'US.13491208655302741918' });
    expect(body).not.toHaveProperty('to');
  });

  it('goes to the number and the business-scoped id that the user has now', async () => {
    const sentTo = async (recipient: ChannelMessage['recipient']) => bodyOf({ type: 'text', text: 'Hi' }, { recipient });
    expect(await sentTo({ id: '16505551234', phone: '12195555358', bsuid: 'US.2' })).toMatchObject({ to: '12195555358' });
    const body = await sentTo({ id: 'US.1', phone: '12195555358', bsuid: 'US.2' });
    expect(body).toMatchObject({ recipient: 'US.2' });
    expect(body).not.toHaveProperty('to');
  });

  it('is a valid request or a refusal that says why, whatever the message', () =>
    expect(
      trySending({
        connected,
        answer: accepted,
        isMessage: (url) => url.endsWith('/messages'),
        problemsOf: (body) => [problemsOf(body), ...repeatedIds(body as JsonObject)].join(''),
      }),
    ).resolves.toBeUndefined());

  const options = (titles: readonly string[], more: JsonObject = {}): JsonObject => ({
    type: 'text',
    text: 'Choose',
    buttons: { buttonText: { type: 'text', text: 'Opciones' }, options: titles.map((title) => ({ title, payload: title, ...more })) },
  });

  it.each([
    ['three short titles', options(['a', 'b', 'c']), 'button'],
    ['a title of 20', options(['a'.repeat(20)]), 'button'],
    ['a title of 21', options(['a'.repeat(21)]), 'list'],
    ['a fourth option', options(['a', 'b', 'c', 'd']), 'list'],
    ['a description', options(['a'], { description: 'what it is' }), 'list'],
    ['a body of 1,024', { ...options(['a']), text: 'x'.repeat(1_024) }, 'button'],
    ['a body of 1,025', { ...options(['a']), text: 'x'.repeat(1_025) }, 'list'],
  ])('with %s has the options as it fits', async (_what, message, type) => {
    expect(await bodyOf(message)).toMatchObject({ type: 'interactive', interactive: { type } });
  });

  it('keeps a payload that is too long out of the id, and the reply is told by its title', async () => {
    const payload = 'p'.repeat(257);
    const body = await bodyOf({
      ...options([]),
      buttons: { buttonText: { type: 'text', text: 'O' }, options: [{ title: 'Yes', payload }] },
    });
    const id =
      (body as { interactive: { action: { buttons: { reply: { id: string } }[] } } }).interactive.action.buttons[0]?.reply.id ?? '';
    const received = await receiveFrom({ type: 'interactive', interactive: { type: 'button_reply', button_reply: { id, title: 'Yes' } } });
    expect(received).toMatchObject([{ kind: 'message', message: { type: 'button', text: 'Yes' } }]);
    expect(received[0]).not.toHaveProperty('message.payload');
  });

  it('makes the name of a contact of what there is', async () => {
    const body = await bodyOf({ type: 'contacts', contacts: [{ phones: [{ phone: '+5215512345678', wa_id: '+52 1 55' }] }] });
    expect(body).toMatchObject({
      contacts: [{ name: { formatted_name: '+5215512345678', first_name: '+5215512345678' }, phones: [{ wa_id: '52155' }] }],
    });
  });
});

describe('a template to WhatsApp', () => {
  const template = {
    elementName: 'order_ready',
    language: 'es_MX',
    category: 'UTILITY',
    body: undefined,
    components: [
      { type: 'HEADER', format: 'DOCUMENT' },
      { type: 'BODY', text: '{{10}} {{2}} {{1}} {{2}} {{3}}{{4}}{{5}}{{6}}{{7}}{{8}}{{9}}' },
      { type: 'FOOTER', text: 'Thanks' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}' },
          { type: 'QUICK_REPLY', text: 'Stop' },
          { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+521' },
          { type: 'COPY_CODE', example: 'X' },
        ],
      },
    ],
  };
  const values = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [String(index + 1), index === 0 ? 12.5 : `v${index + 1}`]));

  it('has its values in the order of their numbers, numbers as text, and a component for each button', async () => {
    const parameters = {
      ...values,
      'header.link': 'https://example.com/a.pdf',
      'header.filename': 'a.pdf',
      'button.0.1': 'A-17',
      'button.1.1': 'stop',
      'button.3.1': 'OFF20',
    };
    const body = await bodyOf({ type: 'template', elementName: 'order_ready', language: 'es_MX', parameters }, { template });
    expect(body['template']).toEqual({
      name: 'order_ready',
      language: { code: 'es_MX' },
      components: [
        { type: 'header', parameters: [{ type: 'document', document: { link: 'https://example.com/a.pdf', filename: 'a.pdf' } }] },
        {
          type: 'body',
          parameters: ['12.5', ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => `v${number}`)].map((text) => ({ type: 'text', text })),
        },
        { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'A-17' }] },
        { type: 'button', sub_type: 'quick_reply', index: '1', parameters: [{ type: 'payload', payload: 'stop' }] },
        { type: 'button', sub_type: 'copy_code', index: '3', parameters: [{ type: 'coupon_code', coupon_code: 'OFF20' }] },
      ],
    });
  });

  it('names its values where its places have names', async () => {
    const named = { ...template, components: undefined, body: 'Hi {{name}}, {{total}} and {{name}}' };
    const body = await bodyOf({ type: 'template', parameters: { name: 'Ana', total: 7 } }, { template: named });
    expect(body).toMatchObject({
      template: {
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', parameter_name: 'name', text: 'Ana' },
              { type: 'text', parameter_name: 'total', text: '7' },
            ],
          },
        ],
      },
    });
  });

  it('is refused with the name of a value that is missing', async () => {
    const { host } = provider(200, accepted);
    const result = await connected().send(outbound({ type: 'template', parameters: values }, { template }), host);
    expect(result).toMatchObject({ kind: 'refused', cause: 'INVALID_PARAMETERS', message: containing('header.link') });
  });
});

describe('an answer of WhatsApp', () => {
  const error = (code: number, more: JsonObject = {}): JsonObject => ({ error: { code, message: 'No', ...more } });
  it.each([
    [400, error(131_047), 'refused', 'OUTSIDE_SESSION_WINDOW'],
    [401, error(190), 'refused', 'PROVIDER_UNAUTHORIZED'],
    [429, error(130_429), 'later', 'PROVIDER_RATE_LIMITED'],
    [400, error(131_056), 'later', 'PROVIDER_RATE_LIMITED'],
    [500, error(131_000), 'later', 'PROVIDER_UNAVAILABLE'],
    [400, error(100), 'refused', 'INVALID_REQUEST'],
    [400, error(100, { error_subcode: 2_494_010 }), 'refused', 'USER_NOT_FOUND'],
    [400, error(999_999), 'refused', 'PROVIDER_REFUSED'],
    [200, error(131_026), 'refused', 'USER_NOT_FOUND'],
    [200, '<html>', 'unknown', 'PROVIDER_ANSWER_UNREADABLE'],
    [200, '', 'unknown', 'PROVIDER_ANSWER_UNREADABLE'],
    [502, '<html>', 'unknown', 'PROVIDER_UNAVAILABLE'],
    [404, 'nothing here', 'refused', 'PROVIDER_REFUSED'],
  ])('%d %j means %s with cause %s', async (status, answer, kind, cause) => {
    const { host } = provider(status, answer);
    expect(await connected().send(outbound({ type: 'text', text: 'Hi' }), host)).toMatchObject({ kind, cause });
  });

  it('that never comes is an unknown outcome', async () => {
    const host: ChannelHost = {
      clock: { now: () => 0 },
      dialer: { request: () => Promise.reject(new DriverError('TIMEOUT', 'No answer in 20 s', { wasSent: true })) },
    };
    expect(await connected().send(outbound({ type: 'text', text: 'Hi' }), host)).toMatchObject({ kind: 'unknown', cause: 'TIMEOUT' });
  });
});

const own = { messaging_product: 'whatsapp', metadata: { display_phone_number: '1', phone_number_id: fields.phoneNumberId } };
async function receiveFrom(message: JsonObject) {
  const value = { ...own, messages: [{ id: 'wamid.2', from: '5215512345678', timestamp: '1750269342', ...message }] };
  const received = await connected().receive(delivery({ entry: [{ changes: [{ field: 'messages', value }] }] }), provider(404, {}).host);
  return received.kind === 'events' ? received.events : [];
}

describe('a delivery of WhatsApp', () => {
  const folder = join(import.meta.dirname, 'examples/whatsapp.webhook/valid');
  const read = (file: string): JsonObject => JSON.parse(readFileSync(join(folder, file), 'utf8')) as JsonObject;
  const numberOf = (example: JsonObject): string => /"phone_number_id":"(\d+)"/.exec(JSON.stringify(example))?.[1] ?? fields.phoneNumberId;
  const eventsIn = async (file: string) => {
    const example = read(file);
    const received = await connected({ phoneNumberId: numberOf(example) }).receive(delivery(example), provider(404, {}).host);
    if (received.kind !== 'events') throw new Error(received.message);
    return received.events;
  };

  /** A message of the user who wrote the examples, with this content and no other. */
  const written = (content: object): object => ({
    kind: 'message',
    user: { id: '16505551234', phone: '16505551234', names: 'Sheena Nelson' },
    message: expect.toSatisfy(({ id, ...message }: JsonObject) => {
      expect(message).toEqual(content);
      return id !== '';
    }) as unknown,
  });
  const bsuid = 'US.13491208655302741918';

  /** What each published example tells; nothing where it is not about users. */
  const told: { readonly [file: string]: object | undefined } = {
    'openapi-text-message.json': written({ type: 'text', text: 'Does it come in another color?' }),
    'openapi-text-message-with-context-product-inquiry.json': written({
      type: 'text',
      text: 'Is this still available?',
      replyTo: containing('wamid.'),
      referredProduct: { catalog_id: any(String), product_retailer_id: any(String) },
    }),
    'openapi-text-message-from-click-to-whatsapp-ad.json': written({
      type: 'text',
      text: 'Hello! Can I get more info on this?',
      referral: any(Object),
    }),
    'openapi-interactive-list-reply-message.json': written({
      type: 'button',
      payload: 'priority_express',
      text: 'Priority Mail Express',
      replyTo: containing('wamid.'),
    }),
    'openapi-interactive-button-reply-message.json': written({
      type: 'button',
      payload: 'cancel-button',
      text: 'Cancel',
      replyTo: containing('wamid.'),
    }),
    'openapi-button-message.json': written({
      type: 'button',
      payload: 'Unsubscribe',
      text: 'Unsubscribe',
      replyTo: containing('wamid.'),
    }),
    // The double knows no file: it is named by its id, with the reason.
    'openapi-image-message.json': written({
      type: 'image',
      text: 'Taj Mahal',
      mediaId: '1003383421387256',
      mimeType: 'image/jpeg',
      mediaError: { code: 'INVALID_MEDIA_URL', message: 'WhatsApp does not say where the file of the user is: it answered 404' },
    }),
    'openapi-location-message.json': written({
      type: 'location',
      coordinates: {
        lat: 37.44221496582,
        long: -122.16165924072,
        name: 'Philz Coffee',
        address: '101 Forest Ave, Palo Alto, CA 94301',
        url: 'https://philzcoffee.com/',
      },
    }),
    'openapi-contact-sharing-message.json': written({
      type: 'contacts',
      contacts: [
        {
          name: { first_name: 'Lucía', last_name: 'Gómez', formatted_name: 'Lucía Gómez' },
          org: { company: 'Google' },
          phones: [{ phone: '+1 (983) 555-2319', wa_id: '19835552319', type: 'MOBILE' }],
        },
      ],
    }),
    'openapi-order-message.json': written({
      type: 'order',
      order: { catalog_id: '194836987003835', text: '', product_items: [any(Object), any(Object)] },
    }),
    'openapi-unsupported-message.json': { ...written({ type: 'unsupported', errors: [any(Object)] }), kind: 'notice', what: 'unsupported' },
    'docs-incoming-text-bsuid-only.json': { kind: 'message', user: { id: bsuid, bsuid }, message: { type: 'text', text: any(String) } },
    'docs-incoming-contacts-from-contact-request.json': {
      kind: 'message',
      user: { id: bsuid, bsuid, phone: '16505551234' },
      message: { type: 'contacts', contacts: [any(Object)] },
    },
    'openapi-reaction-message.json': {
      kind: 'reaction',
      emoji: '👍',
      user: { id: '16505551234' },
      providerMessageId: containing('wamid.'),
    },
    'docs-status-failed.json': {
      kind: 'status',
      status: 'failed',
      failure: { cause: 'NOT_DELIVERED', message: any(String) },
      of: { providerMessageId: containing('wamid.') },
    },
    'docs-status-delivered-phone-and-bsuid.json': { kind: 'status', status: 'delivered', of: { providerMessageId: containing('wamid.') } },
    'docs-status-delivered-bsuid-only.json': { kind: 'status', status: 'delivered', of: { providerMessageId: containing('wamid.') } },
    'openapi-system-message.json': {
      kind: 'userIdChanged',
      previousId: '16505551234',
      user: { id: '12195555358', phone: '12195555358' },
    },
    'docs-system-user-changed-user-id.json': {
      kind: 'userIdChanged',
      previousId: '16505551234',
      user: { id: '12195555358', phone: '12195555358', bsuid: 'US.11815799212886844830' },
    },
    'docs-user-id-update-field.json': {
      kind: 'userIdChanged',
      previousId: bsuid,
      user: { id: '16505551234', phone: '16505551234', bsuid: 'US.11815799212886844830' },
    },
    'docs-errors-value.json': undefined,
    'openapi-group-create-message.json': undefined,
    'openapi-group-remove-participants.json': undefined,
    'openapi-group-settings-update.json': undefined,
  };

  it('has an expectation for each published example', () => {
    expect(Object.keys(told).toSorted()).toEqual(readdirSync(folder).toSorted());
  });

  it.each(Object.entries(told))('%s tells what a user did, under the provider’s own id and time', async (file, event) => {
    const events = await eventsIn(file);
    expect(events).toMatchObject(event === undefined ? [] : [event]);
    const text = JSON.stringify(read(file));
    for (const { kind, eventId, atMs } of events) {
      expect(text).toContain(kind === 'message' ? `"id":"${eventId}"` : kind === 'status' ? eventId.split(':', 1)[0] : '"wa_id"');
      expect(text).toContain(String(atMs / 1_000));
    }
  });

  it('names the message of a status by the key that was sent with it, too', async () => {
    const statuses = [{ id: 'wamid.9', status: 'sent', timestamp: '1750269342', biz_opaque_callback_data: 'key-1' }];
    const told = delivery({ entry: [{ changes: [{ field: 'messages', value: { ...own, statuses } }] }] });
    expect(await connected().receive(told, provider(404, {}).host)).toMatchObject({
      events: [{ kind: 'status', of: { providerMessageId: 'wamid.9', idempotencyKey: 'key-1' } }],
    });
  });

  it('takes the answers of a flow as data', async () => {
    const interactive = { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"a":[1]}' } };
    expect(await receiveFrom({ type: 'interactive', interactive })).toMatchObject([{ message: { type: 'flow', response: { a: [1] } } }]);
  });

  it.each<[JsonObject, object]>([
    [
      { type: 'revoke', revoke: { original_message_id: 'wamid.1' } },
      { kind: 'edit', providerMessageId: 'wamid.1', message: null },
    ],
    [
      {
        type: 'edit',
        edit: { original_message_id: 'wamid.1', message: { context: { id: 'wamid.0' }, type: 'text', text: { body: 'Two, please' } } },
      },
      {
        kind: 'edit',
        providerMessageId: 'wamid.1',
        message: { id: 'wamid.1', type: 'text', text: 'Two, please', replyTo: 'wamid.0' },
      },
    ],
    [
      { type: 'edit', edit: { original_message_id: 'wamid.1', message: { type: 'image', image: { id: 'media-1', caption: 'Mine' } } } },
      { kind: 'edit', providerMessageId: 'wamid.1', message: { id: 'wamid.1', type: 'image', mediaId: 'media-1', text: 'Mine' } },
    ],
  ])('takes %j for a change of an earlier message, and no message of its own', async (message, event) => {
    expect(await receiveFrom(message)).toMatchObject([{ eventId: 'wamid.2', user: { id: '5215512345678' }, ...event }]);
  });

  describe('with a file', () => {
    const MB = 1024 * 1024;
    const png = '\x89PNG\r\n\x1a\n';
    const place = 'https://lookaside.fbsbx.com/1';

    /** The message with a picture, its place and its first bytes as they are told. */
    async function pictureAt(
      located: JsonObject,
      { bytes = png, mimeType = 'image/png', headers = {} }: { bytes?: string; mimeType?: string; headers?: Record<string, string> } = {},
      image: JsonObject = {},
    ) {
      const calls: string[] = [];
      const request: ChannelHost['dialer']['request'] = (call) => {
        calls.push(call.url);
        expect(call).toMatchObject({ headers: { authorization: 'Bearer EAAB' }, maxRedirects: 0 });
        const isFile = !call.url.startsWith('https://graph.facebook.com/');
        const body = isFile ? Buffer.from(bytes, 'latin1') : new TextEncoder().encode(JSON.stringify(located));
        return Promise.resolve({ status: 200, headers, body, url: call.url, bytes: body.length, retryAfterMs: undefined });
      };
      const value = {
        ...own,
        messages: [{ id: 'wamid.2', from: '521', timestamp: '1', type: 'image', image: { id: 'media-1', mime_type: mimeType, ...image } }],
      };
      const sent = delivery({ entry: [{ changes: [{ field: 'messages', value }] }] });
      const received = await connected().receive(sent, { clock: { now: () => 0 }, dialer: { request } });
      const [event] = received.kind === 'events' ? received.events : [];
      return { message: event?.kind === 'message' ? event.message : undefined, calls };
    }

    it('says where it is, by its id, once its beginning is what the message says', async () => {
      const { message, calls } = await pictureAt({ url: place, file_size: 5 * MB });
      expect(message).toEqual({ id: 'wamid.2', type: 'image', mediaId: 'media-1', mediaUrl: place, mimeType: 'image/png' });
      expect(calls).toEqual(['https://graph.facebook.com/v23.0/media-1?phone_number_id=106540352242922', place]);
    });

    it('asks for no place that the delivery names', async () => {
      const { message, calls } = await pictureAt({}, {}, { url: place });
      expect(message).toMatchObject({ mediaUrl: place });
      expect(calls).toEqual([place]);
    });

    it('says that it is too large, and does not fetch it', async () => {
      const { message, calls } = await pictureAt({ url: place, file_size: 5 * MB + 1 });
      expect(message).toMatchObject({ mediaId: 'media-1', mediaError: { code: 'MEDIA_TOO_LARGE', message: containing('5242880') } });
      expect(message).not.toHaveProperty('mediaUrl');
      expect(calls).toHaveLength(1);
    });

    it.each([
      ['a range of too many bytes', { headers: { 'content-range': `bytes 0-4095/${5 * MB + 1}` } }, 'MEDIA_TOO_LARGE'],
      ['the header of another type', { headers: { 'content-type': 'application/zip' } }, 'UNSUPPORTED_MEDIA_TYPE'],
      ['the bytes of another type', { bytes: 'PK\x03\x04' }, 'UNSUPPORTED_MEDIA_TYPE'],
      ['a page', { bytes: '\n<!DOCTYPE html><html>' }, 'UNSUPPORTED_MEDIA_TYPE'],
    ])('that has %s says so, and is named by its id alone', async (_what, file, code) => {
      const { message } = await pictureAt({ url: place, file_size: 10 }, file);
      expect(message).toMatchObject({ type: 'image', mediaId: 'media-1', mediaError: { code, message: any(String) } });
      expect(message).not.toHaveProperty('mediaUrl');
    });

    it.each([
      ['a range of as many bytes as go', { headers: { 'content-range': `bytes 0-4095/${5 * MB}` } }],
      ['a header that says nothing', { headers: { 'content-type': 'application/octet-stream' } }],
      ['bytes without a signature', { bytes: 'anything' }],
      ['a type that nobody knows', { mimeType: 'x-new/type', bytes: 'PK\x03\x04' }],
    ])('that has %s is handed on', async (_what, file) => {
      const { message } = await pictureAt({ url: place, file_size: 10 }, file);
      expect(message).toMatchObject({ mediaUrl: place });
      expect(message).not.toHaveProperty('mediaError');
    });

    it.each(['https://elsewhere.example/1', 'http://lookaside.fbsbx.com/1', 'https://fbsbx.com.example/1', 'https://notfbsbx.com/1'])(
      'never sends the bot’s token to %s',
      async (elsewhere) => {
        const { message, calls } = await pictureAt({ url: elsewhere });
        expect(message).toMatchObject({ mediaUrl: elsewhere });
        expect(calls).toHaveLength(1);
      },
    );

    it('says what the provider answers where it does not say where the file is', async () => {
      const { message } = await pictureAt({ error: { code: 100, message: 'Unsupported get request' } });
      const mediaError = { code: 'INVALID_MEDIA_URL', message: containing('(100) Unsupported get request') };
      expect(message).toEqual({ id: 'wamid.2', type: 'image', mediaId: 'media-1', mimeType: 'image/png', mediaError });
    });
  });

  it('reports an error of the number itself apart from the events, under the provider’s own code', async () => {
    const { host } = provider(404, {});
    const { receive } = connected();
    const told = (value: JsonObject) =>
      receive(delivery({ entry: [{ changes: [{ field: 'messages', value: { ...own, ...value } }] }] }), host);
    expect(await receive(delivery(read('docs-errors-value.json')), host)).toEqual({
      kind: 'events',
      events: [],
      accountErrors: [{ code: '130429', message: containing('(130429) Rate limit hit Message failed to send') }],
    });
    expect(await told({ errors: [{}, { code: {} }, 'odd'] })).toMatchObject({ accountErrors: [{ code: 'unknown' }, { code: 'unknown' }] });
    expect(await told({ errors: [] })).not.toHaveProperty('accountErrors');
    expect(await told({ metadata: { phone_number_id: '9' }, errors: [{ code: 1 }] })).not.toHaveProperty('accountErrors');
  });

  it('for another number of the same account holds nothing for this bot', async () => {
    const value = {
      ...own,
      metadata: { phone_number_id: '9' },
      messages: [{ id: 'wamid.2', from: '521', timestamp: '1', type: 'text', text: { body: 'Hi' } }],
    };
    expect(await connected().receive(delivery({ entry: [{ changes: [{ field: 'messages', value }] }] }), provider(200, {}).host)).toEqual({
      kind: 'events',
      events: [],
      leftOut: { 'message to another phone number id': 1 },
      elsewhere: { 9: { 'message to another phone number id': 1 } },
    });
  });

  it('never throws for JSON of any shape', () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (body, inner) => {
        const value = isJsonObject(inner as Json)
          ? { ...own, ...(inner as JsonObject), messages: [inner, { ...own, ...(inner as JsonObject), id: 'x', from: '1' }] }
          : inner;
        for (const candidate of [body, { entry: [{ changes: [{ value }] }] }]) {
          const received = connected().receive(delivery(candidate as Json), provider(404, {}).host);
          await expect(received).resolves.toHaveProperty('kind');
        }
      }),
    ));

  it.each([
    ['the right secret', 'shh', true],
    ['another secret', 'other', false],
  ])('signed with %s', async (_what, secret, isAuthentic) => {
    const body = new TextEncoder().encode('{"entry":[]}');
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const signed = { ...delivery({}), body, headers: new Headers({ 'x-hub-signature-256': signature }) };
    expect(await connected().authenticate(signed, provider(200, {}).host)).toBe(isAuthentic);
  });

  it.each([
    ['hub.mode=subscribe&hub.verify_token=right&hub.challenge=42', { text: '42' }],
    ['hub.mode=subscribe&hub.verify_token=wrong&hub.challenge=42', undefined],
    ['hub.mode=unsubscribe&hub.verify_token=right&hub.challenge=42', undefined],
    ['hub.challenge=42', undefined],
  ])('is asked for by %s', (query, answer) => {
    expect(connected().verify?.(new URLSearchParams(query), provider(200, {}).host)).toEqual(answer);
  });
});

/** Ids of buttons or rows that stand twice: the schema cannot say that they differ. */
function repeatedIds(body: JsonObject): readonly string[] {
  const ids = [...JSON.stringify(body['interactive'] ?? null).matchAll(/"id":"((?:[^"\\]|\\.)*)"/g)].map(([, id = '']) => id);
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}
