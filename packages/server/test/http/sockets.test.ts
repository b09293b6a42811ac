import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listening, listen, type ListenOptions } from '../../src/platform/http/listen.ts';
import { listenOnSocket } from '../../src/platform/local-socket/listen-on-socket.ts';
import { socketEntries } from '../../src/platform/local-socket/socket-folder.ts';
import { ana, frames, listenOver, setStage, type Stage } from './calls.ts';
import { order } from './canvases.ts';
import { keys } from './fake-service.ts';
import { sendRaw } from './raw-socket.ts';

describe.each(frames)('over %s', (frame) => {
  let stage: Stage;
  let server: Listening;

  beforeAll(async () => {
    stage = await setStage();
    await stage.service.keep(order());
    server = await listenWith({});
  });
  afterAll(async () => {
    await server.close(0);
    await stage.service.close();
  });

  const listenWith = (options: Partial<ListenOptions>): Promise<Listening> => listenOver(frame, stage, options);

  const path = '/workflows/v2/webhooks/skill/order/whatsapp/hook';
  const user = JSON.stringify({ user: { id: ana } });
  const head = (lines: readonly string[] = [], first = `POST ${path} HTTP/1.1`): string =>
    [first, 'Host: localhost', `X-Api-Key: ${keys.acme}`, 'Content-Type: application/json', 'Connection: close', ...lines, '', ''].join(
      '\r\n',
    );
  /** A request head of this many bytes. */
  const headOf = (bytes: number, lines: readonly string[] = []): string =>
    head([...lines, `X-Long: ${'a'.repeat(bytes - head([...lines, 'X-Long: ']).length)}`]);
  const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  const started = async (): Promise<number> => (await stage.service.store.executions.list('1', { limit: 200 })).results.length;
  const send = (...parts: Parameters<typeof sendRaw> extends [number, ...infer Rest] ? Rest : never) => sendRaw(server.port, ...parts);

  describe('a valid request', () => {
    it.each([
      ['a length', [head([`Content-Length: ${user.length}`]), user]],
      ['chunks', [head(['Transfer-Encoding: chunked']), chunk(user.slice(0, 5)), chunk(user.slice(5)), '0\r\n\r\n']],
      ['a question before the body', [head([`Content-Length: ${user.length}`, 'Expect: 100-continue']), user]],
      ['a body in single bytes', [head([`Content-Length: ${user.length}`]), ...user.split('')]],
      ['a head of 16 KB', [headOf(16_384, [`Content-Length: ${user.length}`]), user]],
      ['the key in another case', [head([`Content-Length: ${user.length}`]).replace('X-Api-Key', 'x-API-key'), user]],
      [
        'a part of the path encoded once',
        [head([`Content-Length: ${user.length}`], `POST ${path.replace('order', '%6frder')} HTTP/1.1`), user],
      ],
      ['a whole address', [head([`Content-Length: ${user.length}`], `POST http://localhost${path} HTTP/1.1`), user]],
      ['a whole address in capitals', [head([`Content-Length: ${user.length}`], `POST HTTPS://LOCALHOST:8080${path} HTTP/1.1`), user]],
      ['a whole address of another host', [head([`Content-Length: ${user.length}`], `POST http://b.example${path} HTTP/1.1`), user]],
    ])('is accepted with %s', async (_what, parts) => {
      const before = await started();
      const answer = await send(...parts);
      expect(answer.text.includes('HTTP/1.1 200 OK') && answer.text).toContain('"success":true');
      expect(await started()).toBe(before + 1);
    });
  });

  describe('what no client library sends', () => {
    const length = `Content-Length: ${user.length}`;
    it.each([
      ['no HTTP at all', ['hello\r\n\r\n'], 400],
      ['TLS', [Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00])], 400],
      ['another protocol version', [`GET ${path} HTTP/3.7\r\n\r\n`], 400],
      ['no host', [head([length]).replace('Host: localhost\r\n', ''), user], 400],
      ['an empty host', [head([length]).replace('Host: localhost', 'Host:'), user], 400],
      ['two hosts', [head([length, 'Host: evil.example']), user], 400],
      ['a host that is none', [head([length]).replace('localhost', 'a b'), user], 400],
      ['a host with a user', [head([length]).replace('localhost', 'x@localhost'), user], 400],
      ['a whole address with a user', [head([length], `POST http://x@localhost${path} HTTP/1.1`), user], 400],
      ['a whole address without a host', [head([length], `POST http://${path} HTTP/1.1`), user], 400],
      ['a whole address of another protocol', [head([length], `POST ftp://localhost${path} HTTP/1.1`), user], 400],
      [
        'a whole address and no host',
        [head([length], `POST http://localhost${path} HTTP/1.1`).replace('Host: localhost\r\n', ''), user],
        400,
      ],
      ['a whole address and two hosts', [head([length, 'Host: b'], `POST http://localhost${path} HTTP/1.1`), user], 400],
      ['a whole address with a dot segment', [head([length], 'POST http://localhost/workflows/../admin/v1/nodes HTTP/1.1'), user], 404],
      ['a whole address with two slashes', [head([length], `POST http://localhost/${path} HTTP/1.1`), user], 404],
      ['a star', [head([], 'OPTIONS * HTTP/1.1')], 400],
      ['a path without a slash', [head([length], 'POST workflows HTTP/1.1'), user], 400],
      ['a blank in the path', [head([length], `POST ${path} x HTTP/1.1`), user], 400],
      ['an address of 9 KB', [head([], `GET ${path}?${'a'.repeat(9_000)} HTTP/1.1`)], 400],
      ['a head of 16 KB and a byte', [headOf(16_385)], 400],
      ['a head of 17 KB', [head([`X-Long: ${'a'.repeat(17_000)}`])], 400],
      ['many heads of 17 KB', [head(Array.from({ length: 600 }, (_, n) => `X-Many-${n}: ${'a'.repeat(20)}`))], 400],
      ['a blank before a colon', [head(['X-Shop : a'])], 400],
      ['a folded header', [head(['X-Shop: a\r\n b'])], 400],
      ['a NUL in a header', [head(['X-Shop: a\0b'])], 400],
      ['a bare line feed', [head([]).replaceAll('\r\n', '\n').replace('\n\n', '\n \n\n')], 400],
      ['two lengths', [head([length, 'Content-Length: 5']), user], 400],
      ['a length and chunks', [head([length, 'Transfer-Encoding: chunked']), user], 400],
      ['a length that is negative', [head(['Content-Length: -1']), user], 400],
      ['a length in words', [head(['Content-Length: ten']), user], 400],
      ['a length with a plus', [head(['Content-Length: +5']), user], 400],
      ['an encoding of nobody', [head(['Transfer-Encoding: chunked, gzip']), user], 400],
      ['chunks of what is compressed', [head(['Transfer-Encoding: gzip, chunked']), chunk(user), '0\r\n\r\n'], 400],
      ['chunks of nobody', [head(['Transfer-Encoding: , chunked']), chunk(user), '0\r\n\r\n'], 400],
      ['chunks that are not', [head(['Transfer-Encoding: chunked']), 'zz\r\n'], 400],
      ['a chunk longer than it says', [head(['Transfer-Encoding: chunked']), '2\r\nabcdef\r\n'], 400],
      ['an expectation of nobody', [head([length, 'Expect: coffee']), user], 400],
      ['two keys', [head([length, `X-Api-Key: ${keys.acme}`]), user], 401],
      ['a key and an empty one', [head([length, 'X-Api-Key:']), user], 401],
      ['TRACE', [head([], `TRACE ${path} HTTP/1.1`)], 405],
      ...['executions', 'contacts/import'].map((below): [string, string[], number] => [
        `TRACE of an operator: ${below}`,
        [head([`Authorization: Bearer ${keys.admin}`], `TRACE /admin/v1/${below} HTTP/1.1`)],
        404,
      ]),
      ['a length over the limit', [head(['Content-Length: 1048577'])], 413],
      ['a length over all that are exact', [head(['Content-Length: 9007199254740993'])], 413],
      ['a length over all numbers', [head(['Content-Length: 99999999999999999999999'])], 400],
      ['a dot segment', [head([length], 'POST /workflows/../admin/v1/nodes HTTP/1.1'), user], 404],
      ['a dot segment encoded', [head([length], 'POST /workflows/%2e%2E/admin/v1/nodes HTTP/1.1'), user], 404],
      ['a single dot', [head([length], `POST /.${path} HTTP/1.1`), user], 404],
      ['a backslash', [head([length], `POST ${path.replace('/order', '\\order')} HTTP/1.1`), user], 404],
      ['two slashes', [head([length], `POST /${path} HTTP/1.1`), user], 404],
      ['a fragment', [head([length], `POST ${path}#x HTTP/1.1`), user], 404],
    ])('is refused in shape: %s', async (_what, parts, status) => {
      const before = await started();
      const answer = await send(...parts);
      expect({ status: answer.status, body: answer.body }).toEqual({
        status,
        body: { error: expect.any(String) as unknown, message: expect.any(String) as unknown },
      });
      expect(await started()).toBe(before);
    });

    it('is refused as soon as it is too large, before the rest arrives (P33)', async () => {
      const part = chunk('x'.repeat(64 * 1024));
      const answer = await send(head(['Transfer-Encoding: chunked']), ...Array.from({ length: 17 }, () => part));
      expect(answer).toMatchObject({ status: 413, body: { error: 'INVALID_REQUEST' } });
    });

    it('answers Connection: close when the rest of a body is not read (P32)', async () => {
      const part = chunk('x'.repeat(64 * 1024));
      const kept = head(['Transfer-Encoding: chunked']).replace('Connection: close\r\n', '');
      const { status, text } = await send(kept, ...Array.from({ length: 17 }, () => part));
      expect(status).toBe(413);
      expect(text).toMatch(/^connection: close\r$/im);
    });

    it.each([
      ['of an announced length', 413, 'Content-Length: 1048577'],
      ['of an encoding', 400, 'Content-Encoding: gzip\r\nContent-Length: 500'],
    ])('answers Connection: close when a body is refused by its head: %s (P32)', async (_what, refused, line) => {
      const { status, text } = await send(head([line]).replace('Connection: close\r\n', ''), user);
      expect(status).toBe(refused);
      expect(text).toMatch(/^connection: close\r$/im);
    });

    it.each([
      ['announced', [head(['Content-Length: 500']), user]],
      ['in chunks', [head(['Transfer-Encoding: chunked']), chunk(user)]],
    ])('has no consequence when the body is cut: %s (P2)', async (_what, parts) => {
      const before = await started();
      await send(...parts, null);
      expect(await started()).toBe(before);
    });

    it.each([
      ['a head of 20 KB', head([`X-Long: ${'a'.repeat(20_000)}`])],
      ['two lengths', head(['Content-Length: 1', 'Content-Length: 2'])],
      ['a NUL in a header', head(['X-Shop: a\0b'])],
    ])('is refused in shape behind a request that was answered: %s (P33)', async (_what, bad) => {
      const first = head([`Content-Length: ${user.length}`]).replace('Connection: close\r\n', '');
      const socket = connect(server.port, '127.0.0.1');
      let text = '';
      socket.on('data', (bytes: Buffer) => {
        const isFirst = text === '';
        text += bytes.toString();
        if (isFirst) setImmediate(() => socket.write(bad));
      });
      socket.write(`${first}${user}`);
      await new Promise((resolve) => socket.once('close', resolve));
      const [answered, refused = ''] = text.split(/(?=HTTP\/1\.1 400)/);
      expect(answered).toMatch(/^HTTP\/1\.1 200/);
      expect(JSON.parse(refused.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: 'INVALID_REQUEST' });
    });

    it.each([
      ['no request', ['not a request\r\n\r\n']],
      ['much that is no request', Array.from({ length: 30 }, () => 'not a request\r\n\r\n'.repeat(500))],
      ['a tunnel', ['CONNECT host.example:443 HTTP/1.1\r\nHost: host.example:443\r\n\r\n']],
      ['a body in bad chunks', [head(['Transfer-Encoding: chunked']), 'zz\r\n']],
      ['a head that is too large', [head([`X-Long: ${'a'.repeat(20_000)}`])]],
    ])('answers what is at work, and only then %s that comes behind it (P2)', async (_what, behind) => {
      const before = await started();
      const kept = head([`Content-Length: ${user.length}`]).replace('Connection: close\r\n', '');
      const { text } = await send(`${kept}${user}${kept}${user}`, ...behind);
      // The refusal is lost where more comes when the connection has ended.
      expect(text.match(/HTTP\/1\.1 \d+/g)?.join()).toMatch(/^HTTP\/1\.1 200,HTTP\/1\.1 200(?:,HTTP\/1\.1 400)?$/);
      expect(await started()).toBe(before + 2);
    });

    it.each([
      ['another coding', [head(['Transfer-Encoding: xchunked']), user]],
      ['a close', [head([`Content-Length: ${user.length}`]), user, 'not a request\r\n\r\n']],
    ])('gives one answer where it closes the connection itself: %s', async (_what, parts) => {
      const { text } = await send(...parts);
      expect(text.match(/HTTP\/1\.1 \d+/g)).toHaveLength(1);
    });
  });

  describe('a slow request', () => {
    it.each([
      ['a head', [`POST ${path} HTTP/1.1\r\nHost: localhost\r\n`]],
      ['a body', [head(['Content-Length: 10']), '{']],
    ])('is answered and cut: %s (P33)', async (_what, parts) => {
      const hasty = await listenWith({ headMs: 500, bodyMs: 20 });
      const answer = await sendRaw(hasty.port, ...parts);
      expect(answer).toMatchObject({ status: 408, body: { error: 'INVALID_REQUEST' } });
      await hasty.close(0);
    });

    it('has its own time for a body, from the end of the head (P33)', async () => {
      const hasty = await listenWith({ headMs: 60_000, bodyMs: 20 });
      const answer = await sendRaw(hasty.port, head(['Content-Length: 10']), '{');
      expect(answer).toMatchObject({ status: 408, body: { message: 'The request did not come whole in time' } });
      await hasty.close(0);
    });
  });

  describe('a connection that is opened in advance, as browsers do', () => {
    const live = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
    /** Long enough for a busy machine to bring the beginning of a request in it. */
    const headMs = 500;
    const openHasty = () => listen(() => Response.json({ status: 'ok' }), { port: 0, host: '127.0.0.1', headMs, bodyMs: 20 });

    it('is closed without a word where nothing came on it', async () => {
      const hasty = await openHasty();
      expect((await sendRaw(hasty.port)).text).toBe('');
      await hasty.close(0);
    });

    it.each([
      ['one letter', 'G'],
      ['a line', 'GET / HTTP/1.1\r\n'],
      ['a head without its end', live.slice(0, -1)],
    ])('is answered 408 where a request began on it: %s', async (_what, part) => {
      const hasty = await openHasty();
      expect(await sendRaw(hasty.port, part)).toMatchObject({ status: 408, body: { message: 'The request did not come whole in time' } });
      await hasty.close(0);
    });

    it('stays open between requests, however late the next one is', async () => {
      const hasty = await openHasty();
      const socket = connect(hasty.port, '127.0.0.1');
      const texts: string[] = [];
      const ask = () =>
        new Promise<void>((resolve) => {
          socket.once('data', (bytes: Buffer) => resolve(void texts.push(bytes.toString())));
          socket.write(live);
        });
      await ask();
      const spare = await sendRaw(hasty.port); // ends once the time for a head is over for both
      await ask();
      expect([spare.text, ...texts.map((text) => text.slice(0, 15))]).toEqual(['', 'HTTP/1.1 200 OK', 'HTTP/1.1 200 OK']);
      socket.destroy();
      await hasty.close(0);
    });

    it('gets one 408 where the next request stops', async () => {
      const hasty = await openHasty();
      const socket = connect(hasty.port, '127.0.0.1');
      let text = '';
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.once('data', () => socket.write('GET / HT'));
      socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
      socket.write(live);
      await closed;
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 408']);
      await hasty.close(0);
    });

    it('is closed without a word where there is no place for it, and refused once a request comes', async () => {
      const answerWhenFull = async (withinMs: number, ...parts: readonly string[]) => {
        let isAsked = (): void => {};
        const asked = new Promise<void>((resolve) => (isAsked = resolve));
        const never = () => (isAsked(), new Promise<Response>(() => {}));
        const full = await listen(never, { port: 0, host: '127.0.0.1', headMs: withinMs, connections: 2 });
        const busy = sendRaw(full.port, live);
        await asked;
        const answer = await sendRaw(full.port, ...parts);
        await full.close(0);
        await busy;
        return answer;
      };
      expect((await answerWhenFull(20)).text).toBe('');
      expect(await answerWhenFull(10_000, live)).toMatchObject({ status: 503, body: { error: 'UNAVAILABLE' } });
    });

    it('is closed without a word by the socket of the data directory too', async () => {
      const data = await mkdtemp(join(tmpdir(), 'hilo-spare-'));
      const listening = await listenOnSocket(() => new Response('ok'), data, { headMs });
      const [entry] = await socketEntries(data);
      const heard = (...parts: readonly string[]) =>
        new Promise<string>((resolve) => {
          let text = '';
          const socket = connect(entry?.address ?? '');
          socket.on('data', (bytes: Buffer) => (text += bytes.toString())).once('close', () => resolve(text));
          for (const part of parts) socket.write(part);
        });
      expect(await heard()).toBe('');
      expect(await heard('GET / HT')).toMatch(/^HTTP\/1\.1 408/);
      const close = 'connection: close\r\n\r\n';
      expect(await heard(`GET /store HTTP/1.1\r\n${close}`)).toMatch(/^HTTP\/1\.1 200/);
      for (const refused of [`GET / HTTP/1.1\r\nhost: a/b\r\n${close}`, 'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n', '\0\0\0\0'])
        expect(await heard(refused)).toMatch(/^HTTP\/1\.1 400[^]*"error":"INVALID_REQUEST"/);
      await listening.close(0);
      await rm(data, { recursive: true });
    });
  });

  describe('what old clients send', () => {
    it('is accepted as HTTP/1.0 without a host', async () => {
      const answer = await send('GET /health/live HTTP/1.0\r\n\r\n');
      expect(answer).toMatchObject({ status: 200, body: { status: 'ok' } });
    });

    it('authenticates no caller for lack of a host (P27)', async () => {
      const answer = await send('GET /admin/v1/nodes HTTP/1.0\r\n\r\n');
      expect(answer.status).toBe(401);
    });

    it('is answered when it asks for a tunnel', async () => {
      const answer = await send('CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n');
      expect(answer).toMatchObject({ status: 400, body: { error: 'INVALID_REQUEST' } });
    });
  });

  describe('a server that closes (P25)', () => {
    it('finishes requests in progress, and then accepts no more', async () => {
      let release = (): void => {};
      let isAsked = (): void => {};
      const [asked, held] = [new Promise<void>((resolve) => (isAsked = resolve)), new Promise<void>((resolve) => (release = resolve))];
      const slow = await listen(async () => (isAsked(), await held, new Response('done')), { port: 0, host: '127.0.0.1' });
      const answer = sendRaw(slow.port, head([]));
      await asked;
      const closed = slow.close(60_000);
      release();
      expect((await answer).text).toContain('done');
      await closed;
      await expect(
        new Promise((resolve, reject) => connect(slow.port, '127.0.0.1', () => resolve('open')).on('error', reject)),
      ).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    });

    it('cuts what does not end in time', async () => {
      let isAsked = (): void => {};
      const asked = new Promise<void>((resolve) => (isAsked = resolve));
      const stuck = await listen(() => (isAsked(), new Promise<Response>(() => {})), { port: 0, host: '127.0.0.1' });
      const answer = sendRaw(stuck.port, head([]));
      await asked;
      await stuck.close(1);
      expect((await answer).text).toBe('');
    });

    it('reports an address in use', async () => {
      await expect(listen(stage.app.fetch, { port: server.port, host: '127.0.0.1' })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    });
  });
});
