import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createVirtualClock } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { createDialer } from '../src/index.ts';
import { codeOf, dialer, during, failureOf, timeoutMs } from './dialers.ts';
import { startHttp } from './local-servers.ts';

const ok = (text = 'ok') => startHttp((_request, response) => response.end(text));

describe('a call', () => {
  it('reaches what is listed and brings back status, headers and body', async () => {
    const server = await during(
      startHttp((_request, response) => {
        const twice = { 'Set-Cookie': ['a=1', 'b=2'], 'Content-Type': ['text/a', 'text/b'], 'Retry-After': ['7', '9'] };
        response.writeHead(418, { 'X-Kind': 'teapot', ...twice });
        response.end('short and stout');
      }),
    );
    const url = `http://${server.host}/pot?size=small#ignored`;
    const request = { method: 'PUT', url, headers: { 'X-Name': 'tea' }, body: 'ä', timeoutMs } as const;
    const { status, headers, body, url: final, retryAfterMs } = await dialer({ allow: [server.host] }).request(request);
    expect({ status, text: Buffer.from(body).toString(), final, retryAfterMs }).toEqual({
      status: 418,
      text: 'short and stout',
      final: url,
      retryAfterMs: 7_000,
    });
    expect(headers).toMatchObject({ 'x-kind': 'teapot', 'set-cookie': 'a=1, b=2', 'content-type': 'text/a', 'retry-after': '7' });
    expect(server.received).toMatchObject([
      { method: 'PUT', url: '/pot?size=small', body: 'ä', headers: { host: server.host, 'x-name': 'tea', 'content-length': '2' } },
    ]);
  });

  it('reuses its connections, and has no more of them than it may (P24)', async () => {
    const server = await during(ok());
    const bounded = dialer({ allow: [server.host], connectionsPerOrigin: 2 });
    const call = () => bounded.request({ method: 'GET', url: `http://${server.host}/`, timeoutMs });
    await Promise.all(Array.from({ length: 20 }, call));
    await call();
    expect([server.received.length, server.connections.length]).toEqual([21, 2]);
  });

  it('uses no proxy of the environment (P30)', async () => {
    const [server, proxy] = [await during(ok()), await during(ok('from the proxy'))];
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'] as const;
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://${proxy.host}`;
    try {
      const { body } = await dialer({ allow: [server.host] }).request({ method: 'GET', url: `http://${server.host}/`, timeoutMs });
      expect(Buffer.from(body).toString()).toBe('ok');
    } finally {
      for (const [index, name] of names.entries()) {
        const value = before[index];
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
    expect(proxy.connections).toEqual([]);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('unpacks %s, and stops where the limit is (P16)', async (encoding, pack) => {
    const bodies = { '/': pack('a'.repeat(5_000)), '/bomb': pack(Buffer.alloc(2_000_000)), '/lie': Buffer.from('plain') };
    const server = await during(
      startHttp(({ url }, response) => {
        response.setHeader('content-encoding', encoding);
        response.end(bodies[url as keyof typeof bodies]);
      }),
    );
    const { request } = dialer({ allow: [server.host] });
    const call = (path: keyof typeof bodies) =>
      request({ method: 'GET', url: `http://${server.host}${path}`, timeoutMs, maxBytes: 100_000 });
    const { headers, body } = await call('/');
    expect([Buffer.from(body).toString(), headers['content-encoding']]).toEqual(['a'.repeat(5_000), undefined]);
    expect(await codeOf(call('/bomb'))).toEqual(['TOO_LARGE', true]);
    expect(await codeOf(call('/lie'))).toEqual(['RESET', true]);
  });

  it('reads a body up to its limit, and not one byte more (P16)', async () => {
    const server = await during(ok('x'.repeat(1_000)));
    const { request } = dialer({ allow: [server.host] });
    const call = (maxBytes: number) => request({ method: 'GET', url: `http://${server.host}/`, timeoutMs, maxBytes });
    expect((await call(1_000)).body.length).toBe(1_000);
    expect(await codeOf(call(999))).toEqual(['TOO_LARGE', true]);
  });

  it('answers a HEAD, and a status without a body', async () => {
    const server = await during(startHttp(({ method }, response) => response.writeHead(method === 'HEAD' ? 200 : 204).end()));
    const { request } = dialer({ allow: [server.host] });
    const statuses = (['HEAD', 'DELETE', 'OPTIONS'] as const).map(async (method) => {
      const { status, body } = await request({ method, url: `http://${server.host}/`, timeoutMs });
      return [status, body.length];
    });
    expect(await Promise.all(statuses)).toEqual([
      [200, 0],
      [204, 0],
      [204, 0],
    ]);
  });
});

describe('a call that may not be', () => {
  it.each([
    ['a private address', 'http://10.1.2.3/', {}, 'EGRESS_REFUSED'],
    ['loopback', 'http://127.0.0.1/', {}, 'EGRESS_REFUSED'],
    ['a name of this machine', 'http://localhost/', {}, 'EGRESS_REFUSED'],
    ['a name that hides a private address', 'https://rebind.test/', {}, 'EGRESS_REFUSED'],
    ['a port that nobody listed', 'https://api.test:9200/', {}, 'EGRESS_REFUSED'],
    ['credentials in the address', 'https://a:b@api.test/', {}, 'BAD_URL'],
    ['another scheme', 'ftp://api.test/', {}, 'BAD_URL'],
    ['no address at all', 'api.test', {}, 'BAD_URL'],
    ['a Host of its own', 'http://listed.test:80/', { Host: 'other.test' }, 'EGRESS_REFUSED'],
    ['a length of its own', 'http://listed.test/', { 'Content-Length': '5' }, 'EGRESS_REFUSED'],
    ['a transfer encoding', 'http://listed.test/', { 'transfer-encoding': 'chunked' }, 'EGRESS_REFUSED'],
    ['a connection header', 'http://listed.test/', { Connection: 'x-a' }, 'EGRESS_REFUSED'],
    ['an upgrade', 'http://listed.test/', { Upgrade: 'websocket' }, 'EGRESS_REFUSED'],
    ['an expectation', 'http://listed.test/', { Expect: '100-continue' }, 'EGRESS_REFUSED'],
    ['the metadata header of a cloud', 'http://listed.test/', { Metadata: 'true' }, 'EGRESS_REFUSED'],
    ['another metadata header', 'http://listed.test/', { 'metadata-flavor': 'Google' }, 'EGRESS_REFUSED'],
    ['a line break in a value', 'http://listed.test/', { 'x-a': 'a\r\nx-b: 1' }, 'EGRESS_REFUSED'],
    ['a NUL in a value', 'http://listed.test/', { 'x-a': '\0' }, 'EGRESS_REFUSED'],
    ['a letter no header has', 'http://listed.test/', { 'x-a': '☃' }, 'EGRESS_REFUSED'],
    ['a line break in a name', 'http://listed.test/', { 'x-a\r\nx-b': '1' }, 'EGRESS_REFUSED'],
    ['a name with a blank', 'http://listed.test/', { 'x a': '1' }, 'EGRESS_REFUSED'],
    ['a name without a letter', 'http://listed.test/', { '': '1' }, 'EGRESS_REFUSED'],
    ['one header in two spellings', 'http://listed.test/', { 'X-A': '1', 'x-a': '2' }, 'EGRESS_REFUSED'],
  ])('is refused before anything is sent: %s (P30, T11, T16)', async (_, url, headers, code) => {
    const warnings: string[] = [];
    const { request } = dialer({ allow: ['listed.test:80'], log: { warn: (_fields, message) => void warnings.push(message) } });
    expect(await codeOf(request({ method: 'POST', url, headers, timeoutMs }))).toEqual([code, false]);
    expect(warnings.length).toBe(code === 'EGRESS_REFUSED' ? 1 : 0);
  });

  it('says nothing of its path, query and headers (P31)', async () => {
    const { request } = dialer({});
    const headers = { 'x-a': 'canary\n' };
    for (const url of [
      'http://10.0.0.1/canary?k=canary',
      'ftp://api.test/canary',
      'https://u:canary@api.test/',
      'http://api.test:1/canary',
    ]) {
      expect((await failureOf(request({ method: 'GET', url, headers, timeoutMs }))).message).not.toContain('canary');
    }
  });
});

describe('a name', () => {
  const get = (url: string, resolve: (name: string) => Promise<readonly string[]>) =>
    dialer({ resolve }).request({ method: 'GET', url, timeoutMs });

  it('is refused when every one of its addresses is private (P30)', async () => {
    const failure = await failureOf(get('https://inside.test/', () => Promise.resolve(['10.0.0.1', 'fd00::1'])));
    expect([failure.code, failure.wasSent, failure.message]).toEqual([
      'EGRESS_REFUSED',
      false,
      'inside.test has no public address: only those can be called',
    ]);
  });

  it('tells nobody but the log where it leads inside, and what is repeated in a minute is one line there (T17, P22)', async () => {
    const message = 'inside.test has no public address: only those can be called';
    const lines: object[] = [];
    const clock = createVirtualClock();
    const resolve = (name: string) => Promise.resolve([name.startsWith('inside') ? '10.1.2.3' : '10.9.9.9']);
    const outside = createDialer({ resolve, clock, log: { warn: (fields, message) => void lines.push({ ...fields, message }) } });
    const call = (name: string, scope: string, mayLog = true) =>
      failureOf(outside.request({ method: 'GET', url: `https://${name}/`, timeoutMs, scope, mayLog: () => mayLog }));
    for (let n = 0; n < 50; n += 1) {
      const failure = await call('inside.test', '1');
      expect([failure.message, String(failure), failure.logOnly]).toEqual([message, `DriverError: ${message}`, { address: '10.1.2.3' }]);
    }
    for (let n = 0; n < 50; n += 1) await call(`other-${n}.test`, '1');
    await call('inside.test', '2');
    await call('inside.test', '3', false);
    expect(lines.length).toBe(21); // 20 different ones of the first company, and that of the second
    expect(lines[0]).toEqual({ code: 'EGRESS_REFUSED', scope: '1', address: '10.1.2.3', message });
    expect(lines[20]).toMatchObject({ scope: '2', message });
    clock.advanceBy(60_000);
    await call('inside.test', '1');
    expect(lines.slice(21)).toMatchObject([{ scope: '1', calls: 49 + 31 }, { message }]);
  });

  it.each(['::ffff:127.0.0.1', '64:ff9b::7f00:1', '0.0.0.0', '169.254.169.254', 'fe80::1%lo', 'nonsense'])(
    'is refused at %s (P30)',
    async (address) => {
      expect(await codeOf(get('http://inside.test/', () => Promise.resolve([address])))).toEqual(['EGRESS_REFUSED', false]);
    },
  );

  it('without an address is DNS_FAILED', async () => {
    expect(await codeOf(get('https://gone.test/', () => Promise.reject(new Error('ENOTFOUND'))))).toEqual(['DNS_FAILED', false]);
    expect(await codeOf(get('https://gone.test/', () => Promise.resolve([])))).toEqual(['DNS_FAILED', false]);
  });

  it('is refused by the system resolver as by any other (P30)', async () => {
    expect(await codeOf(createDialer().request({ method: 'GET', url: 'http://localhost/', timeoutMs }))).toEqual(['EGRESS_REFUSED', false]);
  });
});
