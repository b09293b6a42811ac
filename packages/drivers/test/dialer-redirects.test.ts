import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type Dialer, type DialerRequest, DriverError } from '../src/index.ts';
import { codeOf, dialer, during, timeoutMs } from './dialers.ts';
import { type HttpServer, startHttp } from './local-servers.ts';

/** A server that answers `/302?to=LOCATION` with that redirect, and anything else with 200. */
const redirecting = (): Promise<HttpServer> =>
  during(
    startHttp(({ url }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://server');
      const to = searchParams.get('to');
      if (to === null) response.end('arrived');
      else response.writeHead(Number(pathname.slice(1)), { location: to }).end('moved');
    }),
  );

const secrets = {
  authorization: 'Bearer canary',
  cookie: 'a=canary',
  'x-api-key': 'canary',
  'X-Own': 'canary',
  'idempotency-key': 'canary',
};

/** Calls `url`, and says where it went. */
async function went(by: Dialer, url: string, more: Partial<DialerRequest> = {}): Promise<string> {
  return (await by.request({ method: 'GET', url, timeoutMs, ...more })).url;
}

describe('a redirect', () => {
  it.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [303, 'HEAD', 'HEAD', ''],
    [301, 'PUT', 'PUT', 'text'],
    [302, 'DELETE', 'DELETE', 'text'],
    [307, 'POST', 'POST', 'text'],
    [308, 'PATCH', 'PATCH', 'text'],
  ] as const)('%i after %s is followed with %s and the body "%s"', async (status, method, followed, body) => {
    const server = await redirecting();
    const headers = { 'content-type': 'text/plain', ...secrets };
    const more = { method, headers, ...(method !== 'HEAD' && { body: 'text' }) };
    const by = dialer({ allow: [server.host] });
    expect(await went(by, `http://${server.host}/${status}?to=%2Fend%3Fa%3D1`, more)).toBe(`http://${server.host}/end?a=1`);
    const [, second] = server.received;
    expect([second?.method, second?.body]).toEqual([followed, body]);
    expect(second?.headers['content-type']).toBe(method === 'HEAD' || body !== '' ? 'text/plain' : undefined);
    expect(second?.headers).toMatchObject({ authorization: 'Bearer canary', 'x-own': 'canary' }); // the same origin
  });

  it.each([
    ['in UTF-8', [Buffer.from('/café').toString('latin1')], '/caf%C3%A9'],
    ['twice', ['/first', '/second'], '/first'],
  ])('that is written %s leads somewhere all the same', async (_how, locations, path) => {
    const answer = (url: string, response: ServerResponse) => response.writeHead(url === '/' ? 302 : 200).end();
    const server = await during(startHttp(({ url }, response) => void answer(url, response.setHeader('location', locations))));
    expect(await went(dialer({ allow: [server.host] }), `http://${server.host}/`)).toBe(`http://${server.host}${path}`);
  });

  it('is resolved against where it came from, not where the call began', async () => {
    const [first, second] = [await redirecting(), await redirecting()];
    const by = dialer({ allow: [first.host, second.host] });
    const relative = `http://${second.host}/302?to=${encodeURIComponent('/end')}`;
    expect(await went(by, `http://${first.host}/302?to=${encodeURIComponent(relative)}`)).toBe(`http://${second.host}/end`);
    expect([first.received.length, second.received.length]).toEqual([1, 2]);
  });

  it('takes no secret to another origin, nor back from there (T11)', async () => {
    const [home, other] = [await redirecting(), await redirecting()];
    const by = dialer({ allow: [home.host, other.host] });
    const back = `http://${other.host}/307?to=${encodeURIComponent(`http://${home.host}/end`)}`;
    const headers = { ...secrets, accept: 'application/json', 'content-type': 'text/plain' };
    await went(by, `http://${home.host}/307?to=${encodeURIComponent(back)}`, { method: 'POST', headers, body: 'text' });
    for (const { headers: sent, body } of [...other.received, ...home.received.slice(1)]) {
      expect(JSON.stringify(sent)).not.toContain('canary');
      expect([sent.accept, sent['content-type'], body]).toEqual(['application/json', 'text/plain', 'text']);
    }
    expect([home.received.length, other.received.length]).toEqual([2, 1]);
  });

  it.each([307, 308])(
    '%i takes no body to another origin that was made with a credential, or went out beside one (T11)',
    async (status) => {
      const [home, other] = [await redirecting(), await redirecting()];
      const by = dialer({ allow: [home.host, other.host] });
      const url = (to: string, how = status): string => `http://${home.host}/${how}?to=${encodeURIComponent(to)}`;
      const call = { method: 'POST', body: 'canary', bodyStaysHome: true } as const;
      expect(await codeOf(went(by, url(`http://${other.host}/stolen`), call))).toEqual(['EGRESS_REFUSED', true]);
      expect(other.received).toEqual([]);
      expect(await went(by, url('/end'), call)).toBe(`http://${home.host}/end`); // the same origin
      expect(await went(by, url(`http://${other.host}/end`, 303), call)).toBe(`http://${other.host}/end`);
      expect(other.received[0]?.body).toBe('');
    },
  );

  it('counts another port of the same host as another origin (T11)', async () => {
    const [home, other] = [await redirecting(), await redirecting()];
    const by = dialer({ allow: [home.host, other.host] });
    await went(by, `http://${home.host}/302?to=${encodeURIComponent(`http://${other.host}/`)}`, { headers: secrets });
    expect(JSON.stringify(other.received[0]?.headers)).not.toContain('canary');
  });

  it.each([
    ['a private address', 'http://10.0.0.1/', 'EGRESS_REFUSED'],
    ['a decimal address', 'http://2130706433/', 'EGRESS_REFUSED'],
    ['a mapped address', 'http://[::ffff:127.0.0.1]/', 'EGRESS_REFUSED'],
    ['the metadata service', 'http://169.254.169.254/latest/', 'EGRESS_REFUSED'],
    ['a name that is private', 'http://inside.test/', 'EGRESS_REFUSED'],
    ['a relative address that leaves the host', '//10.0.0.1/', 'EGRESS_REFUSED'],
    ['a port that nobody listed', 'http://api.test:6379/', 'EGRESS_REFUSED'],
    ['another scheme', 'file:///etc/passwd', 'BAD_URL'],
    ['credentials', 'http://a:b@api.test/', 'BAD_URL'],
    ['nowhere', 'http://[/', 'BAD_URL'],
  ])('to %s is refused, and the call was sent (P30, P5)', async (_, to, code) => {
    const server = await redirecting();
    const call = dialer({ allow: [server.host] }).request({
      method: 'POST',
      url: `http://${server.host}/307?to=${encodeURIComponent(to)}`,
      timeoutMs,
    });
    expect(await codeOf(call)).toEqual([code, true]);
    expect(server.received.length).toBe(1);
  });

  it('is followed five times, and no more often than asked (T11)', async () => {
    const server = await redirecting();
    const by = dialer({ allow: [server.host] });
    const chain = (length: number): string => (length === 0 ? '/end' : `/302?to=${encodeURIComponent(chain(length - 1))}`);
    const call = (length: number, maxRedirects?: number) => went(by, `http://${server.host}${chain(length)}`, { maxRedirects });
    expect(await call(5)).toBe(`http://${server.host}/end`);
    expect(await call(3, 3)).toBe(`http://${server.host}/end`);
    expect(await codeOf(call(6))).toEqual(['TOO_MANY_REDIRECTS', true]);
    expect(await codeOf(call(6, 10))).toEqual(['TOO_MANY_REDIRECTS', true]);
    expect(await codeOf(call(4, 3))).toEqual(['TOO_MANY_REDIRECTS', true]);
    expect(await codeOf(call(1, 0))).toEqual(['TOO_MANY_REDIRECTS', true]);
  });

  it('to itself ends (T11)', async () => {
    const server = await during(startHttp((_request, response) => response.writeHead(302, { location: '/' }).end()));
    const call = dialer({ allow: [server.host] }).request({ method: 'GET', url: `http://${server.host}/`, timeoutMs });
    expect(await codeOf(call)).toEqual(['TOO_MANY_REDIRECTS', true]);
    expect(server.received.length).toBe(6);
  });

  it('without a place to go is an answer, and so are 300 and 304', async () => {
    const server = await during(
      startHttp(({ url }, response) => {
        response.writeHead(Number(url.slice(1)), url === '/302' ? {} : { location: '/end' }).end();
      }),
    );
    const { request } = dialer({ allow: [server.host] });
    const statuses = [300, 302, 304].map(
      async (status) => (await request({ method: 'GET', url: `http://${server.host}/${status}`, timeoutMs })).status,
    );
    expect(await Promise.all(statuses)).toEqual([300, 302, 304]);
  });

  it('is judged by the addresses its name has then, whatever they were before (P30)', async () => {
    const server = await redirecting();
    const allow = [`listed.test:${server.port}`];
    const answers = [['127.0.0.1'], ['127.0.0.1']];
    const asked: string[] = [];
    const by = dialer({
      allow,
      resolve(name) {
        asked.push(name);
        return Promise.resolve(answers.shift() ?? []);
      },
    });
    const url = `http://listed.test:${server.port}/302?to=${encodeURIComponent('http://rebind.test/')}`;
    const error = await by.request({ method: 'GET', url, timeoutMs }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DriverError);
    expect(error).toMatchObject({
      code: 'EGRESS_REFUSED',
      message: expect.stringContaining('rebind.test has no public address') as string,
    });
    expect(asked).toEqual(['listed.test', 'rebind.test']); // once for each connection: what was judged is what is dialed
  });
});
