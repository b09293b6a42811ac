import type { BoundDriver, DriverContext } from '@hilo/engine/contract';
import { type HttpFile, httpRequest } from '@hilo/nodes/effects';
import { createVirtualClock } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { createHttpDriver, type Dialer, type DialerRequest, type DialerResponse } from '../src/index.ts';
import { dialer, during } from './dialers.ts';
import { startHttp } from './local-servers.ts';

const context = (companyId = '7'): DriverContext => ({
  idempotencyKey: 'c0ffee',
  executionId: 'e1',
  nodeId: 'send',
  attempt: 1,
  origin: { companyId } as DriverContext['origin'],
  contact: undefined,
  nowMs: 0,
  signal: new AbortController().signal,
});
const credential = () => Promise.resolve({ kind: 'bearer', token: 'a-token' });

const perform = (driver: BoundDriver, url: string, file: HttpFile, more: object = {}, given = context()) => {
  const request = { method: 'POST', url, headers: {}, bodyKind: 'file', body: file, responseType: 'auto', timeoutMs: 20_000, ...more };
  const run = driver.perform as (request: unknown, context: DriverContext) => Promise<unknown>;
  return run(httpRequest.request.parse(request), given).then((result) => httpRequest.result.parse(result));
};

/** A server that has files and takes them. */
async function storage() {
  const server = await during(
    startHttp(({ method, url }, response) => {
      if (method === 'POST') response.end('taken');
      else if (url.startsWith('/nothing')) response.writeHead(404).end('no file');
      else if (url === '/moved') response.writeHead(302, { location: '/files/a.pdf' }).end();
      else if (url === '/endless') response.write('x'.repeat(11 * 1024 * 1024));
      else response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-ü');
    }),
  );
  const driver = createHttpDriver({ dialer: dialer({ allow: [server.host] }), credential });
  const at = (path: string): string => `http://${server.host}${path}`;
  const sent = () => server.received.filter(({ method }) => method === 'POST');
  return { server, driver, at, sent };
}

describe('a file as the body of a call', () => {
  it('is fetched and goes out as the body, with the type it came with', async () => {
    const { driver, at, sent } = await storage();
    expect(await perform(driver, at('/upload'), { url: at('/files/a.pdf') })).toMatchObject({ response: { status: 200, body: 'taken' } });
    await perform(driver, at('/upload'), { url: at('/moved'), type: 'application/x-other' });
    expect(sent().map(({ body, headers }) => [body, headers['content-type'], headers['idempotency-key']])).toEqual([
      ['%PDF-ü', 'application/pdf', 'c0ffee'],
      ['%PDF-ü', 'application/x-other', 'c0ffee'],
    ]);
  });

  it('goes out as a part of a form, behind the other fields', async () => {
    const { driver, at, sent } = await storage();
    const file = { url: at('/files/contract%20one.pdf?v=1'), field: 'document', fields: { order: 7, urgent: true } };
    await perform(driver, at('/upload'), file, { headers: { 'Content-Type': 'multipart/form-data' } });
    const [{ body, headers } = { body: '', headers: {} }] = sent();
    const form = await new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
    expect([...form.keys()]).toEqual(['order', 'urgent', 'document']);
    expect([form.get('order'), form.get('urgent')]).toEqual(['7', 'true']);
    const part = form.get('document') as File;
    expect([part.name, part.type, await part.text()]).toEqual(['contract one.pdf', 'application/pdf', '%PDF-ü']);
  });

  it('has a name that begins no header and no part of its own (T16)', async () => {
    const { driver, at, sent } = await storage();
    const name = 'a"\r\nX-Admin: 1\r\n\r\n--b.pdf';
    await perform(driver, at('/upload'), { url: at('/files/a.pdf'), field: 'document\r\nX: 1', name });
    const lines = (sent()[0]?.body ?? '').split('\r\n');
    expect(lines.filter((line) => /^(X|--b)/i.test(line))).toEqual([]);
    expect(lines[1]).toBe('Content-Disposition: form-data; name="document%0D%0AX: 1"; filename="a%22%0D%0AX-Admin: 1%0D%0A%0D%0A--b.pdf"');
  });

  it('is fetched without the credential of the call (P31)', async () => {
    const { server, driver, at } = await storage();
    await perform(driver, at('/upload'), { url: at('/files/a.pdf') }, { credentialId: 'c', headers: { 'X-Secret': 'a' } });
    const [fetched, sent] = server.received;
    expect([fetched?.headers['authorization'], fetched?.headers['x-secret']]).toEqual([undefined, undefined]);
    expect([sent?.headers['authorization'], sent?.headers['x-secret']]).toEqual(['Bearer a-token', 'a']);
  });

  it.each([
    ['a private address', 'http://169.254.169.254/latest', 'blocked', 'EGRESS_REFUSED'],
    ['no address', 'nonsense', 'invalid-url', 'BAD_URL'],
    ['no file', '/nothing/secret-path', 'invalid-url', 'status 404'],
    ['more than 10 MB', '/endless', 'too-large', 'TOO_LARGE'],
  ])('ends the call before it is made when there is %s (P5, P30)', async (_, address, reason, message) => {
    const { driver, at, sent } = await storage();
    const url = address.startsWith('/') ? at(address) : address;
    const result = await perform(driver, at('/upload'), { url });
    expect(result).toMatchObject({
      kind: 'unreachable',
      reason,
      outcome: 'failed',
      message: expect.stringMatching(new RegExp(`file to send.*${message}`)) as string,
    });
    expect(JSON.stringify(result)).not.toContain('secret-path');
    expect(sent()).toEqual([]);
  });
});

describe('the time and the number of files', () => {
  const found: DialerResponse = { status: 200, headers: {}, body: Buffer.from('a'), url: 'https://files.test/a', retryAfterMs: undefined };

  /** A driver whose calls are answered when told, in virtual time. */
  function told() {
    const clock = createVirtualClock();
    const open: { readonly request: DialerRequest; readonly answer: () => void }[] = [];
    const request: Dialer['request'] = (asked) => {
      const { promise, resolve } = Promise.withResolvers<DialerResponse>();
      open.push({ request: asked, answer: () => resolve(found) });
      return promise;
    };
    const driver = createHttpDriver({ dialer: { request, close: () => Promise.resolve() }, credential, clock });
    const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
    const send = (companyId?: string) => perform(driver, 'https://api.test/', { url: found.url }, {}, context(companyId));
    return { clock, open, settle, send };
  }

  it('are of one call: what the file took is no more there for it (P13)', async () => {
    const { clock, open, settle, send } = told();
    const call = send();
    await settle();
    clock.advanceBy(8_000);
    open[0]?.answer();
    await settle();
    expect(open.map(({ request }) => [request.method, request.timeoutMs])).toEqual([
      ['GET', 20_000],
      ['POST', 12_000],
    ]);
    open[1]?.answer();
    expect(await call).toMatchObject({ kind: 'response' });
  });

  it('are bounded for each company: two at once, and the others wait in time (P22, P23)', async () => {
    const { clock, open, settle, send } = told();
    const calls = [send(), send(), send()];
    const other = send('8');
    await settle();
    expect(open.map(({ request }) => request.scope)).toEqual(['7', '7', '8']);
    clock.advanceBy(20_000);
    expect(await calls[2]).toMatchObject({ kind: 'unreachable', reason: 'timeout', outcome: 'failed' });
    for (let turn = 0; turn < 2; turn += 1) {
      for (const { answer } of open) answer();
      await settle();
    }
    expect(await Promise.all([calls[0], calls[1], other])).toMatchObject([
      { kind: 'response' },
      { kind: 'response' },
      { kind: 'response' },
    ]);
  });
});
