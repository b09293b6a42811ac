import { createHmac } from 'node:crypto';
import type { Json, JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { webChannel } from '../src/web/index.ts';
import { issueSession } from '../src/web/visitor.ts';

const appSecret = 'secret-of-the-web-chat-0123456789abcdef';
const nowMs = Date.UTC(2026, 1, 1);
const nowS = nowMs / 1_000;
const bot = { companyId: '7', id: 'bot', channel: 'web', userIdFormat: 'open' } as const;
const host = { clock: { now: () => nowMs }, dialer: { request: () => Promise.reject(new Error('The chat calls nobody')) } };

function connected() {
  const channel = webChannel.connect(bot, { appSecret });
  if ('unfitFields' in channel) throw new Error(channel.unfitFields.join());
  return channel;
}

const deliver = (token: string | undefined, content: JsonObject = { id: 'message-1', type: 'text', text: 'Hi' }) => {
  const body = JSON.stringify(content);
  const delivery = {
    headers: new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    body: new TextEncoder().encode(body),
    json: (text = body) => JSON.parse(text) as Json,
  };
  return {
    isAuthentic: () => connected().authenticate(delivery, host),
    receive: () => connected().receive(delivery, host),
  };
};

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token of the host, made by hand, so that each part of it can be wrong. */
function hostToken(claims: object = {}, { alg = 'HS256', key = appSecret }: { readonly alg?: string; readonly key?: string } = {}): string {
  const content = `${base64({ alg })}.${base64({ sub: 'ana', aud: 'bot', exp: nowS + 60, ...claims })}`;
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
}

describe('who a visitor is', () => {
  it('says a token of the host: JWT, HS256, by the secret of the bot', async () => {
    const token = hostToken({ name: 'Ana', phone: '5215512345678' });
    expect(await deliver(token).isAuthentic()).toBe(true);
    expect(await deliver(token).receive()).toMatchObject({ events: [{ user: { id: 'ana', names: 'Ana', phone: '5215512345678' } }] });
  });

  it('tries a draft by a session of ours alone: a host names its users, and no draft', async () => {
    const session = await issueSession({ id: 'web:1', expiresAtMs: nowMs + 60_000, draft: 'shop' }, { bot, config: { appSecret } });
    expect(await deliver(session).receive()).toMatchObject({ events: [{ draft: 'shop' }] });
    const {
      events: [event],
    } = (await deliver(hostToken({ draft: 'shop' })).receive()) as unknown as { readonly events: readonly object[] };
    expect(event).not.toHaveProperty('draft');
  });

  it('says a session that we issued, which is under a key of its own', async () => {
    const session = await issueSession({ id: 'web:1', expiresAtMs: nowMs + 60_000 }, { bot, config: { appSecret } });
    expect(await deliver(session).receive()).toMatchObject({ events: [{ user: { id: 'web:1' } }] });
    const [, payload = ''] = session.split('.');
    const byTheSecretItself = createHmac('sha256', appSecret)
      .update(`${base64({ alg: 'HS256' })}.${payload}`)
      .digest('base64url');
    expect(session.endsWith(byTheSecretItself)).toBe(false);
  });

  it.each<[string, string | undefined]>([
    ['no token', undefined],
    ['an algorithm of none', `${base64({ alg: 'none' })}.${base64({ sub: 'ana', aud: 'bot', exp: nowS + 60 })}.`],
    ['an algorithm of none with a signature', hostToken({}, { alg: 'none' })],
    ['another algorithm', hostToken({}, { alg: 'HS512' })],
    ['another secret', hostToken({}, { key: 'another-secret-0123456789abcdef0123' })],
    ['another bot', hostToken({ aud: 'other' })],
    ['no bot', hostToken({ aud: undefined })],
    ['no end', hostToken({ exp: undefined })],
    ['an end two minutes ago', hostToken({ exp: nowS - 120 })],
    ['no user', hostToken({ sub: undefined })],
    ['an empty user', hostToken({ sub: '' })],
    ['a name that is no text', hostToken({ name: { $ne: 1 } })],
    ['a changed payload', hostToken().replace(/\.[^.]+\./, `.${base64({ sub: 'eva', aud: 'bot', exp: nowS + 60 })}.`)],
    ['an asymmetric header', hostToken({}, { alg: 'RS256' })],
  ])('says no token with %s (T5)', async (_what, token) => {
    expect(await deliver(token).isAuthentic()).toBe(false);
    expect(await deliver(token).receive()).toMatchObject({ kind: 'invalid' });
  });

  it('is never what the body says, whatever it says', async () => {
    const hints = fc.record({ userId: fc.string(), user: fc.record({ id: fc.string() }), from: fc.string(), sub: fc.string() });
    await fc.assert(
      fc.asyncProperty(hints, async (hint) => {
        const received = await deliver(hostToken(), { id: 'message-1', type: 'text', text: 'Hi', ...hint }).receive();
        expect(received).toMatchObject({ kind: 'events', events: [{ user: { id: 'ana' }, message: { clientId: 'message-1' } }] });
      }),
      { numRuns: 50 },
    );
  });

  it('is nobody whose id the bot does not take', async () => {
    expect(await deliver(hostToken({ sub: 'a b' })).receive()).toMatchObject({ kind: 'invalid', code: 'INVALID_USER_ID' });
  });
});

describe('what a visitor sends', () => {
  const read = (content: JsonObject) => deliver(hostToken(), content).receive();

  it.each<[JsonObject, JsonObject]>([
    [
      { type: 'text', text: 'a'.repeat(4_096) },
      { type: 'text', text: 'a'.repeat(4_096) },
    ],
    [
      { type: 'text', text: '😀'.repeat(4_096) },
      { type: 'text', text: '😀'.repeat(4_096) },
    ],
    [
      { type: 'text', text: '<img src=x onerror=alert(1)>' },
      { type: 'text', text: '<img src=x onerror=alert(1)>' },
    ],
    [
      { type: 'button', text: 'Yes', payload: 'Y' },
      { type: 'button', text: 'Yes', payload: 'Y' },
    ],
    [
      { type: 'button', text: 'Yes' },
      { type: 'button', text: 'Yes' },
    ],
    [
      { type: 'location', coordinates: { lat: -90, long: 180 } },
      { type: 'location', coordinates: { lat: -90, long: 180 } },
    ],
  ])('is read in the words of every channel: %j', async (given, message) => {
    expect(await read({ id: 'message-1', ...given })).toMatchObject({
      kind: 'events',
      events: [{ message: { clientId: 'message-1', ...message } }],
    });
  });

  it.each<[JsonObject, string]>([
    [{ type: 'text', text: 'a'.repeat(4_097), id: 'message-1' }, 'text: It has more than 4096 characters'],
    [{ type: 'text', text: ' ', id: 'message-1' }, 'text: It is empty'],
    [{ type: 'text', text: '\u200b\u2060 \ufeff', id: 'message-1' }, 'text: It is empty'],
    [{ type: 'text', text: '\u202e\u2800\u0000', id: 'message-1' }, 'text: It is empty'],
    [{ type: 'text', id: 'message-1' }, 'text: it is missing'],
    [{ type: 'text', text: 'Hi', id: 'short' }, 'id: An id has 8 to 64'],
    [{ type: 'text', text: 'Hi', id: 'a'.repeat(65) }, 'id: An id has 8 to 64'],
    [{ type: 'image', mediaUrl: 'http://169.254.169.254/', id: 'message-1' }, 'type: it must be one of text, button, location'],
    [{ type: 'location', coordinates: { lat: 91, long: 0 }, id: 'message-1' }, 'coordinates.lat: it must be from -90 to 90'],
    [{ type: 'location', coordinates: { lat: 'x', long: 0 }, id: 'message-1' }, 'coordinates.lat: it must be a number'],
  ])('is refused with the place: %j', async (given, text) => {
    expect(await read(given)).toMatchObject({
      kind: 'invalid',
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(text) as unknown,
    });
  });
});

it.each([
  [{ appSecret: 'a'.repeat(31) }, ['appSecret']],
  [{ appSecret, origins: ['https://shop.example/'] }, ['origins']],
  [{ appSecret, origins: ['shop.example'] }, ['origins']],
  [{}, ['appSecret']],
])('a bot cannot work with %j', (fields, unfitFields) => {
  expect(webChannel.connect(bot, fields)).toEqual({ unfitFields });
});

it('a session made with a library for JWTs is taken as well', async () => {
  const claims = new SignJWT({}).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).setSubject('ana').setAudience(['bot', 'other']);
  const token = await claims.setExpirationTime(nowS + 60).sign(Buffer.from(appSecret));
  expect(await deliver(token).isAuthentic()).toBe(true);
});
