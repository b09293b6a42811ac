import type { BoundDriver, DriverContext, JsonObject } from '@hilo/engine/contract';
import { httpRequest } from '@hilo/nodes/effects';
import { beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createHttpDriver, type Dialer, type DialerErrorCode, DriverError } from '../src/index.ts';
import { createAuthority, createCertificate, type Pair } from './certificates.ts';
import { dialer, during } from './dialers.ts';
import { freePort } from '../../stores/test/free-port.ts';
import { type HttpServer, startHttp, startHttps } from './local-servers.ts';
import { driverContext } from '../../testing/src/contracts/driver-context.ts';

type Request = z.output<typeof httpRequest.request>;

const context = driverContext();

/** The credentials of company 7. */
const credentials: { readonly [id: string]: JsonObject } = {
  basic: { id: 'basic', kind: 'basic', username: 'hilo', password: 'pä:ss' },
  bearer: { kind: 'bearer', token: 'tok' },
  header: { kind: 'api-key', name: 'X-Api-Key', value: 'key' },
  query: { kind: 'api-key', name: 'api key', value: 'k&y', in: 'query' },
  broken: { kind: 'basic', username: 'canary:', password: 'canary' },
  unheard: { kind: 'canary' },
  hostile: { kind: 'bearer', token: 'canary\r\nX-Admin: 1' },
};
const find = (companyId: string, id: string) => Promise.resolve(companyId === '7' ? credentials[id] : undefined);

const perform = (driver: BoundDriver, request: Partial<Request>) => {
  const whole: Request = { method: 'GET', url: '', headers: {}, bodyKind: 'none', responseType: 'auto', timeoutMs: 20_000, ...request };
  const run = driver.perform as (request: Request, context: DriverContext) => Promise<unknown>;
  return run(httpRequest.request.parse(whole), context).then((result) => httpRequest.result.parse(result));
};

/** A server that repeats what it got, and a driver that may reach it. */
async function echo() {
  const server = await during(startHttp((_request, response) => response.end()));
  const driver = createHttpDriver({ dialer: dialer({ allow: [server.host] }), credential: find });
  const sent = async (request: Partial<Request>) => {
    await perform(driver, { url: `http://${server.host}/`, ...request });
    const received = server.received.at(-1);
    if (received === undefined) throw new Error('Nothing was sent');
    return received;
  };
  return { server, sent };
}

describe('the request of the http driver', () => {
  it.each([
    ['json', { a: [1, null, 'ä'] }, '{"a":[1,null,"ä"]}', 'application/json'],
    ['json', 'text', '"text"', 'application/json'],
    ['json', null, 'null', 'application/json'],
    ['form', { a: 'x y', b: 1, 'c&': true }, 'a=x+y&b=1&c%26=true', 'application/x-www-form-urlencoded'],
    ['text', 'plain', 'plain', 'text/plain;charset=utf-8'],
    ['text', '\ud800', '\ufffd', 'text/plain;charset=utf-8'],
  ] as const)('has a body as %s: %j', async (bodyKind, body, text, type) => {
    const { sent } = await echo();
    const { body: received, headers } = await sent({ method: 'POST', bodyKind, body });
    expect([received, headers['content-type']]).toEqual([text, type]);
  });

  it('keeps the headers that the canvas names, whatever their case', async () => {
    const { sent } = await echo();
    const headers = { 'Content-TYPE': 'application/vnd.api+json', 'IDEMPOTENCY-key': 'mine', 'X-A': 'b' };
    expect((await sent({ method: 'POST', bodyKind: 'json', body: {}, headers })).headers).toMatchObject({
      'content-type': 'application/vnd.api+json',
      'idempotency-key': 'mine',
      'x-a': 'b',
    });
  });

  it('carries the key of the effect where it may change something, unless it shall not (P4)', async () => {
    const { server, sent } = await echo();
    const keys = async (method: Request['method']) => (await sent({ method })).headers['idempotency-key'];
    expect(await keys('GET')).toBeUndefined();
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) expect(await keys(method)).toBe('c0ffee');
    const silent = createHttpDriver({ dialer: dialer({ allow: [server.host] }), credential: find, sendsIdempotencyKey: false });
    await perform(silent, { method: 'POST', url: `http://${server.host}/` });
    expect(server.received.at(-1)?.headers['idempotency-key']).toBeUndefined();
  });

  it('signs in by reference, over what the canvas says', async () => {
    const { server, sent } = await echo();
    const headers = { AUTHORIZATION: 'mine', 'x-api-key': 'mine' };
    const signed = (credentialId: string) => sent({ credentialId, headers });
    expect((await signed('basic')).headers.authorization).toBe(`Basic ${Buffer.from('hilo:pä:ss').toString('base64')}`);
    expect((await signed('bearer')).headers.authorization).toBe('Bearer tok');
    expect((await signed('header')).headers).toMatchObject({ 'x-api-key': 'key', authorization: 'mine' });
    expect((await signed('query')).url).toBe('/?api%20key=k%26y');
    expect((await sent({ credentialId: 'query', url: `http://${server.host}/a?b=c%20d#e` })).url).toBe('/a?b=c%20d&api%20key=k%26y');
  });

  it.each([
    ['nobody', 'CREDENTIAL_MISSING', 'There is no credential "nobody"'],
    ['broken', 'CREDENTIAL_INVALID', 'The credential "broken" cannot sign a call in: correct "username"'],
    ['unheard', 'CREDENTIAL_INVALID', 'The credential "unheard" cannot sign a call in: correct "kind"'],
  ])('is not made with the credential "%s", and tells no value of it (P28, P31)', async (credentialId, code, message) => {
    const { server, sent } = await echo();
    const error = await sent({ credentialId }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, wasSent: false, message: expect.stringContaining(message) as string });
    expect(String(error)).not.toContain('canary');
    expect(server.received).toEqual([]);
  });

  it('takes no body along to another origin that went out beside a credential, and without one it does (T11)', async () => {
    const other = await during(startHttp((_request, response) => response.end('arrived')));
    const home = await during(startHttp((_request, response) => void response.writeHead(307, { location: `http://${other.host}/` }).end()));
    const driver = createHttpDriver({ dialer: dialer({ allow: [home.host, other.host] }), credential: find });
    const request = { method: 'POST', url: `http://${home.host}/`, bodyKind: 'text', body: 'canary' } as const;
    expect(await perform(driver, { ...request, credentialId: 'bearer' })).toMatchObject({
      kind: 'unreachable',
      reason: 'blocked',
      outcome: 'unknown',
    });
    expect(other.received).toEqual([]);
    expect(await perform(driver, request)).toMatchObject({ response: { body: 'arrived' } });
    expect(other.received).toMatchObject([{ method: 'POST', body: 'canary' }]);
  });

  it('is not made with the credential of another company (P28)', async () => {
    const driver = createHttpDriver({ dialer: dialer({}), credential: (companyId) => find(`not ${companyId}`, 'basic') });
    await expect(perform(driver, { url: 'https://api.test/', credentialId: 'basic' })).rejects.toMatchObject({
      code: 'CREDENTIAL_MISSING',
    });
  });

  it('refuses a secret that would begin another header, and does not tell it (T16, P31)', async () => {
    const driver = createHttpDriver({ dialer: dialer({}), credential: find });
    const result = await perform(driver, { url: 'https://api.test/', credentialId: 'hostile' });
    expect(result).toMatchObject({ kind: 'unreachable', reason: 'blocked' });
    expect(JSON.stringify(result)).not.toContain('canary');
  });
});

describe('a client certificate of the http driver', () => {
  let ca: Pair;
  let server: HttpServer;
  let client: Pair;
  beforeAll(async () => {
    ca = await createAuthority('Test authority');
    client = await createCertificate(ca, ['the client']);
  });

  it('is found by reference, and is nothing to sign a request with (TMO-04)', async () => {
    const tls = { ...(await createCertificate(ca, ['api.test'])), ca: ca.cert, requestCert: true, rejectUnauthorized: true };
    server = await during(startHttps(tls, (_request, response) => response.end('in')));
    const certificate = { kind: 'client-certificate', ...client };
    const driver = createHttpDriver({
      dialer: dialer({ allow: [server.host], ca: ca.cert }),
      credential: (companyId, id) => (id === 'cert' ? Promise.resolve(certificate) : find(companyId, id)),
    });
    const url = `https://${server.host}/`;
    expect(await perform(driver, { url, clientCertificateId: 'cert', credentialId: 'bearer' })).toMatchObject({
      response: { status: 200, body: 'in' },
    });
    await expect(perform(driver, { url, clientCertificateId: 'bearer' })).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
    await expect(perform(driver, { url, credentialId: 'cert' })).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
  });
});

describe('the answer to the http driver', () => {
  const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  const ones = (length: number): string => JSON.stringify(Array.from({ length }, () => 1));
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [index, 0])));

  it.each([
    ['JSON by its type', 'auto', 'application/json', '{"a":[1]}', { a: [1] }],
    ['JSON with a charset', 'auto', 'Application/JSON; charset="utf-8"', '\ufeff"ä"', 'ä'],
    ['JSON of a vendor', 'auto', 'application/problem+json', '{}', {}],
    ['JSON null', 'auto', 'application/json', 'null', null],
    ['JSON that is none', 'auto', 'application/json', '{a', '{a'],
    ['JSON that nobody announced', 'auto', 'text/plain', '{"a":1}', '{"a":1}'],
    ['JSON because it was asked for', 'json', 'text/plain', '{"a":1}', { a: 1 }],
    ['JSON without a type', 'json', undefined, '[1]', [1]],
    ['no JSON though it was asked for', 'json', 'text/html', '<p>', '<p>'],
    ['text though it is JSON', 'text', 'application/json', '{}', '{}'],
    ['text', 'auto', 'text/html; charset=utf-8', '<p>ä', '<p>ä'],
    ['text in another encoding', 'auto', 'text/plain; charset=iso-8859-1', Buffer.from([0xe4]), 'ä'],
    ['text in an unknown encoding', 'auto', 'text/plain; charset=nonsense', 'ä', 'ä'],
    ['XML', 'auto', 'application/soap+xml', '<a/>', '<a/>'],
    ['no type', 'auto', undefined, 'a', 'a'],
    ['a type that is none', 'auto', 'nonsense', 'a', 'a'],
    ['bytes', 'auto', 'image/png', Buffer.from([0x89, 0x50, 0xff]), 'iVD/'],
    ['bytes as text, because they were asked for', 'text', 'application/octet-stream', 'a', 'a'],
    ['nothing', 'auto', 'application/json', '', null],
    ['JSON as deep as a value may be', 'auto', 'application/json', deep(62), JSON.parse(deep(62))],
    ['JSON that is deeper', 'auto', 'application/json', deep(64), deep(64)],
    ['JSON that would exhaust the stack', 'auto', 'application/json', deep(100_000), deep(100_000)],
    ['JSON with a number that cannot be kept (P19)', 'auto', 'application/json', '{"a":1e999}', '{"a":1e999}'],
    ['JSON with too many keys', 'auto', 'application/json', many, many],
    ['JSON with as many parts as a value may have', 'auto', 'application/json', ones(32_767), JSON.parse(ones(32_767))],
    ['JSON with more parts, which would take long to look at (P20)', 'auto', 'application/json', ones(32_768), ones(32_768)],
  ] as const)('is %s', async (_, responseType, type, body, expected) => {
    const server = await during(
      startHttp((_request, response) => response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body)),
    );
    const driver = createHttpDriver({ dialer: dialer({ allow: [server.host] }), credential: find });
    const result = await perform(driver, { url: `http://${server.host}/`, responseType });
    expect(result).toMatchObject({ kind: 'response', response: { status: 200 } });
    expect((result as { readonly response: { readonly body: unknown } }).response.body).toEqual(expected);
  });

  it('whose bytes are not of its charset is refused, since they would be changed', async () => {
    const broken = Buffer.from('{"name":"Jos\xe9"}', 'latin1');
    const server = await during(
      startHttp(({ url }, response) =>
        response.writeHead(url === '/fails' ? 500 : 200, { 'content-type': 'application/json' }).end(broken),
      ),
    );
    const driver = createHttpDriver({ dialer: dialer({ allow: [server.host] }), credential: find });
    for (const responseType of ['auto', 'json', 'text'] as const)
      expect(await perform(driver, { url: `http://${server.host}/`, responseType })).toMatchObject({
        kind: 'unreachable',
        reason: 'refused',
        outcome: 'unknown',
        message: expect.stringContaining('not in the charset') as string,
      });
    expect(await perform(driver, { url: `http://${server.host}/fails` })).toMatchObject({ kind: 'response', response: { status: 500 } });
  });

  it('keeps the digits of an id', async () => {
    const server = await during(
      startHttp((_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":1152921506151679042}')),
    );
    const driver = createHttpDriver({ dialer: dialer({ allow: [server.host] }), credential: find });
    expect(await perform(driver, { url: `http://${server.host}/` })).toMatchObject({ response: { body: { id: '1152921506151679042' } } });
  });

  it('is an answer whatever its status is, with how long it asks to be left alone (P24)', async () => {
    const server = await during(startHttp((_request, response) => response.writeHead(503, { 'Retry-After': '5' }).end('later')));
    const driver = createHttpDriver({ dialer: dialer({ allow: [server.host] }), credential: find });
    expect(await perform(driver, { url: `http://${server.host}/` })).toMatchObject({
      response: { status: 503, headers: { 'retry-after': '5' }, body: 'later' },
      retryAfterMs: 5_000,
    });
  });
});

describe('no answer to the http driver', () => {
  /** A driver whose calls all end this way. */
  const failing = (error: Error) => {
    const broken: Dialer = { request: () => Promise.reject(error), close: () => Promise.resolve() };
    return perform(createHttpDriver({ dialer: broken, credential: find }), { url: 'https://api.test/' });
  };

  it.each([
    ['BAD_URL', 'invalid-url'],
    ['EGRESS_REFUSED', 'blocked'],
    ['DNS_FAILED', 'refused'],
    ['CONNECT_FAILED', 'refused'],
    ['TLS_FAILED', 'refused'],
    ['RESET', 'refused'],
    ['TOO_MANY_REDIRECTS', 'refused'],
    ['DESTINATION_BUSY', 'refused'],
    ['CIRCUIT_OPEN', 'refused'],
    ['TIMEOUT', 'timeout'],
    ['TOO_LARGE', 'too-large'],
  ] satisfies [DialerErrorCode, string][])('for %s is %s, and says whether the call was sent (P5)', async (code, reason) => {
    expect(await failing(new DriverError(code, 'So it is'))).toEqual({
      kind: 'unreachable',
      reason,
      message: `So it is (${code})`,
      outcome: 'failed',
    });
    expect(await failing(new DriverError(code, 'So it is', { wasSent: true, retryAfterMs: 1_200 }))).toEqual({
      kind: 'unreachable',
      reason,
      message: `So it is (${code})`,
      outcome: 'unknown',
      retryAfterMs: 1_200,
    });
  });

  it('for a fault of this program travels on', async () => {
    await expect(failing(new TypeError('a bug'))).rejects.toThrow('a bug');
  });

  it('comes from the world, too', async () => {
    const port = await freePort();
    const driver = createHttpDriver({ dialer: dialer({ allow: [`127.0.0.1:${port}`] }), credential: find });
    const reason = async (url: string) => ((await perform(driver, { url })) as { readonly reason?: string }).reason;
    expect(await reason(`http://127.0.0.1:${port}/`)).toBe('refused');
    expect(await reason('http://169.254.169.254/')).toBe('blocked');
    expect(await reason('nonsense')).toBe('invalid-url');
  });
});
