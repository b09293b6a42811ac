// What adapters read beside deliveries and answers: key sets, and what providers say of files. Over real sockets.
import type { ServerResponse } from 'node:http';
import type { Json, JsonObject } from '@hilo/engine/contract';
import { createVirtualClock } from '@hilo/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDialer } from '../../drivers/src/index.ts';
import type { ChannelHost, ConnectedChannel } from '../src/channel-adapter.ts';
import { type HttpServer, startHttp } from '../../drivers/test/local-servers.ts';
import { type Provider, providers, secret } from './providers.ts';
import { any, outbound } from './stage.ts';

type Habit = (response: ServerResponse, url: string) => void;

const say = (body: string, type: string): Habit => {
  return (response) => void response.writeHead(200, { 'content-type': type }).end(body);
};

/** No call lasts longer, by a clock that goes on when a place has begun to let a caller wait. */
const longestMs = 300;
const clock = createVirtualClock();
const hang =
  (begin: Habit): Habit =>
  (response, url) => {
    begin(response, url);
    setImmediate(() => clock.advanceBy(longestMs));
  };

/** Bytes without end, as fast as they are taken. */
const flood: Habit = (response) => {
  response.writeHead(200, { 'content-type': 'image/png' });
  const pour = (): void => void (response.destroyed || response.write(Buffer.alloc(65_536, 0x20), () => setImmediate(pour)));
  pour();
};

/** A byte a second, once the head is there. */
const drip: Habit = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(' ');
  const timer = setInterval(() => response.write(' '), 1_000);
  response.on('close', () => clearInterval(timer));
};

const habits: readonly (readonly [what: string, habit: Habit])[] = [
  ['says nothing', hang(() => {})],
  ['breaks the connection', (response) => void response.socket?.resetAndDestroy()],
  ['sends a byte a second', hang(drip)],
  ['sends without end', flood],
  ['announces 100 MB', hang((response) => void response.writeHead(200, { 'content-length': '104857600' }).write(' '))],
  ['answers with HTML', say('<html><body>Sign in</body></html>', 'text/html')],
  ['answers 200 with an error', say('{"error":{"code":190,"message":"no"},"ok":false}', 'application/json')],
  ['answers 500', (response) => void response.writeHead(500).end()],
  ['redirects', (response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
];

/** Messages name files by https alone: the same server stands for that place. */
const files = 'https://files.example';

let habit: Habit | undefined;
let server: HttpServer;
let dialer: ReturnType<typeof createDialer>;
let all: readonly Provider[];
beforeAll(async () => {
  all = await providers();
  server = await startHttp((request, response) => {
    const known = all.map(({ plan }) => plan.answer?.(request)).find((answer) => answer !== undefined);
    const isUpload = request.url.startsWith('/2/media/upload');
    if (habit !== undefined && !isUpload) return habit(response, request.url);
    say(JSON.stringify(known ?? {}), 'application/json')(response, request.url);
  });
  dialer = createDialer({ allow: [server.host], clock });
});
afterAll(async () => {
  await dialer.close();
  await server.close();
});

/** A bot of a kind, whose provider is that server. */
function connect(kind: string): { readonly provider: Provider; readonly bot: ConnectedChannel; readonly host: ChannelHost } {
  const provider = all.find(({ adapter }) => adapter.kind === kind);
  const bot = provider?.adapter.connect(
    { companyId: '7', id: 'bot', channel: provider.channel, userIdFormat: 'open' },
    provider.fields(`http://${server.host}`),
  );
  if (provider === undefined || bot === undefined || 'unfitFields' in bot) throw new Error('There is such a provider');
  const request: ChannelHost['dialer']['request'] = ({ timeoutMs = longestMs, url, ...call }) =>
    dialer.request({
      maxRedirects: 0,
      ...call,
      url: url.replace(files, `http://${server.host}`),
      timeoutMs: Math.min(timeoutMs, longestMs),
    });
  return { provider, bot, host: { clock: { now: Date.now }, dialer: { request } } };
}

const deliveryOf = (body: JsonObject, headers: Record<string, string> = {}) => {
  const text = JSON.stringify(body);
  return { headers: new Headers(headers), body: new TextEncoder().encode(text), json: () => JSON.parse(text) as Json };
};

describe.each(habits)('a place that %s', (_what, given) => {
  it('as the key set of Teams proves no delivery, and the keys are read once they are there (T5)', async () => {
    const { provider, bot, host } = connect('teams');
    const body = provider.textOf('Hello', 'in-1', `http://${server.host}`);
    const delivery = deliveryOf(body, await provider.sign(JSON.stringify(body), Date.now(), secret));
    habit = given;
    expect(await bot.authenticate(delivery, host)).toBe(false);
    habit = undefined;
    expect(await bot.authenticate(delivery, host)).toBe(true);
  });

  it.each([
    ['as what WhatsApp says of a file', '/v23.0/media-1'],
    ['as the file of a user of WhatsApp', '/file'],
  ])('%s leaves the message with the id of the file, and the reason: nothing is lost', async (_where, path) => {
    const { provider, bot, host } = connect('whatsapp-cloud');
    const body = provider.textOf('', 'in-1', '');
    const text = JSON.stringify(body).replace(
      /"type":"text","text":\{"body":""\}/,
      '"type":"image","image":{"id":"media-1","mime_type":"image/png","sha256":"x"}',
    );
    habit = (response, url) =>
      url.startsWith(path) ? given(response, url) : say(`{"url":"http://${server.host}/file"}`, 'application/json')(response, url);
    const received = await bot.receive(deliveryOf(JSON.parse(text) as JsonObject), host);
    habit = undefined;
    const mediaError = {
      code: expect.toBeOneOf(['INVALID_MEDIA_URL', 'MEDIA_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']) as unknown,
      message: any(String),
    };
    expect(received).toMatchObject({
      kind: 'events',
      events: [{ kind: 'message', message: { type: 'image', mediaId: 'media-1', mediaError } }],
    });
  });

  it('as the file of a message to X sends nothing, and says why', async () => {
    const { bot, host } = connect('x');
    const before = server.received.length;
    habit = given;
    const result = await bot.send(outbound({ type: 'image', mediaUrl: `${files}/file.png` }), host);
    habit = undefined;
    expect(result).toEqual({ kind: expect.toBeOneOf(['refused', 'later']) as unknown, cause: any(String), message: any(String) });
    expect(server.received.slice(before).map(({ url }) => url)).toEqual(['/file.png']);
  });
});
