import type { BoundDriver, DriverContext } from '@hilo/engine/contract';
import { type HttpFile, httpRequest } from '@hilo/nodes/effects';
import { createVirtualClock } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import {
  type AnswerFile,
  createHttpDriver,
  type Dialer,
  type DialerRequest,
  type DialerResponse,
  DriverError,
  type FileStore,
} from '../src/index.ts';
import { dialer, during } from './dialers.ts';
import { startHttp } from './local-servers.ts';
import { driverContext } from '../../testing/src/contracts/driver-context.ts';

const context = (companyId = '7'): DriverContext => driverContext({ origin: { companyId, route: 'production' } });
const credential = () => Promise.resolve({ kind: 'bearer', token: 'a-token' });

const perform = (driver: BoundDriver, url: string, file: HttpFile, more: object = {}, inContext = context()) => {
  const given: object = {
    method: 'POST',
    url,
    headers: {},
    bodyKind: 'file',
    body: file,
    responseType: 'auto',
    timeoutMs: 20_000,
    ...more,
  };
  const request = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const run = driver.perform as (request: unknown, context: DriverContext) => Promise<unknown>;
  return run(httpRequest.request.parse(request), inContext).then((result) => httpRequest.result.parse(result));
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

describe('a handle of a file', () => {
  const handle = `file_${'a'.repeat(32)}`;
  const other = `file_${'b'.repeat(32)}`;

  /** A driver over files that are kept, and a server that takes whatever comes. */
  async function shelf() {
    const kept: AnswerFile[] = [];
    const files: FileStore = {
      read: (companyId, asked) =>
        companyId === '7' && asked === handle
          ? Promise.resolve({ content: Buffer.from('%PDF-a'), type: 'application/pdf', name: 'receipt.pdf' })
          : Promise.reject(new DriverError('BAD_URL', `There is no file "${asked}"`)),
      keepAnswer(file) {
        kept.push(file);
        return Promise.resolve(other);
      },
    };
    const server = await during(
      startHttp(({ url }, response) => {
        const [type, body, status] = answers[url] ?? ['text/plain', 'taken', 200];
        response.writeHead(status, {
          'content-type': type,
          ...(url === '/named' && { 'content-disposition': 'attachment; filename="a b.pdf"' }),
        });
        response.end(body);
      }),
    );
    const driver = createHttpDriver({ dialer: dialer({ allow: [server.host] }), credential, files });
    return { server, driver, kept, at: (path: string): string => `http://${server.host}${path}` };
  }
  const answers: { readonly [path: string]: readonly [type: string, body: string, status: number] } = {
    '/named': ['application/pdf', '%PDF-b', 200],
    '/json': ['application/problem+json', '{"a":1}', 200],
    '/text': ['text/csv', 'a,b', 200],
    '/refused': ['text/html', '<p>No</p>', 404],
    '/empty': ['application/pdf', '', 200],
  };

  it('is the file, with its own name and type: as the body, and in forms beside texts and other files', async () => {
    const { server, driver, at } = await shelf();
    await perform(driver, at('/upload'), { url: handle });
    const parts = {
      title: 'A & B',
      count: 2,
      scan: handle,
      more: [handle, { url: handle, name: 'x.bin', type: 'application/x-own' }, 'text'],
    };
    expect(await perform(driver, at('/upload'), parts as never, { bodyKind: 'multipart' })).toMatchObject({ kind: 'response' });
    const [whole, sent] = server.received;
    expect([whole?.body, whole?.headers['content-type']]).toEqual(['%PDF-a', 'application/pdf']);
    const form = await new Response(sent?.body ?? '', { headers: { 'content-type': sent?.headers['content-type'] ?? '' } }).formData();
    const described = [...form].map(([name, value]) => [
      name,
      typeof value === 'string' ? value : `${value.name} ${value.type} ${value.size}`,
    ]);
    expect(described).toEqual([
      ['title', 'A & B'],
      ['count', '2'],
      ['scan', 'receipt.pdf application/pdf 6'],
      ['more', 'receipt.pdf application/pdf 6'],
      ['more', 'x.bin application/x-own 6'],
      ['more', 'text'],
    ]);
  });

  it('of no file, or of another company, ends the call before it is made', async () => {
    const { server, driver, at } = await shelf();
    const failed = { kind: 'unreachable', reason: 'invalid-url', outcome: 'failed' };
    expect(await perform(driver, at('/upload'), { url: other })).toMatchObject(failed);
    expect(await perform(driver, at('/upload'), { url: handle }, {}, context('8'))).toMatchObject(failed);
    expect(await perform(driver, at('/upload'), { scan: other } as never, { bodyKind: 'multipart' })).toMatchObject(failed);
    expect(server.received).toEqual([]);
  });

  it('is what an answer becomes that is kept: of a success that is no JSON', async () => {
    const { driver, kept, at } = await shelf();
    const ask = async (path: string) => {
      const request = { method: 'GET', bodyKind: 'none', body: undefined, responseType: 'file' };
      const result = await perform(driver, at(path), { url: '' }, request);
      return result.kind === 'response' ? result.response.body : result;
    };
    expect(await ask('/named')).toBe(other);
    expect(await ask('/text')).toBe(other);
    expect(kept.map(({ name, contentType, companyId, idempotencyKey }) => [name, contentType, companyId, idempotencyKey])).toEqual([
      ['a b.pdf', 'application/pdf', '7', 'c0ffee'],
      ['text', 'text/csv', '7', 'c0ffee'],
    ]);
    expect([await ask('/json'), await ask('/refused'), await ask('/empty')]).toEqual([{ a: 1 }, '<p>No</p>', null]);
    expect(kept).toHaveLength(2);
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
