import { connect } from 'node:net';
import { EventEmitter } from 'node:events';
import type { LimitReached } from '@hilo/drivers';
import { describe, expect, it, vi } from 'vitest';
import { createClientAddresses } from '../../src/platform/http/client-address.ts';
import { createConnections, countAllowedConnections } from '../../src/platform/http/connections.ts';
import { listen } from '../../src/platform/http/listen.ts';

/** The parts of a connection that are used, as a fake. */
class FakeSocket extends EventEmitter {
  readonly remoteAddress: string;
  isOpen = true;
  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy(): void {
    this.isOpen = false;
    this.emit('close');
  }
}

function stage(maxConnections: number, trusted: readonly string[] = []) {
  const reached: LimitReached[] = [];
  const connections = createConnections(maxConnections, (limit) => void reached.push(limit), createClientAddresses(trusted));
  const open = (address: string, count = 1) =>
    Array.from({ length: count }, () => {
      const socket = new FakeSocket(address);
      return {
        socket,
        isAdmitted: connections.admit(socket),
        begin: (forwardedFor?: string) => connections.begin(socket, forwardedFor),
      };
    });
  return { reached, open };
}
const stillOpen = (sockets: readonly { readonly socket: FakeSocket }[]) => sockets.map(({ socket }) => socket.isOpen);

describe('connections (P22)', () => {
  it('have a bound: the longest idle one of a network makes room for its next one', () => {
    const { open, reached } = stage(8);
    const first = open('192.0.2.1', 4);
    first[0]?.begin()?.();
    expect(reached).toEqual([]);
    expect(open('192.0.2.1', 2).map(({ isAdmitted }) => isAdmitted)).toEqual([true, true]);
    expect(stillOpen(first)).toEqual([true, false, false, true]);
    expect(reached).toMatchObject([{ limit: 'connections', holder: '192.0.2.1' }, {}]);
  });

  it('of one network leave room to others, and the longest idle of all ends when every network has its share', () => {
    const { open } = stage(8);
    const all = [...open('192.0.2.1', 4), ...open('192.0.2.2', 2), ...open('192.0.2.3', 2)];
    expect(stillOpen(all)).toEqual(all.map(() => true));
    open('192.0.2.4');
    expect(stillOpen(all)).toEqual([false, ...all.slice(1).map(() => true)]);
  });

  it('are never ended while a request is at work: a new one is refused', () => {
    const { open, reached } = stage(4);
    const busy = open('192.0.2.1', 2);
    const ends = busy.map(({ begin }) => begin());
    const [refused] = open('192.0.2.1');
    expect(refused?.isAdmitted).toBe(false);
    expect(stillOpen(busy)).toEqual([true, true]);
    expect(reached).toMatchObject([{ message: expect.stringContaining('refused') as string }]);
    ends[1]?.();
    expect(open('192.0.2.1')[0]?.isAdmitted).toBe(true);
    expect(stillOpen(busy)).toEqual([true, false]);
  });

  it('of a network that has its share take nothing from others', () => {
    const { open } = stage(8);
    const others = ['192.0.2.2', '192.0.2.3', '192.0.2.4'].flatMap((address) => open(address));
    for (const { begin } of open('192.0.2.1', 4)) begin();
    expect(open('192.0.2.1').map(({ isAdmitted }) => isAdmitted)).toEqual([false]);
    expect(stillOpen(others)).toEqual([true, true, true]);
  });

  it('are idle again once every request on them has ended, and release their place once', () => {
    const { open } = stage(2);
    const [connection] = open('192.0.2.1');
    const ends = [connection?.begin(), connection?.begin()];
    ends[0]?.();
    expect(open('192.0.2.1')[0]?.isAdmitted).toBe(false);
    connection?.socket.destroy();
    ends[1]?.();
    const after = open('192.0.2.1', 2);
    expect(stillOpen(after)).toEqual([false, true]);
  });

  it('of a trusted proxy may be all of them, and its callers share those at work', () => {
    const { open, reached } = stage(8, ['10.0.0.0/8']);
    const all = open('10.0.0.1', 8);
    expect(all.every(({ isAdmitted }) => isAdmitted)).toBe(true);
    const begin = (index: number, forwardedFor: string) => all[index]?.begin(forwardedFor);
    const ends = [0, 1, 2, 3].map((index) => begin(index, '203.0.113.9, 198.51.100.7'));
    expect(ends.every((end) => end !== undefined)).toBe(true);
    expect(begin(4, '198.51.100.7')).toBeUndefined(); // it has half of them
    expect(reached).toMatchObject([{ limit: 'connections', holder: '198.51.100.7' }]);
    expect(begin(4, '198.51.100.8')).toBeDefined();
    ends[0]?.();
    expect(begin(0, '198.51.100.7')).toBeDefined();
  });

  it('are bound by the files that the process may open', () => {
    expect(countAllowedConnections()).toBeGreaterThanOrEqual(2);
    expect(countAllowedConnections()).toBeLessThanOrEqual(10_000);
  });
});

describe('a server with more connections than its limit', () => {
  const opened = async (port: number) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
    const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
    const asked = () =>
      new Promise<string>((resolve) => {
        text = '';
        socket.once('data', () => resolve(text));
        void ended.then(resolve);
        socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      });
    return { socket, ended, asked };
  };

  it('answers new callers, however many idle connections are held open (P22)', async () => {
    const reached: LimitReached[] = [];
    const onLimit = (limit: LimitReached) => void reached.push(limit);
    const server = await listen(() => Response.json({ status: 'ok' }), { port: 0, host: '127.0.0.1', connections: 100, onLimit });
    const idle = await Promise.all(Array.from({ length: 500 }, async () => opened(server.port)));
    await Promise.all(idle.map(({ asked }) => asked()));
    const caller = await opened(server.port);
    expect(await caller.asked()).toMatch(/^HTTP\/1\.1 200/);
    expect(await caller.asked()).toMatch(/^HTTP\/1\.1 200/);
    expect(reached.length).toBeGreaterThanOrEqual(400);
    await server.close(0);
  });

  it('answers 503 when all of them are at work', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let asked = 0;
    const server = await listen(
      async () => {
        asked += 1;
        await held;
        return Response.json({ status: 'ok' });
      },
      { port: 0, host: '127.0.0.1', connections: 2 },
    );
    const busy = await opened(server.port);
    const answer = busy.asked();
    while (asked === 0) await new Promise(setImmediate);
    const other = await opened(server.port);
    void other.asked(); // its request is not processed
    const refused = await other.ended;
    expect(asked).toBe(1);
    expect(refused).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 1\r\n[^]*"error":"UNAVAILABLE"/);
    release();
    expect(await answer).toMatch(/^HTTP\/1\.1 200/);
    await server.close(0);
  });

  it('ends those of callers who do not read their answers, and no others (P22)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const reached: LimitReached[] = [];
    let pieces = 0;
    const stream = async function* () {
      for (; ; pieces += 1) yield new Uint8Array(64 * 1024);
    };
    const fetch = (request: Request) =>
      request.url.endsWith('/long') ? new Response('x'.repeat(99)) : new Response(ReadableStream.from(stream()));
    const server = await listen(fetch, { port: 0, host: '127.0.0.1', onLimit: (limit) => void reached.push(limit) });
    const ask = (...paths: readonly string[]) => {
      const socket = connect(server.port, '127.0.0.1')
        .on('error', () => {})
        .pause();
      socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
      return socket;
    };
    const sockets = [ask('/stream'), ask('/stream', '/long')];
    // Until no more of the streams is taken: what lies between server and caller is full.
    for (let [still, before] = [0, -1]; still < 200; still = pieces === before && pieces > 0 ? still + 1 : 0) {
      before = pieces;
      await new Promise(setImmediate);
    }
    const reader = await globalThis.fetch(`http://127.0.0.1:${server.port}/long`);
    vi.advanceTimersByTime(300_000);
    expect(new Set(reached.map((limit) => JSON.stringify(limit)))).toEqual(
      new Set([JSON.stringify({ limit: 'unread-answers', holder: '127.0.0.1', message: 'A caller did not read its answer' })]),
    );
    expect(await reader.text()).toHaveLength(99);
    vi.useRealTimers();
    for (const socket of sockets) socket.destroy();
    await server.close(0);
  });
});

describe('requests that come in one piece (pipelining)', () => {
  it('are taken one after the other, with others between them, and no more are read than wait', async () => {
    let [atWork, most] = [0, 0];
    const begun: string[] = [];
    const server = await listen(
      async (request) => {
        begun.push(new URL(request.url).pathname);
        most = Math.max(most, (atWork += 1));
        await new Promise(setImmediate);
        atWork -= 1;
        return new Response(new URL(request.url).pathname);
      },
      { port: 0, host: '127.0.0.1' },
    );
    const count = 3_000;
    const paths = Array.from({ length: count }, (_, index) => `/${index}`);
    let answers = '';
    const socket = connect(server.port, '127.0.0.1').on('data', (data: Buffer) => (answers += data.toString()));
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    while (begun.length === 0) await new Promise(setImmediate);
    expect(await (await fetch(`http://127.0.0.1:${server.port}/other`)).text()).toBe('/other');
    expect(begun.length).toBeLessThan(count); // it did not wait for all of them
    while (!answers.endsWith(`/${count - 1}`)) await new Promise(setImmediate);
    expect(begun.filter((path) => path !== '/other')).toEqual(paths);
    expect(most).toBeLessThanOrEqual(2);
    socket.destroy();
    await server.close(0);
  });

  it('are dropped with their connection', async () => {
    let begun = 0;
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const server = await listen(
      async () => {
        begun += 1;
        await left;
        return new Response('late');
      },
      { port: 0, host: '127.0.0.1' },
    );
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    socket.write('GET /a HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100));
    while (begun === 0) await new Promise(setImmediate);
    socket.destroy();
    leave();
    await server.close(1_000);
    expect(begun).toBe(1);
  });
});
