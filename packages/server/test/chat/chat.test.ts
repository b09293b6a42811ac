import type { JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDayCounts } from '../../src/platform/http/day-counts.ts';
import { createVisitorLimit } from '../../src/platform/http/rate-limit.ts';
import { createTraffic } from '../../src/platform/http/traffic.ts';
import { createApp } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { describeOverEachStore } from '../rest/each-store.ts';
import { restStage, type RestStage } from '../rest/rest-stage.ts';
import { chatApp, chatSecret, hostToken, openBrowser, readEvents, type SeenMessage } from './chat-stage.ts';

const inOrder = (messages: readonly SeenMessage[]): readonly SeenMessage[] => messages.toSorted((left, right) => left.order - right.order);

const texts = (messages: readonly SeenMessage[]): readonly (string | undefined)[] => messages.map(({ message }) => message.text);

let stage: RestStage;
let ask: Awaited<ReturnType<typeof chatApp>>;
beforeAll(async () => {
  stage = await restStage();
  ask = await chatApp(stage.service);
});
afterAll(() => stage[Symbol.asyncDispose]());

const nowS = (): number => Math.floor(stage.clock.now() / 1_000);
const bodyOf = async (response: Response): Promise<JsonObject> => (await response.json()) as JsonObject;
const pathOf = ({ mediaUrl }: JsonObject): string => new URL(typeof mediaUrl === 'string' ? mediaUrl : '').pathname;

describeOverEachStore('a chat', (on) => {
  it(
    'gets all stored messages, once and in order, however often its stream breaks (P9, P10)',
    on(async ({ open }) => {
      const call = await chatApp(await open());
      const visitor = await openBrowser(call);
      const [cuts, count] = [[0, 1, 3, 2, 4, 1], 6];
      const seen: SeenMessage[] = [];
      let lastEventId: string | undefined;
      for (const [turn, cut] of cuts.entries()) {
        const [reading, saying] = [visitor.events(lastEventId), visitor.say(`turn ${turn}`)];
        const reader = await reading;
        expect((await saying).status).toBe(200);
        seen.push(...(await reader.messages(cut % 3)));
        lastEventId = reader.lastEventId() ?? lastEventId;
        await reader.cancel();
      }
      // Every second message is answered by a question, and the others by an echo and the end.
      const total = count + count;
      const reader = await visitor.events(lastEventId);
      seen.push(...(await reader.messages(total - seen.length)));
      expect(new Set(seen.map(({ messageId }) => messageId)).size).toBe(total);
      expect(texts(seen.filter(({ direction }) => direction === 'inbound'))).toEqual(cuts.map((_, turn) => `turn ${turn}`));
      expect(texts(seen.filter(({ direction }) => direction === 'outbound'))).toEqual([
        'You said turn 0',
        'Again: turn 1',
        'You said turn 2',
        'Again: turn 3',
        'You said turn 4',
        'Again: turn 5',
      ]);
      await reader.cancel();
      const whole = await (await visitor.events()).messages(total);
      // What the visitor says while the bot answers is stored at the same time: PostgreSQL may show the later of both first.
      expect(whole).toEqual(inOrder(seen));
    }),
  );

  it(
    'stores a file once, and serves it to any holder of its address',
    on(async ({ open }) => {
      const visitor = await openBrowser(await chatApp(await open()));
      const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000049454e44ae426082', 'hex');
      const send = () =>
        visitor.call('files', {
          method: 'POST',
          body: png,
          headers: { 'content-type': 'image/png', 'x-message-id': 'picture-1', 'x-filename': encodeURIComponent('../a"b\r\n.png') },
        });
      const [first, second] = [await bodyOf(await send()), await bodyOf(await send())];
      expect(second).toMatchObject({ outcome: 'duplicate', mediaUrl: first['mediaUrl'] });
      const address = pathOf(first).replace('/chat/help/', '');
      const answer = await visitor.call(address, { headers: { authorization: '' } });
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(png);
      expect(answer.headers.get('content-type')).toBe('image/png');
      expect(answer.headers.get('content-disposition')).toBe("inline; filename*=UTF-8''.._a_b__.png");
      const [message] = await (await visitor.events()).messages(1);
      expect(message?.message).toMatchObject({ type: 'image', mimeType: 'image/png', mediaUrl: first['mediaUrl'] });
    }),
  );

  it(
    "marks as read the visitor's own messages alone, up to the one that was read",
    on(async ({ open }) => {
      const call = await chatApp(await open());
      const [ana, eva] = [await openBrowser(call), await openBrowser(call)];
      for (const visitor of [ana, eva]) for (const text of ['one', 'two', 'three']) await visitor.say(text);
      const seen = await (await ana.events()).messages(6);
      const answers = seen.filter(({ direction }) => direction === 'outbound');
      const read = await ana.call('read', { method: 'POST', body: JSON.stringify({ upTo: answers[1]?.messageId }) });
      expect(read.status).toBe(200);
      const after = await (await ana.events()).messages(6);
      expect(after.filter(({ direction }) => direction === 'outbound').map(({ status }) => status)).toEqual(['read', 'read', 'sent']);
      const others = await (await eva.events()).messages(6);
      expect(others.filter(({ direction }) => direction === 'outbound').map(({ status }) => status)).toEqual(['sent', 'sent', 'sent']);
      const ofOther = await eva.call('read', { method: 'POST', body: JSON.stringify({ upTo: answers[2]?.messageId }) });
      expect(ofOther.status).toBe(200);
      const still = await (await ana.events()).messages(6);
      expect(still.filter(({ direction }) => direction === 'outbound').map(({ status }) => status)).toEqual(['read', 'read', 'sent']);
    }),
  );
});

describe('two processes over one PostgreSQL', () => {
  describeOverEachStore('a chat of one process', (on) => {
    it(
      'gets messages that another process, or a caller of the REST API, stores',
      on(async (place) => {
        const service = await place.open();
        const isShared = service.settings.databaseUrl !== undefined;
        const other: RunningService = isShared ? await place.open() : service;
        const call = await chatApp(service);
        const seesTheBot = async (): Promise<void> => {
          place.clock.advanceBy(1_000); // the other process looks for changes once a second
          expect(other.companies.bot('help')).toBeDefined();
        };
        await vi.waitFor(seesTheBot, { timeout: 60_000, interval: 20 });
        const here = await openBrowser(call);
        const there = createApp(other);
        const reader = await here.events();
        await reader.next('ready');
        const said = await there.request('/chat/help/messages', {
          method: 'POST',
          headers: { authorization: `Bearer ${here.token}` },
          body: JSON.stringify({ id: 'message-1', type: 'text', text: 'elsewhere' }),
        });
        expect([said.status, await said.text()]).toEqual([200, expect.anything()]);
        const turning = setInterval(() => place.clock.advanceBy(1_000), 20);
        const seen = await reader.messages(2);
        clearInterval(turning);
        expect(texts(seen)).toEqual(['elsewhere', 'You said elsewhere']);
        await reader.cancel();
      }),
    );
  });
});

describe('a message that becomes visible after a later one', () => {
  describeOverEachStore('in a chat', (on) => {
    it(
      'comes once, with its place in the order, whether the stream stays or begins again (P9, P10)',
      on(async ({ open, clock }) => {
        const service = await open();
        const { databaseUrl } = service.settings;
        const visitor = await openBrowser(await chatApp(service));
        await visitor.say('one');
        const stays = await visitor.events();
        const seen = [...(await stays.messages(2))];
        // Over PostgreSQL alone, another transaction begins and is committed while one has its number.
        const transaction = databaseUrl === undefined ? undefined : await beginMessage(databaseUrl, visitor.userId, 'late');
        const late = transaction === undefined ? [] : ['late'];
        await visitor.say('two');
        seen.push(...(await stays.messages(2)));
        expect(texts(seen)).toEqual(['one', 'You said one', 'two', 'Again: two']);
        await transaction?.commit();
        clock.advanceBy(1_000);
        const back = await visitor.events(stays.lastEventId());
        expect(texts(await back.messages(late.length))).toEqual(late);
        seen.push(...(await stays.messages(late.length)));
        expect(texts(inOrder(seen))).toEqual(['one', 'You said one', ...late, 'two', 'Again: two']);
        expect(await (await visitor.events()).messages(seen.length)).toEqual(inOrder(seen));
        await stays.cancel();
        await back.cancel();
      }),
    );
  });

  /** Stores a message to a visitor of the chats' workspace, in a transaction that is not committed yet. */
  async function beginMessage(connectionString: string, userId: string, text: string): Promise<{ commit(): Promise<void> }> {
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query('begin');
    await client.query(
      `insert into hilo.messages (company_id, bot_id, user_key, user_id, message_id, direction, message, status, created_at_ms)
       values ('1', 'help', $1, $1, 'msg_late', 'outbound', $2, 'sent', (select max(created_at_ms) from hilo.messages))`,
      [userId, JSON.stringify({ type: 'text', text })],
    );
    return {
      async commit() {
        await client.query('commit');
        await client.end();
      },
    };
  }
});

describe('who a visitor is', () => {
  it('stays the same with their session, and is another without it', async () => {
    const first = await openBrowser(ask);
    const again = await openBrowser(ask, 'help', first.token);
    expect(again.userId).toBe(first.userId);
    expect((await openBrowser(ask)).userId).not.toBe(first.userId);
    await first.say('remember');
    expect(texts(await (await again.events()).messages(2))).toEqual(['remember', 'You said remember']);
  });

  it("is the host's user with the host's token, until that ends", async () => {
    const visitor = await openBrowser(ask, 'help', hostToken({ sub: 'customer-7', name: 'Ana', exp: nowS() + 120 }));
    expect(visitor.userId).toBe('customer-7');
    expect((await visitor.say('hello')).status).toBe(200);
    stage.clock.advanceBy(240_000);
    expect((await visitor.say('still there')).status).toBe(401);
    expect((await visitor.call('events')).status).toBe(401);
  });

  it.each<[string, () => string]>([
    ['a forged one', () => hostToken({ sub: 'eva', exp: nowS() + 60 }, 'another-secret-0123456789abcdef0123')],
    ['an expired one', () => hostToken({ sub: 'eva', exp: nowS() - 120 })],
    ['one of another bot', () => hostToken({ sub: 'eva', aud: 'shop', exp: nowS() + 60 })],
    ['one without an end', () => hostToken({ sub: 'eva' })],
    ['an unsigned one', () => `${hostToken({ sub: 'eva', exp: nowS() + 60 }).replace(/[^.]+$/, '')}x`],
    ['no token', () => 'nonsense'],
  ])('is refused with %s: 401 at every route, before a body is read (P27)', async (_what, token) => {
    const authorization = `Bearer ${token()}`;
    for (const [method, path] of [
      ['POST', 'session'],
      ['GET', 'events'],
      ['POST', 'messages'],
      ['POST', 'files'],
      ['POST', 'read'],
    ] as const) {
      const response = await ask(`/chat/help/${path}`, { method, headers: { authorization }, ...(method === 'POST' && { body: '{' }) });
      expect([path, response.status]).toEqual([path, 401]);
    }
  });

  it('is refused by a bot with another secret, and by one without a chat', async () => {
    const visitor = await openBrowser(ask);
    const other = await ask('/chat/other/messages', {
      method: 'POST',
      headers: { authorization: `Bearer ${visitor.token}` },
      body: '{}',
    });
    expect(other.status).toBe(401);
    for (const botId of ['silent', 'nobody']) expect((await ask(`/chat/${botId}/session`, { method: 'POST' })).status).toBe(404);
  });

  it('is written to by the REST API as by any channel, without a setting for its ids', async () => {
    const visitor = await openBrowser(ask);
    const reader = await visitor.events();
    await reader.next('ready');
    const message = { type: 'text', userId: visitor.userId, text: 'From the desk' };
    const { body } = await stage.ask('POST', '/v1/bots/help/messages', { body: message });
    expect(body).toMatchObject({ success: true });
    expect(texts(await reader.messages(1))).toEqual(['From the desk']);
    await reader.cancel();
  });
});

describe('what comes twice, late, or is nothing', () => {
  it('is accepted once under its id, which is separate for each visitor (P10)', async () => {
    const [ana, eva] = [await openBrowser(ask), await openBrowser(ask)];
    expect((await ana.say('hello', 'same-name-1')).body).toMatchObject({ outcome: 'started' });
    expect((await ana.say('hello', 'same-name-1')).body).toMatchObject({ outcome: 'duplicate' });
    expect((await eva.say('hello', 'same-name-1')).body).toMatchObject({ outcome: 'started' });
  });

  it.each<[string, string, number]>([
    ['no JSON', '{"id":', 400],
    ['a list', '[]', 400],
    ['another type', '{"id":"message-1","type":"template"}', 400],
    ['a file by its address', '{"id":"message-1","type":"image","mediaUrl":"http://127.0.0.1/"}', 400],
    ['65 levels', `{"id":"message-1","type":"text","text":"x","more":${'['.repeat(65)}${']'.repeat(65)}}`, 400],
    ['more than 1 MB', JSON.stringify({ id: 'message-1', type: 'text', text: 'x'.repeat(1_048_577) }), 413],
    ['too long a text', JSON.stringify({ id: 'message-1', type: 'text', text: 'x'.repeat(4_097) }), 400],
  ])('is refused where it is %s', async (_what, body, status) => {
    const visitor = await openBrowser(ask);
    const response = await visitor.call('messages', { method: 'POST', body });
    expect(response.status).toBe(status);
    expect(await bodyOf(response)).toMatchObject({ error: expect.any(String) as unknown, message: expect.any(String) as unknown });
  });

  it.each(['', 'abc', '-1', '1.5', '9'.repeat(40), '1+a', `1${'+1'.repeat(70)}`])(
    'starts from the beginning for a malformed event id: %j',
    async (id) => {
      const visitor = await openBrowser(ask);
      await visitor.say('hello');
      expect(texts(await (await visitor.events(id)).messages(2))).toEqual(['hello', 'You said hello']);
    },
  );

  it('never promises more messages than there are after the last event', async () => {
    const visitor = await openBrowser(ask);
    await visitor.say('hello');
    const reader = await visitor.events();
    await reader.messages(2);
    const again = await visitor.events(reader.lastEventId());
    await visitor.say('bye');
    expect(texts(await again.messages(2))).toEqual(['bye', 'Again: bye']);
  });
});

describe('files', () => {
  const post = (visitor: Awaited<ReturnType<typeof openBrowser>>, body: RequestInit['body'], headers: Record<string, string>) =>
    visitor.call('files', { method: 'POST', body, headers: { 'x-message-id': 'file-0001', ...headers }, duplex: 'half' } as RequestInit);
  const pdf = Buffer.from('%PDF-1.4\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF', 'latin1');

  it.each<[string, RequestInit['body'], Record<string, string>, number, string]>([
    ['a page that says it is a picture', '<html><script>alert(1)</script>', { 'content-type': 'image/png' }, 400, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a PDF that says it is a picture', pdf, { 'content-type': 'image/png' }, 400, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a page', '<html>', { 'content-type': 'text/html' }, 400, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a drawing that may hold a script', '<svg/>', { 'content-type': 'image/svg+xml' }, 400, 'UNSUPPORTED_MEDIA_TYPE'],
    ['nothing said of its type', pdf, {}, 400, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a name of a message that is none', pdf, { 'content-type': 'application/pdf', 'x-message-id': 'a b' }, 400, 'INVALID_REQUEST'],
    ['one byte more than 5 MB', new Uint8Array(5 * 1024 * 1024 + 1), { 'content-type': 'text/plain' }, 413, 'INVALID_REQUEST'],
  ])('are refused: %s', async (_what, body, headers, status, code) => {
    const response = await post(await openBrowser(ask), body, headers);
    expect(response.status).toBe(status);
    expect((await bodyOf(response))['error']).toBe(code);
  });

  it('are not read on without end', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    expect((await post(await openBrowser(ask), endless, { 'content-type': 'text/plain' })).status).toBe(413);
    expect(sent * 65_536).toBeLessThan(6 * 1024 * 1024);
  });

  it('are bounded for each visitor in a day', async () => {
    const visitor = await openBrowser(ask);
    const statuses: number[] = [];
    for (let number = 0; number < 6; number += 1) {
      const body = new Uint8Array(5 * 1024 * 1024).fill(65);
      statuses.push((await post(visitor, body, { 'content-type': 'text/plain', 'x-message-id': `big-file-${number}` })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('are downloaded unless a browser merely displays them, and belong to one bot', async () => {
    const visitor = await openBrowser(ask);
    const sent = await bodyOf(await post(visitor, pdf, { 'content-type': 'application/pdf', 'x-filename': 'bill.pdf' }));
    const path = pathOf(sent);
    const answer = await ask(path);
    expect(answer.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''bill.pdf");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    expect((await ask(path.replace('/help/', '/shop/'))).status).toBe(404);
    expect((await ask('/chat/help/files/nothing')).status).toBe(404);
  });
});

describe('pages of other sites', () => {
  const from = (origin: string, botId: string) => ask(`/chat/${botId}/session`, { method: 'POST', headers: { origin } });

  it('may show a chat, unless its bot lists others', async () => {
    expect((await from('https://any.example', 'help')).headers.get('access-control-allow-origin')).toBe('*');
    expect((await from('https://shop.example', 'shop')).headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect((await from('https://any.example', 'shop')).status).toBe(401);
    expect((await from('null', 'shop')).status).toBe(401);
    expect(
      (await ask('http://localhost/chat/shop/session', { method: 'POST', headers: { origin: 'http://localhost', host: 'localhost' } }))
        .status,
    ).toBe(200);
  });

  it('get CORS answers to preflight requests, and on errors', async () => {
    const asked = await ask('/chat/help/messages', { method: 'OPTIONS', headers: { origin: 'https://any.example' } });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-headers')).toContain('last-event-id');
    const refused = await ask('/chat/help/messages', { method: 'POST', headers: { origin: 'https://any.example' }, body: '{}' });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, '*']);
    expect(refused.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('may read why they are refused: else the service would seem to be away', async () => {
    const headers = { origin: 'https://any.example', authorization: 'Bearer x' };
    for (const [botId, status] of [
      ['shop', 401],
      ['nobody', 404],
    ] as const) {
      expect((await ask(`/chat/${botId}/session`, { method: 'OPTIONS', headers })).status).toBe(204);
      for (const path of ['session', 'messages', 'files', 'read']) {
        const refused = await ask(`/chat/${botId}/${path}`, { method: 'POST', headers });
        expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([status, '*']);
      }
    }
  });
});

describe('too much', () => {
  /** A limit of visitors with a bound that tests reach. */
  const limitVisitors = ({ ofNetworkASecond = 250, messagesADay = 250 }) =>
    createVisitorLimit({ ofVisitorASecond: 5, ofNetworkASecond, messagesOfNetwork: createDayCounts(stage.clock, messagesADay) });

  /** Anonymous visitors of one address. */
  const visitorsOf = (app: ReturnType<typeof createApp>, remoteAddress: string) => {
    const request = async (path: string, init: RequestInit) => app.request(path, init, { incoming: { socket: { remoteAddress } } });
    const begin = async (): Promise<unknown> => (await bodyOf(await request('/chat/help/session', { method: 'POST' })))['token'];
    /** Sends a message by one door or the other. @returns the status of the answer */
    const send = async (token: unknown, number = 0): Promise<number> => {
      const body = JSON.stringify({ id: `message-${number}`, type: 'text', text: 'hello' });
      const path = number % 2 === 0 ? '/chat/help/messages' : '/channels/help/webhook';
      return (await request(path, { method: 'POST', body, headers: { authorization: `Bearer ${String(token)}` } })).status;
    };
    return { request, begin, send };
  };

  it('is answered 429 with Retry-After, for that visitor alone', async () => {
    const [loud, calm] = [await openBrowser(ask), await openBrowser(ask)];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, number) => loud.call('messages', { method: 'POST', body: `{"id":"m-${number}"` })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(20);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await calm.say('hello')).status).toBe(200);
  });

  it('is too much by the door of providers as well, which takes a token for a signature', async () => {
    const visitor = await openBrowser(ask);
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, number) =>
        ask('/channels/help/webhook', {
          method: 'POST',
          body: JSON.stringify({ id: `message-${number}`, type: 'text', text: 'hello' }),
          headers: { authorization: `Bearer ${visitor.token}` },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(20);
    expect(answers.filter(({ status }) => ![200, 429].includes(status))).toEqual([]);
    expect((await visitor.call('messages', { method: 'POST', body: '{' })).status).toBe(429);
  });

  it('of all anonymous visitors of one network is bounded by both doors, and keeps nobody else out (P22, P23)', async () => {
    const reached = new Set<string>();
    const app = createApp(stage.service, {
      ...createTraffic(stage.service),
      visitors: limitVisitors({ ofNetworkASecond: 2 }),
      onLimit: ({ limit, holder }) => reached.add(`${limit} ${holder}`),
    });
    const ofNetwork = (remoteAddress: string) => visitorsOf(app, remoteAddress);
    const [flood, calm] = [ofNetwork('198.51.100.9'), ofNetwork('198.51.100.10')];
    const tokens = await Promise.all(Array.from({ length: 40 }, async () => flood.begin()));
    const statuses = await Promise.all(tokens.map(async (token, number) => flood.send(token, number)));
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(reached).toEqual(new Set(['visitor-rate-of-network 198.51.100.9']));
    expect(await calm.send(await calm.begin())).toBe(200);
    // A user whom the host of the bot has named is not anybody.
    expect(await flood.send(hostToken({ sub: 'customer-9', exp: nowS() + 600 }))).toBe(200);
  });

  it('of all anonymous visitors of one network is bounded in a day by every door, and keeps nobody else out (P22, P23)', async () => {
    const reached: string[] = [];
    const traffic = { ...createTraffic(stage.service), visitors: limitVisitors({ messagesADay: 4 }) };
    const app = createApp(stage.service, { ...traffic, onLimit: ({ limit, holder }) => reached.push(`${limit} ${holder}`) });
    const [flood, same, calm] = ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'].map((address) => visitorsOf(app, address));
    const statuses: (number | undefined)[] = [];
    for (const number of [0, 1, 2, 3, 4, 5]) statuses.push(await (number < 2 ? flood : same)?.send(await flood?.begin(), number));
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    const file = await same?.request('/chat/help/files', {
      method: 'POST',
      body: 'What I wrote down',
      headers: { authorization: `Bearer ${String(await same.begin())}`, 'content-type': 'text/plain', 'x-message-id': 'message-of-a-file' },
    });
    expect([file?.status, Number(file?.headers.get('retry-after')) > 86_000]).toEqual([429, true]);
    expect(reached).toEqual(Array.from({ length: 3 }, () => 'visitor-messages-of-network 2001:db8:0:0::/64'));
    expect(await calm?.send(await calm.begin())).toBe(200);
    expect(await flood?.send(hostToken({ sub: 'customer-10', exp: nowS() + 600 }))).toBe(200);
  });

  it('of slow bodies keeps neither visitors of other networks out, nor other callers of the company (P22, P23)', async () => {
    const app = createApp(stage.service);
    const send = async (body: RequestInit['body'], number: number, remoteAddress: string) =>
      app.request(
        '/chat/help/files',
        {
          method: 'POST',
          body,
          duplex: 'half',
          headers: {
            authorization: `Bearer ${hostToken({ sub: `slow-${number}`, exp: nowS() + 600 })}`,
            'content-type': 'text/plain',
            'x-message-id': `message-${number}`,
          },
        } as RequestInit,
        { incoming: { socket: { remoteAddress } } },
      );
    const ends: (() => void)[] = [];
    const slow = Array.from({ length: 600 }, (_, number) => {
      const body = new ReadableStream<Uint8Array>({ start: (sink) => void ends.push(() => sink.error(new Error('It is cut'))) });
      return send(body, Math.floor(number / 4), '198.51.100.7');
    });
    expect((await send('mine', 1_000, '198.51.100.8')).status).toBe(200);
    for (const end of ends) end();
    expect((await Promise.all(slow)).filter(({ status }) => status === 200)).toEqual([]);
  });

  it('of streams is one visitor’s eight; a place is free again once one goes', async () => {
    const visitor = await openBrowser(ask);
    const readers = await Promise.all(Array.from({ length: 8 }, () => visitor.events()));
    expect((await visitor.call('events')).status).toBe(503);
    await readers[0]?.cancel();
    const again = await visitor.events();
    await again.next('ready');
    await visitor.say('all tabs');
    for (const reader of [...readers.slice(1), again]) {
      expect(texts(await reader.messages(2))).toEqual(['all tabs', 'You said all tabs']);
      await reader.cancel();
    }
  });
});

it('a stream ends once its token does', async () => {
  const visitor = await openBrowser(ask, 'help', hostToken({ sub: 'customer-8', exp: nowS() + 30 }));
  const reader = await visitor.events();
  await reader.next('ready');
  let isOver = false;
  const ended = reader.end().finally(() => (isOver = true));
  // On a busy machine the end of the stream takes some turns of the event loop to arrive.
  while (!isOver) {
    stage.clock.advanceBy(15_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await expect(ended).resolves.toBeUndefined();
});

it('shows when the bot is working, and when it waits again', async () => {
  const visitor = await openBrowser(ask);
  const reader = await visitor.events();
  await reader.next('ready');
  await visitor.say('hello');
  const seen: string[] = [];
  while (!seen.includes('message You said hello')) {
    const { event, data = '' } = await reader.next();
    seen.push(event === 'message' ? `message ${(JSON.parse(data) as SeenMessage).message.text ?? ''}` : `${event} ${data}`);
  }
  const typing = seen.filter((event) => event.startsWith('typing'));
  expect(typing.length === 0 || typing[0] === 'typing true').toBe(true);
  await reader.cancel();
});

it('every stream ends when the service stops, so that nothing waits for it (P25)', async () => {
  await using other = await restStage();
  const call = await chatApp(other.service);
  const visitor = await openBrowser(call);
  const reader = await visitor.events();
  await reader.next('ready');
  const ended = reader.end();
  other.service.stopAccepting();
  await ended;
  expect((await visitor.call('events')).status).toBe(503);
});

it('a text of any kind is returned unchanged', async () => {
  const visitor = await openBrowser(ask);
  const hostile = ['</script><script>alert(1)</script>', 'line\nline\r\n\r\ndata: x\n\nevent: y', '\u2028\u2029😀', 'id: 9\n\n'];
  const reader = await visitor.events();
  for (const [number, text] of hostile.entries()) {
    expect((await visitor.say(text, `hostile-${number}`)).status).toBe(200);
  }
  const seen = await reader.messages(hostile.length * 2);
  expect(texts(seen.filter(({ direction }) => direction === 'inbound'))).toEqual(hostile);
  await reader.cancel();
});

it('no token shows the secret of the bot (P31)', async () => {
  const { token } = await openBrowser(ask);
  const shown = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  expect(shown.join('')).not.toContain(chatSecret);
});

it('a random end of a stream loses nothing and repeats nothing', async () => {
  const visitor = await openBrowser(ask);
  for (let number = 0; number < 3; number += 1) await visitor.say(`n${number}`);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 6 }), async (cut) => {
      const first = await visitor.events();
      const seen = [...(await first.messages(cut))];
      const lastId = first.lastEventId();
      await first.cancel();
      const second = readEvents(await visitor.call('events', { headers: lastId === undefined ? {} : { 'last-event-id': lastId } }));
      if (seen.length < 6) seen.push(...(await second.messages(6 - seen.length)));
      await second.cancel();
      expect(new Set(seen.map(({ messageId }) => messageId)).size).toBe(6);
    }),
    { numRuns: 20 },
  );
});

it('the page of a bot is framed by pages of its own service alone', async () => {
  const { chat } = stage.service;
  if (chat === undefined) throw new Error('The service has a chat');
  const widget = { script: new Uint8Array(), compressed: new Uint8Array(), etag: '"built"' }; // `npm test` does not build the chat
  const { headers } = await createApp({ ...stage.service, chat: { ...chat, widget } }).request('/chat/help');
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
});
