import type { Json, JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ChannelHost, ConnectedChannel, Delivery } from '../src/channel-adapter.ts';
import { teamsChannel } from '../src/teams/index.ts';
import { trySending } from './outbound-property.ts';
import { schemaOf } from './schemas.ts';
import { delivery, eventsOf, outbound, provider } from './stage.ts';

const problemsOf = schemaOf('teams.activity.request');
const serviceUrl = 'https://smba.example/amer/';
const address = JSON.stringify({ serviceUrl, conversationId: 'a:1' });
const isMessage = (url: string): boolean => url.endsWith('/activities');

function connected(more: JsonObject = {}): ConnectedChannel {
  const bot = { companyId: '1', id: 'bot_teams', channel: 'teams', userIdFormat: 'open' } as const;
  const channel = teamsChannel.connect(bot, { appId: 'app', appPassword: 'shh', keysUrl: 'https://keys.example/', ...more });
  if ('unfitFields' in channel) throw new Error(channel.unfitFields.join());
  return channel;
}

/** A token endpoint and a connector, which answers sends one after the other. */
function stage(answers: readonly (readonly [number, Json | string])[], nowMs = () => 0) {
  const calls: { readonly url: string; readonly body: string; readonly authorization: string }[] = [];
  let tokens = 0;
  let sends = 0;
  const host: ChannelHost = {
    clock: { now: nowMs },
    dialer: {
      request({ url, body, headers }) {
        calls.push({ url, body: String(body), authorization: String(headers?.['authorization'] ?? '') });
        const [status, answer] = isMessage(url)
          ? (answers[Math.min(sends++, answers.length - 1)] ?? [500, ''])
          : [200, { access_token: `token-${(tokens += 1)}`, expires_in: 3_600 }];
        const bytes = new TextEncoder().encode(typeof answer === 'string' ? answer : JSON.stringify(answer));
        return Promise.resolve({ status, headers: {}, body: bytes, url, retryAfterMs: undefined, bytes: 0 });
      },
    },
  };
  return { host, calls, sent: () => calls.filter(({ url }) => isMessage(url)) };
}

const accepted = [[201, { id: '1485983408511' }]] as const;
const to = { recipient: { id: '29:1', address } };

async function bodyOf(message: JsonObject): Promise<JsonObject> {
  const { host, sent } = stage(accepted);
  expect(await connected().send(outbound(message, to), host)).toEqual({ kind: 'sent', providerMessageId: 'a:1|1485983408511' });
  const body = JSON.parse(sent()[0]?.body ?? '') as JsonObject;
  expect(problemsOf(body)).toBe('');
  return body;
}

const options = (count: number, more: JsonObject = {}): JsonObject => ({
  type: 'text',
  text: 'Choose',
  buttons: { options: Array.from({ length: count }, (_, index) => ({ title: `Option ${index}`, payload: `p${index}`, ...more })) },
});

describe('a message to Teams', () => {
  it('is a valid request or a refusal that says why, whatever the message', () =>
    expect(trySending({ connected, answer: { id: '1', access_token: 't' }, isMessage, problemsOf })).resolves.toBeUndefined());

  it('goes to the conversation of the user’s last activity, at the service that it named, with a token that is asked for once', async () => {
    const { host, calls } = stage(accepted);
    const channel = connected({ tenantId: 'tenant-1' });
    await Promise.all([1, 2].map(() => channel.send(outbound({ type: 'text', text: 'Hi *you*' }, to), host)));
    expect(calls.map(({ url }) => url)).toEqual([
      'https://login.microsoftonline.com/tenant-1/oauth2/v2.0/token',
      'https://smba.example/amer/v3/conversations/a%3A1/activities',
      'https://smba.example/amer/v3/conversations/a%3A1/activities',
    ]);
    expect(calls[0]?.body).toContain('client_secret=shh');
    expect(calls[1]).toMatchObject({ authorization: 'Bearer token-1', body: '{"type":"message","text":"Hi *you*","textFormat":"plain"}' });
  });

  it.each([
    [{}, 'https://smba.trafficmanager.net/teams/v3/conversations/29%3A1/activities'],
    [{ baseUrl: 'https://own.example/' }, 'https://own.example/v3/conversations/29%3A1/activities'],
  ])('goes to the id itself where nobody wrote yet, with %j', async (fields, url) => {
    const { host, sent } = stage(accepted);
    await connected(fields).send(outbound({ type: 'text', text: 'Hi' }, { recipient: { id: '29:1' } }), host);
    expect(sent()).toMatchObject([{ url }]);
  });

  it('asks for a token again shortly before the last one ends', async () => {
    let nowMs = 0;
    const { host, sent } = stage(accepted, () => nowMs);
    const channel = connected();
    for (nowMs of [0, 3_299_999, 3_300_000]) await channel.send(outbound({ type: 'text', text: 'Hi' }, to), host);
    expect(sent().map(({ authorization }) => authorization)).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
  });

  it.each([
    [1, 'sent'],
    [2, 'refused'],
  ])('is sent with a new token where the connector refuses the old one, once: %d refusals, %s', async (refusals, kind) => {
    const refused = [401, { error: { code: 'Unauthorized' } }] as const;
    const { host, sent } = stage([...Array.from({ length: refusals }, () => refused), ...accepted]);
    expect(await connected().send(outbound({ type: 'text', text: 'Hi' }, to), host)).toMatchObject({ kind });
    expect(sent().map(({ authorization }) => authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('is refused without a token, and later where the token endpoint does not answer', async () => {
    const refuse = provider(401, { error: 'invalid_client' });
    expect(await connected().send(outbound({ type: 'text', text: 'Hi' }, to), refuse.host)).toMatchObject({
      kind: 'refused',
      cause: 'PROVIDER_UNAUTHORIZED',
    });
    expect(await connected().send(outbound({ type: 'text', text: 'Hi' }, to), provider(503, '<html>').host)).toMatchObject({
      kind: 'later',
    });
  });

  it('shows six options on a hero card, and more or described ones on an adaptive card', async () => {
    expect(await bodyOf(options(6))).toMatchObject({
      text: 'Choose',
      attachments: [{ content: { buttons: [{ type: 'messageBack', title: 'Option 0', value: { payload: 'p0' } }, {}, {}, {}, {}, {}] } }],
    });
    expect(await bodyOf(options(7))).toMatchObject({
      attachments: [
        {
          content: {
            type: 'AdaptiveCard',
            body: [{ actions: Array.from({ length: 6 }, () => ({})) }, { actions: [{ title: 'Option 6' }] }],
          },
        },
      ],
    });
    expect(JSON.stringify(await bodyOf(options(2, { description: 'all of it' })))).toContain('Option 1: all of it');
  });

  it.each([
    [{ type: 'image', mediaUrl: 'https://example.com/a.PNG' }, [{ contentType: 'image/png', contentUrl: 'https://example.com/a.PNG' }]],
    [
      { type: 'file', mediaUrl: 'https://example.com/a.pdf' },
      [{ content: { buttons: [{ type: 'openUrl', title: 'a.pdf', value: 'https://example.com/a.pdf' }] } }],
    ],
    [{ type: 'location', coordinates: { lat: 1.5, long: -2 } }, [{ content: { buttons: [{ title: '1.5, -2' }] } }]],
  ])('%j has the form that Teams has for it', async (message, attachments) => {
    expect(await bodyOf(message)).toMatchObject({ attachments });
  });

  it.each([
    [413, { error: { code: 'MessageSizeTooBig' } }, 'refused', 'INVALID_REQUEST'],
    [404, { error: { code: 'ConversationNotFound' } }, 'refused', 'USER_NOT_FOUND'],
    [403, { error: { code: 'ForbiddenOperationException', message: 'MessageWritesBlocked' } }, 'refused', 'USER_NOT_FOUND'],
    [400, { error: { code: 'BadArgument' } }, 'refused', 'INVALID_REQUEST'],
    [429, { error: { code: 'TooManyRequests' } }, 'later', 'PROVIDER_RATE_LIMITED'],
    [502, '<html>', 'unknown', 'PROVIDER_UNAVAILABLE'],
    [200, {}, 'unknown', 'PROVIDER_ANSWER_UNREADABLE'],
  ])('that is answered %d %j is %s, %s', async (status, answer, kind, cause) => {
    const { host } = stage([[status, answer]]);
    expect(await connected().send(outbound({ type: 'text', text: 'Hi' }, to), host)).toMatchObject({ kind, cause });
  });
});

describe('an activity of Teams', () => {
  const activity = {
    type: 'message',
    id: '17',
    timestamp: '2026-02-01T10:00:00Z',
    serviceUrl,
    from: { id: '29:1', name: 'Ana' },
    conversation: { id: 'a:1' },
    recipient: { id: '28:bot' },
  };

  it.each<[JsonObject, readonly object[]]>([
    [
      { text: 'Hi', attachments: [{ contentType: 'text/html', content: '<p>Hi</p>' }] },
      [
        {
          kind: 'message',
          eventId: 'a:1|17',
          atMs: Date.UTC(2026, 1, 1, 10),
          user: { id: '29:1', names: 'Ana', address },
          message: { type: 'text', text: 'Hi' },
        },
      ],
    ],
    [{ text: '<at>Ana</at>&nbsp;34' }, [{ message: { text: 'Ana 34' } }]],
    [
      { text: '<at>Bot</at> order', entities: [{ type: 'mention', text: '<at>Bot</at>', mentioned: { id: '28:bot' } }] },
      [{ message: { text: 'order' } }],
    ],
    [
      { text: 'Yes', value: { payload: 'YES' }, replyToId: '16' },
      [{ message: { type: 'button', text: 'Yes', payload: 'YES', replyTo: 'a:1|16' } }],
    ],
    [{ value: '{"payload":"YES"}' }, [{ message: { type: 'button', payload: 'YES' } }]],
    [
      {
        text: 'See',
        attachments: [
          { contentType: 'image/png', contentUrl: 'https://smba.example/1' },
          {
            contentType: 'application/vnd.microsoft.teams.file.download.info',
            name: 'b.pdf',
            content: { downloadUrl: 'https://files.example/2' },
          },
        ],
      },
      [
        { message: { type: 'image', text: 'See', mediaUrl: 'https://smba.example/1' } },
        { eventId: 'a:1|17:1', message: { type: 'file', filename: 'b.pdf' } },
      ],
    ],
    [{ type: 'messageUpdate', text: 'new' }, [{ kind: 'edit', providerMessageId: 'a:1|17', message: { text: 'new' } }]],
    [{ type: 'messageDelete' }, [{ kind: 'edit', message: null }]],
    [
      { type: 'messageReaction', replyToId: '9', reactionsAdded: [{ type: 'like' }] },
      [{ kind: 'reaction', emoji: 'like', providerMessageId: 'a:1|9' }],
    ],
    [{ type: 'messageReaction', replyToId: '9', reactionsRemoved: [{ type: 'like' }] }, [{ kind: 'reaction', emoji: null }]],
    [
      { type: 'event', name: 'application/vnd.microsoft.readReceipt', value: { lastReadMessageId: '9' } },
      [{ kind: 'status', status: 'read', of: { providerMessageId: 'a:1|9' } }],
    ],
    [{ type: 'conversationUpdate' }, [{ kind: 'notice', what: 'system', user: { id: '29:1' } }]],
    [{ type: 'typing' }, []],
  ])('with %j is read', async (fields, expected) => {
    expect(await eventsOf(connected(), delivery({ ...activity, ...fields }))).toMatchObject(expected);
  });

  it('never throws for JSON of any shape', () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const parts = { text: value as Json, entities: value as Json, attachments: [value as Json], value: value as Json };
        for (const candidate of [value, { ...activity, ...parts }, { ...activity, type: 'messageReaction', reactionsAdded: value }])
          await expect(connected().receive(delivery(candidate as Json), provider(404, {}).host)).resolves.toHaveProperty('kind');
      }),
    ));

  type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
  let [first, second]: readonly (Pair | undefined)[] = [];
  beforeAll(async () => {
    [first, second] = await Promise.all([1, 2].map(() => generateKeyPair('RS256')));
  });

  const nowMs = Date.UTC(2026, 1, 1, 10);
  const seconds = nowMs / 1_000;
  const claims = { iss: 'https://api.botframework.com', aud: 'app', serviceurl: serviceUrl, nbf: seconds, exp: seconds + 3_600 };
  const tokenOf = (changes: JsonObject = {}, pair = first, kid = 'k1'): Promise<string> =>
    new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'RS256', kid }).sign(pair?.privateKey ?? new Uint8Array());
  const withToken = (token: string): Delivery => ({ ...delivery(activity), headers: new Headers({ authorization: `Bearer ${token}` }) });

  /** A key set URL that answers with the keys of the moment; `undefined` is one that is away. */
  function keys(pairs: { current: Readonly<Record<string, Pair | undefined>> | undefined }) {
    let reads = 0;
    let clockMs = nowMs;
    const host: ChannelHost = {
      clock: { now: () => clockMs },
      dialer: {
        async request({ url }) {
          reads += 1;
          if (pairs.current === undefined) throw new Error('away');
          const list = Object.entries(pairs.current).map(async ([kid, pair]) => ({
            ...(pair && (await exportJWK(pair.publicKey))),
            kid,
            use: 'sig',
          }));
          const body = new TextEncoder().encode(JSON.stringify({ keys: await Promise.all(list) }));
          return { status: 200, headers: {}, body, url, retryAfterMs: undefined, bytes: 0 };
        },
      },
    };
    return { host, reads: () => reads, pass: (ms: number) => (clockMs += ms) };
  }

  it('is taken with the connector’s token, whose keys are read once', async () => {
    const { host, reads } = keys({ current: { k1: first } });
    const channel = connected();
    const results = await Promise.all([1, 2, 3].map(async () => channel.authenticate(withToken(await tokenOf()), host)));
    expect([results, reads()]).toEqual([[true, true, true], 1]);
  });

  it.each<[string, () => Promise<string> | string]>([
    ['without a signature (alg: none)', () => new UnsecuredJWT(claims).encode()],
    ['for another bot', () => tokenOf({ aud: 'other' })],
    ['of another issuer', () => tokenOf({ iss: 'https://evil.example' })],
    ['that is over for 5 minutes and a second', () => tokenOf({ exp: seconds - 301 })],
    ['that begins in 5 minutes and a second', () => tokenOf({ nbf: seconds + 301 })],
    ['without an end', () => tokenOf({ exp: null })],
    ['signed with another key of the same name', () => tokenOf({}, second)],
    [
      'signed with a secret of ours',
      () => new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'k1' }).sign(new TextEncoder().encode('shh'.repeat(20))),
    ],
    ['of another service', () => tokenOf({ serviceurl: 'https://evil.example/' })],
    ['of no service', () => tokenOf({ serviceurl: null })],
    ['that is none', () => 'a.b.c'],
  ])('is refused with a token %s', async (_what, token) => {
    expect(await connected().authenticate(withToken(await token()), keys({ current: { k1: first } }).host)).toBe(false);
  });

  it('is taken with 5 minutes of skew', async () => {
    const { host } = keys({ current: { k1: first } });
    expect(await connected().authenticate(withToken(await tokenOf({ exp: seconds - 299 })), host)).toBe(true);
  });

  it('is taken with a new key of the connector at once, but strangers’ keys are looked for five times', async () => {
    const pairs = { current: { k1: first } as Record<string, Pair | undefined> };
    const { host, reads } = keys(pairs);
    const channel = connected();
    await channel.authenticate(withToken(await tokenOf()), host);
    pairs.current = { k2: second };
    expect(await channel.authenticate(withToken(await tokenOf({}, second, 'k2')), host)).toBe(true);
    for (let index = 0; index < 10; index += 1) await channel.authenticate(withToken(await tokenOf({}, first, `k${index + 3}`)), host);
    expect(reads()).toBe(5);
  });

  it('is refused while no key can be read, and by keys that could not be read for two days', async () => {
    const pairs: { current: Record<string, Pair | undefined> | undefined } = { current: undefined };
    const { host, pass } = keys(pairs);
    const channel = connected();
    const isTaken = async (): Promise<boolean> => channel.authenticate(withToken(await tokenOf({ exp: seconds + 1e6 })), host);
    expect(await isTaken()).toBe(false);
    pairs.current = { k1: first };
    expect(await isTaken()).toBe(true);
    pairs.current = undefined;
    pass(25 * 3_600_000);
    expect(await isTaken()).toBe(true);
    pass(23 * 3_600_000);
    expect(await isTaken()).toBe(false);
  });
});
