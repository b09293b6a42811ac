import type { JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import type { ChannelAdapter, ChannelHost } from '../src/channel-adapter.ts';
import { instagramChannel, messengerChannel } from '../src/meta/page-channel.ts';
import { slackChannel } from '../src/slack/index.ts';
import { teamsChannel } from '../src/teams/index.ts';
import { xChannel } from '../src/x/index.ts';
import { DriverError } from '../../drivers/src/index.ts';
import { any, containing, delivery } from './stage.ts';

const MB = 1024 * 1024;
const png = '\x89PNG\r\n\x1a\n';

/** What bounds each look at a file. */
const bounds = { maxBytes: 100 * MB, keepBytes: 4_096, maxRedirects: 0, timeoutMs: 600 };

/** A picture as a provider delivers it. */
interface Provider {
  readonly adapter: ChannelAdapter;
  readonly fields: JsonObject;
  /** A delivery of a user's picture at an address. */
  readonly bodyOf: (url: string) => JsonObject;
  /** Where the provider keeps files. */
  readonly own: string;
  /** What a look there is proved by; `undefined` where the address is enough. */
  readonly authorization: string | undefined;
}

const meta = { pageId: '1', accessToken: 'EAAB', appSecret: 'shh', verifyToken: 'right' };
const page = (url: string): JsonObject => ({
  entry: [
    {
      id: '1',
      messaging: [{ sender: { id: '24' }, timestamp: 1, message: { mid: 'm1', attachments: [{ type: 'image', payload: { url } }] } }],
    },
  ],
});
const direct = (url: string): JsonObject => ({
  for_user_id: '1',
  direct_message_events: [
    {
      type: 'message_create',
      id: '5',
      created_timestamp: '1',
      message_create: {
        sender_id: '2',
        message_data: { text: '', attachment: { type: 'media', media: { type: 'photo', media_url_https: url } } },
      },
    },
  ],
});
const serviceUrl = 'https://smba.example/emea/';
const activity = (attachment: JsonObject): JsonObject => ({
  type: 'message',
  id: '17',
  serviceUrl,
  from: { id: '29:1' },
  conversation: { id: 'a:1' },
  attachments: [attachment],
});
const shared = (file: JsonObject): JsonObject => ({
  type: 'event_callback',
  event: { type: 'message', user: 'U1', channel: 'D1', ts: '1.2', subtype: 'file_share', text: '', files: [file] },
});

const providers: { readonly [kind: string]: Provider } = {
  slack: {
    adapter: slackChannel,
    fields: { botToken: 'xoxb-1', signingSecret: 'shh' },
    bodyOf: (url) => shared({ id: 'F1', mimetype: 'image/png', url_private: url }),
    own: 'https://files.slack.com/files-pri/T1-F1/a.png',
    authorization: 'Bearer xoxb-1',
  },
  teams: {
    adapter: teamsChannel,
    fields: { appId: 'app', appPassword: 'shh' },
    bodyOf: (contentUrl) => activity({ contentType: 'image/png', contentUrl }),
    own: 'https://smba.example/emea/v3/attachments/1/views/original',
    authorization: 'Bearer of-the-app',
  },
  messenger: {
    adapter: messengerChannel,
    fields: meta,
    bodyOf: page,
    own: 'https://scontent.xx.fbcdn.net/1.png',
    authorization: undefined,
  },
  instagram: {
    adapter: instagramChannel,
    fields: meta,
    bodyOf: page,
    own: 'https://lookaside.fbsbx.com/ig_messaging_cdn/?asset_id=1',
    authorization: undefined,
  },
  x: {
    adapter: xChannel,
    fields: { consumerKey: 'k', consumerSecret: 's', accessToken: 't' },
    bodyOf: direct,
    own: 'https://pbs.twimg.com/media/1.png',
    authorization: undefined,
  },
};

interface FileAnswer {
  readonly status?: number;
  readonly bytes?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly fails?: DriverError;
  /** What is answered once the file is fetched. */
  readonly onFetch?: FileAnswer;
}

/** The message of a delivery, and every call about its file. */
async function read({ adapter, fields }: Provider, body: JsonObject, first: FileAnswer = {}) {
  let answer = first;
  const channel = adapter.connect({ companyId: '1', id: 'bot', channel: adapter.channels[0] ?? 'web', userIdFormat: 'open' }, fields);
  if ('unfitFields' in channel) throw new Error(channel.unfitFields.join());
  const calls: { readonly url: string; readonly authorization: unknown; readonly bounds: object }[] = [];
  const request: ChannelHost['dialer']['request'] = (call) => {
    const { url } = call;
    const isToken = url.startsWith('https://login.microsoftonline.com/');
    if (!isToken) {
      const { maxBytes, keepBytes, maxRedirects, timeoutMs } = call;
      calls.push({ url, authorization: call.headers?.['authorization'], bounds: { maxBytes, keepBytes, maxRedirects, timeoutMs } });
      if (answer.fails !== undefined) return Promise.reject(answer.fails);
    }
    const content = isToken ? Buffer.from('{"access_token":"of-the-app","expires_in":3600}') : Buffer.from(answer.bytes ?? png, 'latin1');
    const [status, headers] = isToken ? [200, {}] : [answer.status ?? 206, answer.headers ?? {}];
    return Promise.resolve({ status, headers, body: content, url, bytes: content.length, retryAfterMs: undefined });
  };
  const received = await channel.receive(delivery(body), { clock: { now: () => 0 }, dialer: { request } });
  const [event] = received.kind === 'events' ? received.events : [];
  const address = event !== undefined && 'user' in event ? event.user.address : undefined;
  const message = event?.kind === 'message' ? event.message : undefined;
  answer = first.onFetch ?? first;
  const fetch = () => channel.fetchFile({ message: message ?? {}, address }, { clock: { now: () => 0 }, dialer: { request } });
  return { message, calls, fetch };
}

describe.each(Object.entries(providers))('a picture that a user of %s sends', (_kind, provider) => {
  const { bodyOf, own, authorization } = provider;

  it('is looked at where the provider keeps it, as the bot where that is asked for', async () => {
    const { message, calls } = await read(provider, bodyOf(own));
    expect(calls).toEqual([{ url: own, authorization, bounds }]);
    expect(message).toMatchObject({ type: 'image', mediaUrl: own });
    expect(message).not.toHaveProperty('mediaError');
  });

  it.each([
    [100 * MB - 1, true],
    [100 * MB, true],
    [100 * MB + 1, false],
  ])('is handed on up to 100 MB: of %i bytes, %s', async (size, isHandedOn) => {
    const { message } = await read(provider, bodyOf(own), { headers: { 'content-range': `bytes 0-4095/${size}` } });
    expect(message).toMatchObject(
      isHandedOn ? { mediaUrl: own } : { mediaError: { code: 'MEDIA_TOO_LARGE', message: containing('104857600') } },
    );
    expect(message).toHaveProperty(isHandedOn ? 'mediaUrl' : 'mediaError');
    expect(message).not.toHaveProperty(isHandedOn ? 'mediaError' : 'mediaUrl');
  });

  it.each<[string, FileAnswer, string]>([
    ['is a page, such as that of a login', { bytes: '<!DOCTYPE html><html>' }, 'UNSUPPORTED_MEDIA_TYPE'],
    ['is another kind of file', { bytes: 'PK\x03\x04' }, 'UNSUPPORTED_MEDIA_TYPE'],
    ['is said to be another kind', { bytes: 'x', headers: { 'content-type': 'application/pdf' } }, 'UNSUPPORTED_MEDIA_TYPE'],
    ['is not there', { status: 404 }, 'INVALID_MEDIA_URL'],
    ['is somewhere else now', { status: 302, headers: { location: 'https://elsewhere.example/1' } }, 'INVALID_MEDIA_URL'],
    ['never ends', { fails: new DriverError('TOO_LARGE', 'More than 104857600 bytes came') }, 'MEDIA_TOO_LARGE'],
  ])('is not handed on, and says why, when it %s', async (_what, answer, code) => {
    const { message, calls } = await read(provider, bodyOf(own), answer);
    expect(message).toMatchObject({ type: 'image', mediaError: { code, message: any(String) } });
    expect(message).not.toHaveProperty('mediaUrl');
    expect(calls).toHaveLength(1);
  });

  it('keeps its address where no answer came in time, and says so', async () => {
    const { message } = await read(provider, bodyOf(own), { fails: new DriverError('TIMEOUT', 'No answer in 600 ms') });
    expect(message).toMatchObject({ mediaUrl: own, mediaError: { code: 'INVALID_MEDIA_URL', message: containing('600 ms') } });
  });

  it.each([
    'https://elsewhere.example/1.png',
    own.replace('https:', 'http:'),
    own.replace(/^https:\/\/([^/]+)/, 'https://$1.example'),
    own.replace(/^https:\/\/(?:[^/]+\.)?([\w-]+\.[\w-]+)\//, 'https://not$1/'),
  ])('at %s is called neither with the bot’s token nor without: it keeps its address, and says that nobody looked', async (url) => {
    const { message, calls } = await read(provider, bodyOf(url));
    expect(calls).toEqual([]);
    expect(message).toMatchObject({
      type: 'image',
      mediaUrl: url,
      mediaError: { code: 'INVALID_MEDIA_URL', message: containing(new URL(url).host) },
    });
  });

  it('is fetched whole when it is needed: 25 MB at most, as the bot, from where the provider keeps it alone', async () => {
    const { calls, fetch } = await read(provider, bodyOf(own), { status: 200, headers: { 'content-type': 'image/png' } });
    expect(await fetch()).toEqual({ content: Buffer.from(png, 'latin1'), contentType: 'image/png' });
    expect(calls.slice(1)).toEqual([{ url: own, authorization, bounds: { maxBytes: 25 * MB, maxRedirects: 0 } }]);

    const elsewhere = await read(provider, bodyOf('https://elsewhere.example/1.png'));
    expect(await elsewhere.fetch()).toMatchObject({ mediaError: { code: 'INVALID_MEDIA_URL' } });
    expect(elsewhere.calls).toEqual([]);
  });

  it.each<[string, FileAnswer, string]>([
    ['expired', { status: 404 }, 'INVALID_MEDIA_URL'],
    ['moved', { status: 302 }, 'INVALID_MEDIA_URL'],
    ['came in part', { status: 206 }, 'INVALID_MEDIA_URL'],
    ['is too large', { fails: new DriverError('TOO_LARGE', 'More than 26214400 bytes came') }, 'MEDIA_TOO_LARGE'],
    ['did not come in time', { fails: new DriverError('TIMEOUT', 'No answer') }, 'INVALID_MEDIA_URL'],
  ])('is not fetched, and says why, when it %s', async (_what, answer, code) => {
    const { fetch } = await read(provider, bodyOf(own), { onFetch: answer });
    expect(await fetch()).toMatchObject({ mediaError: { code, message: any(String) } });
  });

  it.each([own.replace(/^https:\/\//, 'https://user:pass@'), 'not an address', 'javascript:alert(1)', 'file:///etc/passwd'])(
    'at "%s" is handed on without that address, and says why',
    async (url) => {
      const { message, calls } = await read(provider, bodyOf(url));
      expect(calls).toEqual([]);
      expect(message).toMatchObject({ type: 'image', mediaError: { code: 'INVALID_MEDIA_URL', message: containing('http') } });
      expect(message).not.toHaveProperty('mediaUrl');
    },
  );
});

it('a picture in a direct message of X, which only the account may fetch, says so', async () => {
  const url = 'https://ton.twitter.com/1.1/ton/data/dm/1/2/a.jpg';
  const { message, calls } = await read(providers['x'] as Provider, direct(url));
  expect(calls).toEqual([]);
  expect(message).toMatchObject({ mediaUrl: url, mediaError: { code: 'INVALID_MEDIA_URL', message: containing('ton.twitter.com') } });
});

describe('a file of Slack', () => {
  const { slack } = providers as { readonly slack: Provider };
  const file = { id: 'F1', mimetype: 'application/pdf', url_private: slack.own };

  it.each([
    [100 * MB - 1, 1],
    [100 * MB, 1],
    [100 * MB + 1, 0],
  ])('whose size is told as %i bytes is fetched %i times', async (size, count) => {
    const { message, calls } = await read(slack, shared({ ...file, size }), { bytes: '%PDF-' });
    expect(calls).toHaveLength(count);
    expect(message).toMatchObject(count === 1 ? { mediaUrl: slack.own } : { mediaId: 'F1', mediaError: { code: 'MEDIA_TOO_LARGE' } });
  });

  it('that Slack tells no place of says so', async () => {
    const { message } = await read(slack, shared({ id: 'F2', file_access: 'check_file_info' }));
    expect(message).toMatchObject({ type: 'file', mediaId: 'F2', mediaError: { code: 'INVALID_MEDIA_URL', message: containing('Slack') } });
  });
});

describe('a file that is shared in Teams', () => {
  const { teams } = providers as { readonly teams: Provider };
  const downloadUrl = 'https://acme.sharepoint.example/download?tempauth=1';
  const file = activity({ contentType: 'application/vnd.microsoft.teams.file.download.info', name: 'b.pdf', content: { downloadUrl } });

  it('is looked at without the bot’s token: its address is the proof', async () => {
    const { message, calls } = await read(teams, file, { bytes: '%PDF-' });
    expect(calls).toEqual([{ url: downloadUrl, authorization: undefined, bounds }]);
    expect(message).toMatchObject({ type: 'file', filename: 'b.pdf', mediaUrl: downloadUrl });
  });

  it('that is too large says so', async () => {
    const { message } = await read(teams, file, { headers: { 'content-range': `bytes 0-4095/${100 * MB + 1}` } });
    expect(message).toMatchObject({ filename: 'b.pdf', mediaError: { code: 'MEDIA_TOO_LARGE' } });
  });
});
