import { afterEach, describe, expect, it } from 'vitest';
import { createFunctionWorkers, type Dialer, type FunctionResult, type FunctionWorkers } from '../src/index.ts';
import { dialer, during } from './dialers.ts';
import { type Received, startHttp } from './local-servers.ts';

const open: FunctionWorkers[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map(({ close }) => close()))));

/** Calls a function whose `fetch` goes through this dialer; its source is the body of its default export. */
function calling(given: { readonly dialer?: Pick<Dialer, 'request'>; readonly limits?: { readonly [name: string]: number } }) {
  const { call } = keep(createFunctionWorkers(given));
  return (work: string, body: string | null = null): Promise<FunctionResult> =>
    call(
      { companyId: '7', functionId: 'fn', source: `export default async (body) => { ${work} };`, deployment: 0 },
      { body, timeoutMs: 30_000 },
    );
}
const keep = (workers: FunctionWorkers): FunctionWorkers => {
  open.push(workers);
  return workers;
};

const returned = (value: unknown) => ({ kind: 'returned', value });
const echo = (request: Received) =>
  JSON.stringify({ ...request, headers: { type: request.headers['content-type'], a: request.headers['x-a'] } });

/** A server that repeats what it got, and a function that may reach it. */
async function reaching() {
  const server = await during(
    startHttp((request, response) => {
      if (request.url === '/empty') response.writeHead(204).end();
      else if (request.url === '/reset') response.writeHead(205).end('nothing');
      else if (request.url === '/away') response.writeHead(302, { location: '/there' }).end();
      else if (request.url === '/private') response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
      else if (request.url === '/long') response.end('x'.repeat(2_000_000));
      else response.writeHead(201, { 'x-b': 'c' }).end(echo(request));
    }),
  );
  return { server, url: `http://${server.host}`, run: calling({ dialer: dialer({ allow: [server.host] }) }) };
}

describe('fetch of a function', () => {
  it('goes out through the dialer, as fetch does elsewhere (T10, P30)', async () => {
    const { url, run } = await reaching();
    const work = `
      const answer = await fetch(body + '/orders?a=b', { method: 'POST', headers: { 'X-A': 'yes' }, body: '{"ü":1}' });
      return { ok: answer.ok, status: answer.status, url: answer.url, header: answer.headers.get('x-b'), got: await answer.json() };`;
    expect(await run(work, url)).toEqual(
      returned({
        ok: true,
        status: 201,
        url: `${url}/orders?a=b`,
        header: 'c',
        got: { method: 'POST', url: '/orders?a=b', body: '{"ü":1}', headers: { type: 'text/plain;charset=UTF-8', a: 'yes' } },
      }),
    );
  });

  it('sends forms, and answers without a body', async () => {
    const { server, url, run } = await reaching();
    const form = `const form = new FormData(); form.set('file', new Blob(['abc'], { type: 'text/plain' }), 'a.txt');
      return (await fetch(body + '/empty', { method: 'PUT', body: form })).status;`;
    expect(await run(form, url)).toEqual(returned(204));
    expect(await run(`const answer = await fetch(body + '/reset'); return [answer.status, await answer.text()];`, url)).toEqual(
      returned([205, '']),
    );
    expect(server.received[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(server.received[0]?.body).toContain('filename="a.txt"');
  });

  it('follows redirects, or refuses them', async () => {
    const { url, run } = await reaching();
    expect(await run(`const { url, status } = await fetch(body + '/away'); return { url, status };`, url)).toEqual(
      returned({ url: `${url}/there`, status: 201 }),
    );
    expect(await run(`return fetch(body + '/away', { redirect: 'error' })`, url)).toMatchObject({
      message: expect.stringContaining('TOO_MANY_REDIRECTS') as unknown,
    });
    expect(await run(`return fetch(body + '/away', { redirect: 'manual' })`, url)).toMatchObject({
      message: expect.stringContaining('leave "redirect" out') as unknown,
    });
  });

  it.each([
    ['http://127.0.0.1:1/', 'EGRESS_REFUSED'],
    ['http://169.254.169.254/latest/meta-data/', 'EGRESS_REFUSED'],
    ['http://[::ffff:10.0.0.1]/', 'EGRESS_REFUSED'],
    ['http://localhost:22/', 'EGRESS_REFUSED'],
    ['file:///etc/passwd', 'BAD_URL'],
    ['/private', 'EGRESS_REFUSED'],
    ['/long', 'TOO_LARGE'],
    ['nonsense', 'Failed to parse URL'],
  ])('does not bring %s', async (address, message) => {
    const { url, run } = await reaching();
    const target = address.startsWith('/') ? url + address : address;
    expect(await run('return (await fetch(body)).text();', target)).toMatchObject({
      kind: 'threw',
      message: expect.stringContaining(message) as unknown,
    });
  });

  it('cannot have a header that no call may have, and sends no more than it may (T16)', async () => {
    const { server, url, run } = await reaching();
    expect(await run(`return fetch(body, { headers: { Host: 'other.test' } });`, url)).toMatchObject({ kind: 'threw' });
    expect(await run(`return fetch(body, { method: 'POST', body: 'x'.repeat(1_000_001) });`, url)).toMatchObject({ kind: 'threw' });
    expect(server.received).toEqual([]);
  });

  it.each([
    ['a method in small letters', `fetch(body, { method: 'patch' })`, 'use one of GET'],
    ['a method of another protocol', `fetch(body, { method: 'PROPFIND' })`, 'use one of GET'],
    ['an address without an end', `fetch(body + '?' + 'a'.repeat(2_000_000))`, 'at most 65536'],
    ['headers without an end', `fetch(body, { headers: { a: 'a'.repeat(2_000_000) } })`, 'at most 65536'],
  ])('refuses %s and does not end the function, with the calls beside it (P17)', async (_what, call, message) => {
    const { url, run } = await reaching();
    expect(await run(`return ${call};`, url)).toMatchObject({ kind: 'threw', message: expect.stringContaining(message) as unknown });
  });

  it('reaches nobody without a dialer', async () => {
    expect(await calling({})(`return fetch('https://api.test/');`)).toMatchObject({
      kind: 'threw',
      message: 'TypeError: Functions cannot make calls here',
    });
  });

  it('is for the company of the function, and a fault of the dialer is told without a detail (P24, P31)', async () => {
    const scopes: unknown[] = [];
    const run = calling({
      dialer: {
        request: ({ scope }) => {
          scopes.push(scope);
          return Promise.reject(new Error('canary'));
        },
      },
    });
    expect(await run(`return fetch('https://api.test/');`)).toMatchObject({ message: 'TypeError: Such a call cannot be made' });
    expect(scopes).toEqual(['7']);
  });

  it('makes so many calls at once and no more, whatever the function does (P22)', async () => {
    const held: (() => void)[] = [];
    let asked = 0;
    let most = 0;
    const answerAll = (): void => {
      for (const answer of held.splice(0)) answer();
    };
    // Answered when three are under way, or when no more will come: a fourth that was let through has time to be seen.
    const request: Dialer['request'] = async ({ url }) => {
      asked += 1;
      await new Promise<void>((resolve) => {
        most = Math.max(most, held.push(resolve));
        if (held.length === 3 || asked === 50) setImmediate(() => setImmediate(answerAll));
      });
      return { status: 200, headers: {}, body: Buffer.from('a'), url, retryAfterMs: undefined };
    };
    const run = calling({ dialer: { request }, limits: { fetches: 3 } });
    const work = `const all = Array.from({ length: 50 }, (_, n) => fetch('https://api.test/' + n).then((answer) => answer.text()));
      return (await Promise.all(all)).length;`;
    expect(await run(work)).toEqual(returned(50));
    expect(most).toBe(3);
  });

  it('is given up with its signal, and with the process (P13)', async () => {
    const given: { aborted: boolean }[] = [];
    const gone = Promise.withResolvers<void>();
    const request: Dialer['request'] = ({ signal }) => {
      const call = { aborted: false };
      given.push(call);
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          call.aborted = true;
          reject(new Error('given up'));
          if (given.every(({ aborted }) => aborted)) gone.resolve();
        });
      });
    };
    const run = calling({ dialer: { request } });
    const work = `void fetch('https://api.test/hangs').catch(() => {});
      try { await fetch('https://api.test/', { signal: AbortSignal.timeout(10) }); } catch (error) { return error.name; }`;
    expect(await run(work)).toEqual(returned('TimeoutError'));
    await open[0]?.close();
    await gone.promise;
    expect(given).toEqual([{ aborted: true }, { aborted: true }]);
  });

  it('ends the process that goes past its own bounds (P22)', async () => {
    const run = calling({ dialer: { request: () => new Promise(() => {}) } });
    const work = `Array.prototype.push = (go) => go();
      await Promise.all(Array.from({ length: 50 }, (_, n) => fetch('https://api.test/' + n)));`;
    expect(await run(work)).toMatchObject({ kind: 'stopped', message: 'The function asked for more calls than it may' });
  });
});
