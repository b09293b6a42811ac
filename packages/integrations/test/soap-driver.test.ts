import { createHash } from 'node:crypto';
import type { DriverContext, JsonObject } from '@hilo/engine/contract';
import { callSoap } from '@hilo/nodes/effects';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createSoapDriver } from '../src/index.ts';
import { isEnvelopeError } from '../../drivers/src/driver-error.ts';
import { readEnvelope } from '../src/soap/read-envelope.ts';
import { writeEnvelope } from '../src/soap/write-envelope.ts';
import { dialer, during } from '../../drivers/test/dialers.ts';
import { freePort } from '../../stores/test/free-port.ts';
import { startHttp } from '../../drivers/test/local-servers.ts';
import { envelope11, envelope12, type SoapAnswer, startSoap } from './soap-service.ts';
import { driverContext } from '../../testing/src/contracts/driver-context.ts';

type Request = z.output<typeof callSoap.request>;

const context = driverContext({ nowMs: Date.UTC(2031, 0, 2) });
const credentials: { readonly [id: string]: JsonObject } = {
  basic: { kind: 'basic', username: 'hilo', password: 'pass<&>word' },
  bearer: { kind: 'bearer', token: 'tok-en-123' },
};
const asked: Request = {
  url: '',
  version: '1.1',
  action: 'urn:GetOrder',
  headers: {},
  namespaces: { o: 'urn:orders' },
  body: { 'o:GetOrder': { '@xmlns': 'urn:default', '@lang': 'es "x"', 'o:id': [7, 8], 'o:none': null, 'o:note': 'a < b & "c"\r\n' } },
  timeoutMs: 20_000,
};

const call = async (host: string, request: Partial<Request> = {}, out = dialer({ allow: [host] })) => {
  const driver = createSoapDriver({
    dialer: out,
    credential: (companyId, id) => Promise.resolve(companyId === '7' ? credentials[id] : undefined),
  });
  const perform = driver.perform as (request: Request, context: DriverContext) => Promise<unknown>;
  const whole = callSoap.request.parse({ ...asked, url: `http://${host}/orders`, ...request });
  return callSoap.result.parse(await perform(whole, context));
};

/** What a service got, and what the driver made of its answer. */
const exchange = async (answer: SoapAnswer, request: Partial<Request> = {}) => {
  const server = await during(startSoap(answer));
  const result = await call(server.host, request);
  const received = server.received.at(-1);
  if (received === undefined) throw new Error('Nothing was sent');
  return { result, received };
};
const answered = async (answer: SoapAnswer, request: Partial<Request> = {}) => (await exchange(answer, request)).result;

const ok = { body: envelope11('<ok/>') };

describe('the envelope of the soap driver', () => {
  it('has every value as text, whatever is in it', async () => {
    const { received } = await exchange(ok);
    const { method, headers, body } = received;
    expect({ method, type: headers['content-type'], action: headers['soapaction'], key: headers['idempotency-key'] }).toEqual({
      method: 'POST',
      type: 'text/xml; charset=utf-8',
      action: '"urn:GetOrder"',
      key: 'c0ffee',
    });
    expect(body).toContain('<o:GetOrder xmlns="urn:default" lang="es &#34;x&#34;"><o:id>7</o:id><o:id>8</o:id><o:none xsi:nil="true"/>');
    expect(body).toContain('<o:note>a &#60; b &#38; &#34;c&#34;&#13;&#10;</o:note>');
    expect(body).not.toContain('soap:Header');
  });

  it('is one of version 1.2 where that is asked for', async () => {
    const { received, result } = await exchange({ body: envelope12('<ok/>'), type: 'application/soap+xml' }, { version: '1.2' });
    expect(received.headers['content-type']).toBe('application/soap+xml; charset=utf-8; action="urn:GetOrder"');
    expect(received.headers['soapaction']).toBeUndefined();
    expect(received.body).toContain('xmlns:soap="http://www.w3.org/2003/05/soap-envelope"');
    expect(result).toMatchObject({ kind: 'response', response: { body: { ok: '' } } });
  });

  it('is read back as it was written, whatever its texts are', async () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !/(?![\t\n\r\x7f-\x9f])\p{Cc}|[\ufffe\uffff]/u.test(value));
    const value = fc.letrec<{ value: JsonObject[string] }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.constant(null),
        fc.array(text, { minLength: 2, maxLength: 3 }),
        fc.dictionary(fc.stringMatching(/^@?[a-z]\w{0,5}$/), text, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
        fc.record({ a: tie('value'), b: text }, { noNullPrototype: true }),
      ),
    })).value;
    await fc.assert(
      fc.asyncProperty(value, async (given) => {
        const body = { call: given };
        const { body: read } = await readEnvelope(writeEnvelope({ ...asked, body }, undefined), '1.1');
        expect(read).toEqual(body);
      }),
      { numRuns: 500 },
    );
  });

  it('holds the token of a user, new at every call', async () => {
    const sent = async (password: 'text' | 'digest') =>
      (await exchange(ok, { wsSecurity: { credentialId: 'basic', password }, header: { 'o:Session': 's' } })).received.body;
    const plain = await sent('text');
    expect(plain).toContain('<wsse:Username>hilo</wsse:Username>');
    expect(plain).toContain('#PasswordText">pass&#60;&#38;&#62;word</wsse:Password>');
    expect(plain).toContain('<o:Session>s</o:Session>');
    const [first, second] = [await sent('digest'), await sent('digest')];
    const [, digest = ''] = /#PasswordDigest">([^<]*)</.exec(first) ?? [];
    const [, nonce = ''] = /<wsse:Nonce[^>]*>([^<]*)</.exec(first) ?? [];
    const expected = createHash('sha1').update(Buffer.from(nonce, 'base64')).update('2031-01-02T00:00:00.000Z').update('pass<&>word');
    expect(digest).toBe(expected.digest('base64'));
    expect(first).not.toContain('pass');
    expect(second).not.toContain(nonce);
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect with %i, so that a password goes nowhere else (T11, P31)', async (status) => {
    const thief = await during(startSoap(ok));
    const home = await during(
      startHttp((_request, response) => void response.writeHead(status, { location: `http://${thief.host}/stolen` }).end()),
    );
    const listed = dialer({ allow: [home.host, thief.host] });
    const result = await call(home.host, { wsSecurity: { credentialId: 'basic', password: 'text' } }, listed);
    expect(result).toMatchObject({ kind: 'unreachable', outcome: 'unknown', message: expect.stringContaining('not followed') as unknown });
    expect([home.received.length, thief.received.length]).toEqual([1, 0]);
  });

  it('is not sent with a credential that has no password, or that nobody has (P28)', async () => {
    const failing = (credentialId: string) => call('127.0.0.1:1', { wsSecurity: { credentialId, password: 'text' } });
    await expect(failing('bearer')).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID', wasSent: false });
    await expect(failing('nobody')).rejects.toMatchObject({ code: 'CREDENTIAL_MISSING', wasSent: false });
  });
});

describe('an answer to the soap driver', () => {
  it('is JSON without prefixes, and every value the text it was', async () => {
    const order = `<o:r xmlns:o="urn:o" xmlns:i="http://www.w3.org/2001/XMLSchema-instance" o:lang="es">
      <o:id>007</o:id><o:line i:type="x">1</o:line><line>2</line><o:none i:nil="true"/><o:empty/><o:t><![CDATA[<&]]>&amp;</o:t>
      <mixed>a<b>c</b></mixed><blank of="&#160;">&#160;</blank><__proto__>p</__proto__></o:r>`;
    const result = await answered({ body: envelope11(order) });
    expect(JSON.parse(JSON.stringify(result))).toMatchObject({
      kind: 'response',
      response: {
        body: {
          r: {
            '@lang': 'es',
            id: '007',
            line: ['1', '2'],
            none: null,
            empty: '',
            t: '<&&',
            mixed: { '#text': 'a', b: 'c' },
            blank: { '@of': '\u00a0', '#text': '\u00a0' },
          },
        },
      },
    });
    expect(({} as { readonly p?: unknown }).p).toBeUndefined();
  });

  it.each([
    ['utf-16', 'text/xml', Buffer.from(`\ufeff${envelope11('<a>ä</a>')}`, 'utf16le')],
    ['latin-1 by its type', 'text/xml; charset=iso-8859-1', Buffer.from(envelope11('<a>ä</a>'), 'latin1')],
    ['latin-1 by its own word', 'text/xml', Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${envelope11('<a>ä</a>')}`, 'latin1')],
    ['a type that is none', 'nonsense', Buffer.from(envelope11('<a>ä</a>'))],
  ])('is read in %s', async (_what, type, body) => {
    expect(await answered({ type, body })).toMatchObject({ response: { body: { a: 'ä' } } });
  });

  it('may be nothing at all', async () => {
    expect(await answered({ status: 202, body: '' })).toMatchObject({ kind: 'response', response: { status: 202, body: null } });
  });

  it('is a fault of version 1.1', async () => {
    const fault =
      '<s:Fault><faultcode>s:Client</faultcode><faultstring>No such order</faultstring><faultactor>urn:me</faultactor><detail><id>7</id></detail></s:Fault>';
    expect(await answered({ status: 500, body: envelope11(fault) })).toMatchObject({
      kind: 'fault',
      response: { status: 500, body: { Fault: { faultcode: 's:Client' } } },
      fault: { code: 'Client', message: 'No such order', actor: 'urn:me', detail: { id: '7' } },
    });
  });

  it('is a fault of version 1.2, also to a call of the other', async () => {
    const fault =
      '<e:Fault><e:Code><e:Value>e:Sender</e:Value><e:Subcode><e:Value>x:Gone</e:Value></e:Subcode></e:Code><e:Reason><e:Text xml:lang="en">No</e:Text></e:Reason></e:Fault>';
    for (const version of ['1.1', '1.2'] as const) {
      expect(await answered({ status: 400, type: 'application/soap+xml', body: envelope12(fault) }, { version })).toMatchObject({
        kind: 'fault',
        fault: { code: 'Sender', subcode: 'Gone', message: 'No' },
      });
    }
  });

  it('is a fault though it says nothing', async () => {
    const { fault } = (await answered({ status: 500, body: envelope11('<s:Fault/>') })) as { readonly fault: object };
    expect(fault).toEqual({ code: '', message: expect.stringContaining('did not say why') as string });
  });

  it('never holds the secrets of the call (P31)', async () => {
    const fault = `<s:Fault><faultcode>a</faultcode><faultstring>Not pass&lt;&amp;&gt;word</faultstring><detail>tok-en-123</detail></s:Fault>`;
    const request = { credentialId: 'bearer', wsSecurity: { credentialId: 'basic', password: 'text' } } as const;
    const result = JSON.stringify(await answered({ status: 500, body: envelope11(fault) }, request));
    expect(result).not.toMatch(/pass<&>word|tok-en-123/);
    expect(result).toContain('[redacted]');
  });
});

describe('what is no envelope', () => {
  const deep = (levels: number): string => `${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}`;
  const bomb = `<!DOCTYPE b [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n || ''};`.repeat(10)}">`).join('')}]>`;

  it.each([
    ['an external entity', 'dtd', `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${envelope11('<a>&x;</a>')}`],
    ['an external document type', 'dtd', `<!DOCTYPE a SYSTEM "http://169.254.169.254/">${envelope11('<a/>')}`],
    ['a public document type', 'dtd', `<?xml version="1.0"?><!DOCTYPE a PUBLIC "a" "http://x/">${envelope11('<a/>')}`],
    ['a parameter entity', 'dtd', `<!DOCTYPE a [<!ENTITY % p SYSTEM "http://x/"> %p;]>${envelope11('<a/>')}`],
    ['an entity bomb', 'dtd', `${bomb}${envelope11('<a>&a9;</a>')}`],
    ['an empty document type', 'dtd', `<!DOCTYPE a>${envelope11('<a/>')}`],
    ['a document type in utf-16', 'dtd', Buffer.from(`\ufeff<!DOCTYPE a>${envelope11('<a/>')}`, 'utf16le')],
    ['an unknown entity', 'malformed', envelope11('<a>&x;</a>')],
    ['too many levels', 'too-deep', envelope11(deep(80))],
    ['levels that would exhaust a stack', 'too-deep', envelope11(deep(30_000))],
    ['too many elements', 'too-many', envelope11('<a/>'.repeat(10_001))],
    ['too many attributes', 'too-many', envelope11(`<a ${Array.from({ length: 10_001 }, (_, n) => `a${n}=""`).join(' ')}/>`)],
    ['one attribute twice', 'malformed', envelope11('<a b="1" b="2"/>')],
    ['an end without its element', 'malformed', envelope11('</a>')],
    ['half an envelope', 'malformed', envelope11('<a>').slice(0, 80)],
    ['an undeclared prefix', 'malformed', envelope11('<x:a/>')],
    ['a control character', 'malformed', envelope11('<a>\u0001</a>')],
    ['the number of a control character', 'malformed', envelope11('<a>&#0;</a>')],
    ['a second root', 'malformed', `${envelope11('')}${envelope11('')}`],
    ['bytes that are no text', 'malformed', Buffer.from([0x3c, 0x61, 0xff, 0xfe, 0x3e])],
    ['an encoding that nobody knows', 'malformed', Buffer.from(`<?xml version="1.0" encoding="UTF-7"?>${envelope11('')}`)],
    ['blanks only', 'malformed', '   '],
    ['another document', 'no-envelope', '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>'],
    ['an envelope of no version', 'no-envelope', '<Envelope><Body/></Envelope>'],
    ['an envelope without a body', 'no-envelope', '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"/>'],
    ['a body of another namespace', 'no-envelope', '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><Body/></s:Envelope>'],
    ['an envelope of the other version', 'other-version', envelope12('<a/>')],
  ])('%s is %s (T14)', async (_what, reason, body) => {
    const result = await answered({ body });
    expect(result).toMatchObject({ kind: 'invalid', status: 200, reason });
    expect(JSON.stringify(result)).not.toContain('root:');
  });

  it.each([
    ['an inclusion that nobody makes', envelope11('<x:include xmlns:x="http://www.w3.org/2001/XInclude" href="/etc/passwd"/>')],
    ['a stylesheet that nobody fetches', `<?xml-stylesheet href="http://x/"?>${envelope11('<a/>')}`],
    ['a schema that nobody fetches', envelope11('<a/>', ' schemaLocation="urn:a http://169.254.169.254/"')],
  ])('%s does nothing (T14)', async (_what, body) => {
    const result = await answered({ body });
    expect(result).toMatchObject({ kind: 'response' });
    expect(JSON.stringify(result)).not.toContain('root:');
  });

  it('is told of with its status when it is no XML', async () => {
    const page = { status: 503, type: 'text/html', body: '<html>' };
    expect(await answered(page)).toMatchObject({ kind: 'invalid', status: 503, reason: 'not-xml' });
    expect(await answered({ type: 'multipart/related; boundary=x', body: '--x' })).toMatchObject({ reason: 'not-xml' });
  });

  it('is given up when it is longer than is read (P16, P20)', async () => {
    const body = envelope11(`<a>${'x'.repeat(300 * 1024)}</a>`);
    expect(await answered({ body })).toMatchObject({ kind: 'unreachable', reason: 'too-large', outcome: 'unknown' });
  });

  it('never makes the reader fail, whatever it is', async () => {
    const pieces = ['<a>', '</a>', '<', '>', '&', ';', '"', ' b="1"', '<!--', '-->', '<![CDATA[', ']]>', '<?', '?>', 'x', '<!D'];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...pieces)), async (parts) => {
        const read = readEnvelope(envelope11(parts.join('')), '1.1');
        const came = await read.then(
          () => 'Envelope',
          (error: unknown) => (isEnvelopeError(error) ? 'refused' : String(error)),
        );
        expect(['Envelope', 'refused']).toContain(came);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['text', envelope11(`<a>${'x'.repeat(250 * 1024)}</a>`)],
    ['references', envelope11(`<a>${'&amp;'.repeat(50 * 1024)}</a>`)],
    ['elements', envelope11('<averylongname bb=""/>'.repeat(4_900))],
  ])('the largest of %s is read while others have their turns (P20)', async (_what, xml) => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      turn = setImmediate(count);
    };
    let turn = setImmediate(count);
    await readEnvelope(xml, '1.1');
    clearImmediate(turn);
    expect(turns).toBeGreaterThan(10);
  });
});

describe('no answer to the soap driver', () => {
  it('says why, and whether anything was sent (P5)', async () => {
    const port = await freePort();
    expect(await call(`127.0.0.1:${port}`)).toMatchObject({ kind: 'unreachable', reason: 'refused', outcome: 'failed' });
    expect(await call('127.0.0.1:1', { url: 'http://169.254.169.254/' })).toMatchObject({ reason: 'blocked', outcome: 'failed' });
    expect(await call('127.0.0.1:1', { url: 'nonsense' })).toMatchObject({ reason: 'invalid-url', outcome: 'failed' });
  });
});
