import { once } from 'node:events';
import { Socket } from 'node:net';
import { createVirtualClock } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { createConnector } from '../src/dialer/connect.ts';
import { codeOf, dialer, during, failureOf, timeoutMs } from './dialers.ts';
import { freePort } from '../../stores/test/free-port.ts';
import { startHttp, startTcp } from './local-servers.ts';

const head = 'HTTP/1.1 200 OK\r\n';

/** A server that answers each request with these bytes, and then may hang up. */
const answering = (bytes: string, then?: 'end' | 'reset') =>
  during(
    startTcp((socket) => {
      socket.once('data', () => {
        socket.write(bytes, () => {
          if (then === 'end') socket.end();
          if (then === 'reset') socket.resetAndDestroy();
        });
      });
    }),
  );

describe('a server that', () => {
  it.each([
    ['hangs up without an answer', '', 'end', 'RESET'],
    ['resets without an answer', '', 'reset', 'RESET'],
    ['hangs up in the head', `${head}Content-Le`, 'end', 'RESET'],
    ['resets in the body', `${head}Content-Length: 10\r\n\r\nhalf`, 'reset', 'RESET'],
    ['says more than it sends', `${head}Content-Length: 10\r\n\r\nhalf`, 'end', 'RESET'],
    ['says more than it sends and closes', `${head}Connection: close\r\nContent-Length: 10\r\n\r\nhalf`, 'end', 'RESET'],
    ['ends in a chunk', `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nab`, 'end', 'RESET'],
    ['has a chunk without a length', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, undefined, 'RESET'],
    ['says two lengths', `${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, undefined, 'RESET'],
    ['says a length and chunks', `${head}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, undefined, 'RESET'],
    ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', undefined, 'RESET'],
    ['has endless headers', `${head}X-Long: ${'x'.repeat(40_000)}`, undefined, 'TOO_LARGE'],
    ['has endless names', `${head}${'X: y\r\n'.repeat(10_000)}`, undefined, 'TOO_LARGE'],
    ['says it is too long', `${head}Content-Length: 99999999\r\n\r\n${'x'.repeat(2_000)}`, undefined, 'TOO_LARGE'],
  ] as const)('%s leaves nobody knowing what came of the call (P5)', async (_, bytes, then, code) => {
    const server = await answering(bytes, then);
    const call = dialer({ allow: [server.host] }).request({
      method: 'POST',
      url: `http://${server.host}/`,
      body: 'a',
      timeoutMs,
      maxBytes: 1_000,
    });
    expect(await codeOf(call)).toEqual([code, true]);
  });

  it('sends more than it said is believed up to what it said', async () => {
    const server = await answering(`${head}Content-Length: 4\r\n\r\nhalfHTTP/1.1 200 OK\r\n\r\n`, 'end');
    const { request } = dialer({ allow: [server.host] });
    const { body } = await request({ method: 'GET', url: `http://${server.host}/`, timeoutMs });
    expect(Buffer.from(body).toString()).toBe('half');
  });

  it('never ends is cut at the limit, and its connection is closed (P16)', async () => {
    const server = await during(
      startTcp((socket) => {
        const pour = (): boolean => socket.writable && socket.write('x'.repeat(65_536), () => setImmediate(pour));
        socket.once('data', () => socket.write(`${head}Transfer-Encoding: identity\r\n\r\n`, () => pour()));
      }),
    );
    const call = dialer({ allow: [server.host] }).request({ method: 'GET', url: `http://${server.host}/`, timeoutMs });
    expect(await codeOf(call)).toEqual(['TOO_LARGE', true]);
    const [connection] = server.connections;
    // A server that is still writing hears of the end as an error, which `once` would take for a failure.
    if (connection?.destroyed === false) await new Promise((resolve) => connection.once('close', resolve));
  });

  it('sends its body byte by byte is read to the end (P16)', async () => {
    const body = '1\r\nx\r\n'.repeat(100_000);
    const server = await answering(`${head}Transfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`);
    const answer = await dialer({ allow: [server.host] }).request({ method: 'GET', url: `http://${server.host}/`, timeoutMs });
    expect([answer.body.length, Buffer.from(answer.body).toString().replaceAll('x', '')]).toEqual([100_000, '']);
  });

  it('is not there is CONNECT_FAILED, and nothing was sent', async () => {
    const port = await freePort();
    const call = dialer({ allow: [`127.0.0.1:${port}`] }).request({ method: 'POST', url: `http://127.0.0.1:${port}/`, timeoutMs });
    const failure = await failureOf(call);
    expect([failure.code, failure.wasSent, failure.message]).toEqual([
      'CONNECT_FAILED',
      false,
      `127.0.0.1:${port} did not take the connection (ECONNREFUSED)`,
    ]);
  });

  it('closes a kept connection gets the next call over another', async () => {
    const server = await during(startHttp((_request, response) => response.end('ok')));
    const { request } = dialer({ allow: [server.host] });
    const call = async () => (await request({ method: 'POST', url: `http://${server.host}/`, timeoutMs })).status;
    expect(await call()).toBe(200);
    const [first] = server.connections;
    if (first === undefined) throw new Error('There was no connection');
    first.destroy();
    await once(first, 'close');
    expect(await call()).toBe(200);
    expect([server.received.length, server.connections.length]).toEqual([2, 2]); // and it was sent once
  });
});

describe('the time of a call', () => {
  it.each([
    ['the head', ''],
    ['the rest of the head', `${head}X-Slow: `],
    ['the body', `${head}Content-Length: 10\r\n\r\n`],
    ['the rest of the body', `${head}Content-Length: 10\r\n\r\nhalf`],
  ])('ends the wait for %s (P13)', async (_, bytes) => {
    const clock = createVirtualClock();
    const arrived = Promise.withResolvers<void>();
    const server = await during(
      startTcp((socket) => {
        socket.once('data', () => {
          if (bytes !== '') socket.write(bytes);
          arrived.resolve();
        });
      }),
    );
    const call = codeOf(
      dialer({ allow: [server.host], clock }).request({ method: 'POST', url: `http://${server.host}/`, timeoutMs: 5_000 }),
    );
    await arrived.promise;
    clock.advanceBy(4_999);
    clock.advanceBy(1);
    expect(await call).toEqual(['TIMEOUT', true]);
    expect(clock.nextMs()).toBeUndefined();
  });

  it('is one for all redirects (P13)', async () => {
    const clock = createVirtualClock();
    const server = await during(
      startHttp(({ url }, response) => {
        clock.advanceBy(2_000);
        response.writeHead(302, { location: `${url}a` }).end();
      }),
    );
    const call = dialer({ allow: [server.host], clock }).request({ method: 'GET', url: `http://${server.host}/`, timeoutMs: 5_000 });
    expect(await codeOf(call)).toEqual(['TIMEOUT', true]);
    expect(server.received.map(({ url }) => url)).toEqual(['/', '/a', '/aa']);
  });

  it('ends the wait for a name, and for a place among the connections; nothing was sent (P13, P5)', async () => {
    const clock = createVirtualClock();
    const asked = Promise.withResolvers<void>();
    const unanswered = dialer({
      clock,
      resolve() {
        asked.resolve();
        return new Promise(() => {});
      },
    }).request({ method: 'GET', url: 'https://slow.test/', timeoutMs: 5_000 });
    const slow = codeOf(unanswered);
    await asked.promise;
    clock.advanceBy(5_000);
    expect(await slow).toEqual(['TIMEOUT', false]);

    const arrived = Promise.withResolvers<void>();
    const server = await during(startTcp((socket) => void socket.once('data', () => arrived.resolve())));
    const narrow = dialer({ allow: [server.host], clock, connectionsPerOrigin: 1 });
    const call = (ms: number) => codeOf(narrow.request({ method: 'GET', url: `http://${server.host}/`, timeoutMs: ms }));
    const [first, second] = [call(9_000), call(5_000)];
    await arrived.promise;
    clock.advanceBy(5_000);
    expect(await second).toEqual(['TIMEOUT', false]);
    clock.advanceBy(4_000);
    expect(await first).toEqual(['TIMEOUT', true]);
  });

  it('ends when its caller gives up, before or during the call', async () => {
    const arrived = Promise.withResolvers<void>();
    const server = await during(startTcp((socket) => void socket.once('data', () => arrived.resolve())));
    const { request } = dialer({ allow: [server.host] });
    const controller = new AbortController();
    const call = () => codeOf(request({ method: 'GET', url: `http://${server.host}/`, timeoutMs, signal: controller.signal }));
    const during1 = call();
    await arrived.promise;
    controller.abort();
    expect(await during1).toEqual(['TIMEOUT', true]);
    expect(await call()).toEqual(['TIMEOUT', false]);
    expect(server.connections.length).toBe(1);
  });

  it('gives up on a connection after ten seconds, so that it is not kept for a call that is gone', async () => {
    const clock = createVirtualClock();
    const silent = new Socket();
    const connect = createConnector({
      allow: new Set(),
      resolve: () => Promise.resolve(['8.8.8.8']),
      clock,
      secureContext: unused,
      open: () => silent,
    });
    const error = new Promise((resolve) =>
      connect({ hostname: 'api.test', port: '', protocol: 'https:' }, (...[reason]) => resolve(reason)),
    );
    clock.advanceBy(10_000);
    expect(await error).toMatchObject({ code: 'CONNECT_FAILED', wasSent: false });
    expect(silent.destroyed).toBe(true);
  });
});

describe('the other side of a connection', () => {
  it('is judged once more before a byte goes out: a name that was public is not enough (P30, T11)', async () => {
    for (const protocol of ['http:', 'https:']) {
      const server = await during(startTcp(() => {}));
      let heard = 0;
      const connect = createConnector({
        allow: new Set(),
        resolve: () => Promise.resolve(['8.8.8.8']),
        clock: createVirtualClock(),
        secureContext: unused,
        open: () => new Socket().connect(server.port, '127.0.0.1'), // as a rebinding resolver or a rerouted network has it
      });
      const error = new Promise((resolve) => connect({ hostname: 'api.test', port: '', protocol }, (...[reason]) => resolve(reason)));
      expect(await error).toMatchObject({
        code: 'EGRESS_REFUSED',
        message: expect.stringContaining('api.test has no public address') as string,
      });
      for (const connection of server.connections) {
        connection.on('data', ({ length }) => {
          heard += length;
        });
        if (!connection.destroyed) await once(connection.resume(), 'close');
      }
      expect(heard).toBe(0);
    }
  });
});

const unused = (): never => {
  throw new Error('No secure connection is made');
};
