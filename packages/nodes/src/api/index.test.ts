import type { Json, JsonObject } from '@hilo/engine/contract';
import { visit, type VisitOptions } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { api } from './index.ts';

const url = 'https://api.test/orders';
const accepts = (config: JsonObject) => api.config.safeParse({ url, ...config }).success;
const request = (config: JsonObject, options: VisitOptions = {}) =>
  visit(api, { config: { url, ...config }, ...options }).effects[0]?.request;
const body = { state: 'lost', owner: null };
const answered = (status: number) => ({ kind: 'response', response: { status, headers: { etag: '1' }, body } });
const unreachable = (reason: string) => ({ kind: 'unreachable', reason });
const company = (plan: string, kind = 'self-service') => ({ $company: { plan, kind } });

describe('the request of api', () => {
  it('is a GET without a body by default', () => {
    expect(visit(api, { config: { url } }).effects).toEqual([
      { type: 'http.request', request: { method: 'GET', url, headers: {}, bodyKind: 'none', responseType: 'auto', timeoutMs: 60_000 } },
    ]);
  });

  it('has its texts rendered and its credentials by name (TMO-04)', () => {
    const config = {
      method: 'POST',
      url: 'https://api.test/{{$context.id}}',
      headers: { 'X-Id': 'id {{$context.id}}' },
      body: { id: '{{$context.id}}' },
      auth: { credentialId: 'basic' },
      clientCertificate: { credentialId: 'cert' },
      responseType: 'text',
      timeout: 'PT5S',
    };
    expect(request(config, { variables: { $context: { id: 7 } } })).toEqual({
      method: 'POST',
      url: 'https://api.test/7',
      headers: { 'X-Id': 'id 7' },
      bodyKind: 'json',
      body: { id: 7 },
      responseType: 'text',
      credentialId: 'basic',
      clientCertificateId: 'cert',
      timeoutMs: 5_000,
    });
  });

  it('carries every query value to the other side as it is', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('', '?a=1', '#top', '?a=1#top'), (value, rest) => {
        const sent = request({ url: `${url}${rest}`, query: { q: '{{$context.value}}' } }, { variables: { $context: { value } } });
        const address = new URL((sent as { readonly url: string }).url);
        expect(address.searchParams.get('q')).toBe(value);
        expect(address.searchParams.get('a')).toBe(rest.startsWith('?') ? '1' : null);
      }),
    ));

  it('survives half a surrogate pair in a query value', () => {
    expect(request({ query: { q: '{{$context.v}}' } }, { variables: { $context: { v: '\ud800' } } })).toMatchObject({
      url: `${url}?q=%EF%BF%BD`,
    });
  });

  it.each([['a\r\nX-Admin: 1'], ['a\nb'], ['\0'], ['snow ☃']])('is not made with the header value %j', (value) => {
    const { by, failure, effects } = visit(api, {
      config: { url, headers: { 'X-Name': '{{$context.v}}' } },
      variables: { $context: { v: value } },
    });
    expect({ by, cause: failure?.cause, effects }).toEqual({ by: 'error', cause: 'INVALID_HEADER', effects: [] });
  });

  it.each([
    ['form', ['a']],
    ['form', { a: { b: 1 } }],
    ['form', 'a=1'],
    ['text', { a: 1 }],
    ['text', 1],
    ['file', 'https://files.test/a.pdf'],
    ['file', { field: 'document' }],
    ['file', { url: '' }],
    ['multipart', 'a=1'],
    ['multipart', { a: null }],
    ['multipart', { a: { b: 1 } }],
    ['multipart', { a: { url: '' } }],
    ['multipart', { a: [[1]] }],
    ['file', { url: 'https://files.test/a.pdf', content: 'a' }],
    ['file', { url: 'https://files.test/a.pdf', fields: { a: 1 } }],
    ['file', { url: 'https://files.test/a.pdf', field: 'document', fields: { a: [] } }],
  ])('is not made with a %s body %j', (bodyKind, value) => {
    const config = { url, method: 'POST', bodyKind, body: '{{$context.v}}' };
    const { by, failure, effects } = visit(api, { config, variables: { $context: { v: value } } });
    expect({ by, cause: failure?.cause, effects }).toEqual({ by: 'error', cause: 'INVALID_BODY', effects: [] });
    expect(accepts({ bodyKind, body: value })).toBe(false);
  });
});

describe('the address of a call', () => {
  const called = (id: Json) =>
    visit(api, { config: { url: 'https://shop.test/orders/{{$context.id}}/state?q={{$context.id}}' }, variables: { $context: { id } } });

  it.each(['../../admin', 'a?x=1', 'a#frag', 'a/b', '%2e%2e', 'a\\b'])('keeps %j as one segment and one value', (id) => {
    const encoded = encodeURIComponent(id);
    expect(called(id).effects[0]?.request).toMatchObject({ url: `https://shop.test/orders/${encoded}/state?q=${encoded}` });
  });

  it.each(['', null, '.', '..'])('is an error for the segment %j', (id) => {
    expect(() => called(id)).toThrow('the address cannot be made');
  });

  it('is encoded for a file, too', () => {
    const body = { url: 'https://files.test/{{$context.id}}.pdf', field: 'document' };
    const config = { url, method: 'POST', bodyKind: 'file', body };
    const { effects } = visit(api, { config, variables: { $context: { id: '../a' } } });
    expect(effects[0]?.request).toMatchObject({ body: { url: 'https://files.test/..%2Fa.pdf' } });
  });
});

describe('a file as the body of api', () => {
  it('is named by its address, which may come from what a user has sent', () => {
    const body = { url: '{{$message.mediaUrl}}', field: 'document', fields: { order: '{{$context.id}}' } };
    const sent = request(
      { method: 'POST', bodyKind: 'file', body },
      { variables: { $message: { mediaUrl: 'https://files.test/a.pdf' }, $context: { id: 7 } } },
    );
    expect(sent).toMatchObject({
      bodyKind: 'file',
      body: { url: 'https://files.test/a.pdf', field: 'document', fields: { order: 7 } },
    });
  });
});

describe('a handle in the body of api', () => {
  const handle = `file_${'k'.repeat(32)}`;
  const sent = (bodyKind: string, body: Json) =>
    request({ method: 'POST', bodyKind, body }, { variables: { $message: { file: handle }, $user: { id: '521' } } });

  it('is the whole body, or the file of a form', () => {
    expect(sent('file', '{{$message.file}}')).toMatchObject({ bodyKind: 'file', body: { url: handle } });
    expect(sent('file', { url: '{{$message.file}}', field: 'scan' })).toMatchObject({ body: { url: handle, field: 'scan' } });
  });

  it('is a field of a form with others beside it', () => {
    const body = {
      scan: '{{$message.file}}',
      pages: [{ url: '{{$message.file}}', name: 'page {{$user.id}}' }],
      who: '{{$user.id}}',
      urgent: true,
    };
    expect(sent('multipart', body)).toMatchObject({
      bodyKind: 'multipart',
      body: { scan: handle, pages: [{ url: handle, name: 'page 521' }], who: '521', urgent: true },
    });
  });
});

describe('the answer to api', () => {
  const ports = (statuses: readonly number[], config: JsonObject = {}) =>
    statuses.map((status) => visit(api, { config: { url, ...config }, results: [answered(status)] }).by);

  it('is a success from 200 to 399', () => {
    expect(ports([199, 200, 399, 400])).toEqual(['error', 'success', 'success', 'error']);
  });

  it('is a success for the statuses named, and no other', () => {
    expect(ports([200, 404, 409], { successStatuses: [404, 409] })).toEqual(['error', 'success', 'success']);
  });

  it('is kept whole, also when its status is no success', () => {
    const config = { url, saveAs: '$context.result' };
    const kept = (status: number) => visit(api, { config, results: [answered(status)] });
    const written = (status: number) => ({ '$context.result': { status, headers: { etag: '1' }, body } });
    expect(kept(200).writes).toEqual(written(200));
    expect(kept(500)).toMatchObject({ by: 'error', writes: written(500), failure: { cause: 'HTTP_STATUS', details: { status: 500 } } });
  });

  it.each([429, 503])('of status %i passes on Retry-After, beside the stored response (P24)', (status) => {
    const result = { ...answered(status), retryAfterMs: 30_000 };
    const { writes, failure } = visit(api, { config: { url, saveAs: '$context.result' }, results: [result] });
    expect(failure?.details).toEqual({ status, retryAfterMs: 30_000 });
    expect(writes).toEqual({ '$context.result': { status, headers: { etag: '1' }, body } });
  });

  it('of another status, or without Retry-After, requests no pause', () => {
    const details = (result: JsonObject) => visit(api, { config: { url }, results: [result] }).failure?.details;
    expect(details({ ...answered(500), retryAfterMs: 30_000 })).toEqual({ status: 500 });
    expect(details(answered(429))).toEqual({ status: 429 });
  });

  describe('mapped to variables', () => {
    const responseMapping = [
      { path: '$context.state', from: 'body.state' },
      { path: '$context.tag', from: 'headers.etag' },
      { path: '$context.code', from: 'status' },
      { path: '$context.owner', from: 'body.owner', default: 'nobody' },
      { path: '$memory.city', from: 'body.city[0].name', default: 'Lima' },
    ];
    const mapped = (config: JsonObject, status = 200) => visit(api, { config: { url, ...config }, results: [answered(status)] });

    it('stores the configured parts, and a default for missing ones', () => {
      expect(mapped({ responseMapping })).toMatchObject({
        by: 'success',
        writes: { '$context.state': 'lost', '$context.tag': '1', '$context.code': 200, '$context.owner': null, '$memory.city': 'Lima' },
      });
      const config = api.config.parse({ url, saveAs: '$context.all', responseMapping });
      expect(api.writes(config)).toEqual({
        success: ['$context.all', '$context.state', '$context.tag', '$context.code', '$context.owner', '$memory.city'],
      });
    });

    it.each(['body.other', 'body.state.length', 'headers.ETAG', 'body[0]'])(
      'leaves by error, and keeps no part, where %s is not in the answer',
      (from) => {
        const wanted = [...responseMapping, { path: '$context.other', from }];
        const { by, writes, failure } = visit(api, {
          config: { url, saveAs: '$context.all', responseMapping: wanted },
          results: [answered(200)],
        });
        expect(Object.keys(writes)).toEqual(['$context.all']);
        expect([by, failure?.cause, failure?.details]).toEqual(['error', 'RESPONSE_MAPPING', { from }]);
      },
    );

    it('is not made of an unsuccessful response', () => {
      expect(mapped({ responseMapping }, 404)).toMatchObject({ by: 'error', writes: {}, failure: { cause: 'HTTP_STATUS' } });
    });

    it.each([
      ['no part of an answer', [{ path: '$context.a', from: 'reply.id' }]],
      ["JavaScript's own names (T8)", [{ path: '$context.a', from: 'body.__proto__.polluted' }]],
      ["JavaScript's own names as a place (T8)", [{ path: '$context.constructor.prototype', from: 'body' }]],
      ['a place that is not the author’s', [{ path: '$user.names', from: 'body' }]],
      ['no mapping', []],
    ])('refuses %s', (_, wanted) => {
      expect(accepts({ responseMapping: wanted })).toBe(false);
    });
  });

  it.each(['invalid-url', 'refused', 'blocked', 'too-large'])('is HTTP_UNREACHABLE when there is none: %s', (reason) => {
    const { by, failure } = visit(api, { config: { url }, results: [unreachable(reason)] });
    expect({ by, cause: failure?.cause, details: failure?.details }).toEqual({
      by: 'error',
      cause: 'HTTP_UNREACHABLE',
      details: { reason },
    });
  });
});

describe('the time of api', () => {
  const cut = (config: JsonObject, variables: JsonObject) =>
    visit(api, { config: { url, ...config }, variables, results: [unreachable('timeout')] }).failure;

  it('is cut by the plan, with the limit, the configured value and the applied time (TMO-01, TMO-06)', () => {
    expect(cut({ timeout: 'PT45S' }, company('free'))).toMatchObject({
      cause: 'PLAN_TIMEOUT_EXCEEDED',
      details: { limitMs: 10_000, configuredMs: 45_000, appliedMs: 10_000 },
    });
    expect(cut({}, company('growth'))).toMatchObject({ details: { limitMs: 30_000, configuredMs: null, appliedMs: 30_000 } });
  });

  it('is cut by its own time-out where that is the shorter one (TMO-07)', () => {
    expect(cut({ timeout: 'PT5S' }, company('free'))).toMatchObject({ cause: 'TIMEOUT', details: { limitMs: 10_000, appliedMs: 5_000 } });
  });

  it('has no plan limit for enterprise companies, with a client certificate, and without a company (TMO-02, TMO-04)', () => {
    const clientCertificate = { credentialId: 'cert' };
    for (const failure of [cut({}, company('free', 'enterprise')), cut({ clientCertificate }, company('free')), cut({}, {})]) {
      expect(failure).toMatchObject({ cause: 'TIMEOUT', details: { limitMs: null, configuredMs: null, appliedMs: 60_000 } });
    }
  });

  it('uses the shortest limit for a company without a known plan', () => {
    expect(cut({}, { $company: { id: 1 } })).toMatchObject({ details: { limitMs: 10_000 } });
  });

  it('is passed to both the engine and the driver', () => {
    const { outcome, effects } = visit(api, { config: { url }, variables: company('builder') });
    expect(outcome).toMatchObject({
      deadline: { appliedMs: 20_000, cause: 'PLAN_TIMEOUT_EXCEEDED', details: { limitMs: 20_000, configuredMs: null, appliedMs: 20_000 } },
    });
    expect(effects[0]?.request).toMatchObject({ timeoutMs: 20_000 });
  });

  it('holds the user for the time-out of the node, 60 s if unset (RET-02)', () => {
    const hold = { message: 'One moment.', onMessage: 'queue' } as const;
    const held = (config: JsonObject) => visit(api, { config: { url, ...config }, variables: company('free'), hold }).outcome;
    expect(held({})).toMatchObject({ hold: { capMs: 60_000, onMessage: 'queue', reply: { type: 'message.send' } } });
    expect(held({ timeout: 'PT45S' })).toMatchObject({ hold: { capMs: 45_000 } });
    expect(visit(api, { config: { url } }).outcome).not.toHaveProperty('hold');
  });
});

describe('the config of api', () => {
  it.each([
    ['a method that does not exist', { method: 'HEAD' }],
    ['a header name with a blank', { headers: { 'X Name': 'a' } }],
    ['a header value with a line break', { headers: { 'X-Name': 'a\nb' } }],
    ['a path in place of an address', { url: '/orders' }],
    ['no address', { url: '' }],
    ['an address of another kind', { url: 'ftp://shop.example' }],
    ['an address with a password', { url: 'https://ana:secret@shop.example' }],
    ['a form that can only be a text', { bodyKind: 'form', body: 'a={{$context.a}}' }],
    ['a status that does not exist', { successStatuses: [600] }],
    ['no successful status at all', { successStatuses: [] }],
    ['a body that would not be sent', { bodyKind: 'none', body: 'a' }],
    ['a kind of body without one', { bodyKind: 'json' }],
    ['a time-out in seconds', { timeout: 20 }],
    ['a secret in place of a credential', { auth: { token: 'abc' } }],
  ])('refuses %s', (_, config) => {
    expect(accepts(config)).toBe(false);
  });

  it.each(['http://127.0.0.1:8080/a?b=c@d#e', 'HTTPS://shop.example', '{{$context.url}}', 'https://{{$context.host}}/a'])(
    'accepts the URL %s',
    (address) => {
      expect(accepts({ url: address })).toBe(true);
    },
  );

  it('refers to its credentials', () => {
    const config = api.config.parse({ url, auth: { credentialId: 'a' }, clientCertificate: { credentialId: 'c' } });
    expect(api.references(config)).toEqual([
      { kind: 'credential', suits: ['basic', 'bearer', 'api-key', 'oauth2'], id: 'a', at: ['auth', 'credentialId'] },
      { kind: 'credential', suits: ['client-certificate'], id: 'c', at: ['clientCertificate', 'credentialId'] },
    ]);
  });

  it('warns of JSON written as a text', () => {
    const codes = (body: JsonObject) =>
      api.check(api.config.parse({ url, ...body }), { channels: [], kind: 'skill' }).map(({ code, severity }) => [code, severity]);
    expect(codes({ body: '{"id": "{{$context.id}}"}' })).toEqual([['TEXT_AS_JSON', 'warning']]);
    expect(codes({ body: '{{$context.order}}' })).toEqual([]);
    expect(codes({ body: 'plain', bodyKind: 'text' })).toEqual([]);
    expect(codes({ body: { id: 1 } })).toEqual([]);
  });
});
