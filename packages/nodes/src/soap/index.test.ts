import type { JsonObject } from '@hilo/engine/contract';
import { visit, type VisitOptions } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { soap } from './index.ts';

const url = 'https://soap.test/orders';
const body = { 'o:GetOrder': { 'o:id': '{{$context.id}}' } };
const namespaces = { o: 'urn:orders' };
const base = { url, body, namespaces };
const accepts = (config: JsonObject) => soap.config.safeParse({ ...base, ...config }).success;
const variables = { $context: { id: 7 } };
const answered = (config: JsonObject, result: JsonObject, options: VisitOptions = {}) =>
  visit(soap, { config: { ...base, ...config }, variables, results: [result], ...options });
const response = { status: 200, headers: { etag: '1' }, body: { GetOrderResponse: { state: 'lost' } } };

describe('the request of soap', () => {
  it('has its values in place, and its credentials by name', () => {
    const config = {
      ...base,
      version: '1.2',
      action: 'urn:{{$context.id}}',
      headers: { 'X-Id': '{{$context.id}}' },
      header: { 'o:Session': '{{$context.id}}' },
      auth: { credentialId: 'basic' },
      clientCertificate: { credentialId: 'cert' },
      wsSecurity: { credentialId: 'user', password: 'digest' },
      timeout: 'PT5S',
    };
    expect(visit(soap, { config, variables }).effects).toEqual([
      {
        type: 'soap.call',
        request: {
          url,
          version: '1.2',
          action: 'urn:7',
          headers: { 'X-Id': '7' },
          namespaces,
          header: { 'o:Session': 7 },
          body: { 'o:GetOrder': { 'o:id': 7 } },
          credentialId: 'basic',
          clientCertificateId: 'cert',
          wsSecurity: { credentialId: 'user', password: 'digest' },
          timeoutMs: 5_000,
        },
      },
    ]);
  });

  it.each([
    ['a name that ends the element', { 'o:GetOrder><x': 1 }],
    ['a name with a blank', { 'o:Get Order': 1 }],
    ['an empty name', { '': 1 }],
    ['a document type', { '!DOCTYPE': 'x' }],
    ['an instruction', { '?xml': 'x' }],
    ['an undeclared prefix', { 'p:GetOrder': 1 }],
    ['the prefix of the envelope', { 'soap:Fault': 1 }],
    ['the prefix of the security header', { 'wsse:Security': 1 }],
    ['an attribute of no element', { '@a': 1 }],
    ['an attribute that is an object', { a: { '@b': {} } }],
    ['an attribute that declares a prefix', { a: { '@xmlns:p': 'urn:p' } }],
    ['a list in a list', { a: [[1]] }],
    ['a control character', { a: '\u0001' }],
    ['half a surrogate pair', { a: '\ud800' }],
    ['no object', 'text'],
    ['a list', [1]],
    ['more levels than a value may have', Array.from({ length: 70 }).reduce<JsonObject>((inner) => ({ a: inner }), {})],
    ['more elements than a value may have', { a: Array.from({ length: 10_001 }, () => 1) }],
  ])('is not made with %s, at publish or at run time (T14)', (_what, elements) => {
    const config = { ...base, body: '{{$context.v}}' };
    const { by, failure, effects } = visit(soap, { config, variables: { $context: { v: elements } } });
    expect({ by, cause: failure?.cause, effects }).toEqual({ by: 'error', cause: 'INVALID_BODY', effects: [] });
    expect(accepts({ body: elements })).toBe(false);
  });

  it.each([['a\r\nX: 1'], ['a"; b="c'], ['snow ☃']])('is not made with the action %j (T16)', (value) => {
    const config = { ...base, action: '{{$context.v}}' };
    expect(visit(soap, { config, variables: { $context: { id: 1, v: value } } }).failure?.cause).toBe('INVALID_HEADER');
  });
});

describe('the config of soap', () => {
  it.each([
    ['no body', { body: undefined }],
    ['a body of XML', { body: '<GetOrder/>' }],
    ['a body that can only be a text', { body: '{{$context.a}}{{$context.b}}' }],
    ['a header of XML', { header: '<Token/>' }],
    ['an action with quotes', { action: '"urn:a"' }],
    ['an action with a line break', { action: 'urn:a\r\nX: 1' }],
    ['a header value with a line break', { headers: { 'X-Name': 'a\nb' } }],
    ['a path in place of an address', { url: '/orders' }],
    ['a version that does not exist', { version: '2.0' }],
    ['the prefix of the envelope', { namespaces: { soap: 'urn:x' } }],
    ['a prefix that is none', { namespaces: { 'a:b': 'urn:x' } }],
    ['an empty namespace', { namespaces: { o: '' } }],
    ['a method', { method: 'GET' }],
    ['a password in place of a credential', { wsSecurity: { username: 'a', password: 'b' } }],
    ['a kind of password that does not exist', { wsSecurity: { credentialId: 'a', password: 'plain' } }],
    ['a time-out in seconds', { timeout: 20 }],
    ['a header name with a blank', { headers: { 'a b': 'c' } }],
  ])('refuses %s', (_what, config) => {
    expect(accepts(config as JsonObject)).toBe(false);
  });

  it('refers to its credentials', () => {
    const config = soap.config.parse({ ...base, auth: { credentialId: 'a' }, wsSecurity: { credentialId: 'w' } });
    expect(soap.references(config)).toEqual([
      { kind: 'credential', suits: ['basic', 'bearer', 'api-key', 'oauth2'], id: 'a', at: ['auth', 'credentialId'] },
      { kind: 'credential', suits: ['basic'], id: 'w', at: ['wsSecurity', 'credentialId'] },
    ]);
  });
});

describe('the answer to soap', () => {
  const saveAs = '$context.result';
  const writes = { '$context.result': response };

  it('is kept', () => {
    expect(answered({ saveAs }, { kind: 'response', response })).toMatchObject({ by: 'success', writes });
  });

  it('is an error when it is a fault, which is kept as well', () => {
    const fault = { code: 'Client', message: 'No such order', detail: { id: '7' } };
    expect(answered({ saveAs }, { kind: 'fault', response, fault })).toMatchObject({
      by: 'error',
      writes,
      failure: { cause: 'SOAP_FAULT', message: 'No such order', details: { status: 200, code: 'Client', detail: { id: '7' } } },
    });
  });

  it.each([
    ['dtd', 200, 'SOAP_ANSWER_INVALID'],
    ['dtd', 500, 'SOAP_ANSWER_INVALID'],
    ['not-xml', 200, 'SOAP_ANSWER_INVALID'],
    ['not-xml', 503, 'HTTP_STATUS'],
  ])('is an error when it is %s with status %i', (reason, status, cause) => {
    const { by, failure } = answered({}, { kind: 'invalid', status, reason, message: 'Not this' });
    expect({ by, cause: failure?.cause, details: failure?.details }).toMatchObject({ by: 'error', cause, details: { status } });
  });

  it.each([
    { kind: 'invalid', status: 503, reason: 'not-xml', message: 'Not this' },
    { kind: 'response', response: { ...response, status: 429 } },
    { kind: 'fault', response: { ...response, status: 503 }, fault: { code: 'Server', message: 'Busy' } },
  ])('passes on the requested pause (P24): %j', (result) => {
    expect(answered({}, { ...result, retryAfterMs: 30_000 }).failure?.details).toMatchObject({ retryAfterMs: 30_000 });
  });

  it('is an error when its status is one', () => {
    expect(answered({}, { kind: 'response', response: { ...response, status: 500 } }).failure?.cause).toBe('HTTP_STATUS');
  });

  it('is cut by the plan as that of api is, unless there is a client certificate (TMO-01, TMO-04, TMO-05)', () => {
    const cut = (config: JsonObject, $company: JsonObject) =>
      answered(config, { kind: 'unreachable', reason: 'timeout' }, { variables: { ...variables, $company } }).failure;
    const free = { plan: 'free', kind: 'self-service' };
    expect(cut({ timeout: 'PT45S' }, free)).toMatchObject({
      cause: 'PLAN_TIMEOUT_EXCEEDED',
      details: { limitMs: 10_000, configuredMs: 45_000, appliedMs: 10_000 },
    });
    expect(cut({ timeout: 'PT5S' }, free)).toMatchObject({ cause: 'TIMEOUT', details: { appliedMs: 5_000 } });
    expect(cut({ clientCertificate: { credentialId: 'c' } }, free)).toMatchObject({ cause: 'TIMEOUT', details: { limitMs: null } });
  });

  it('keeps the user for the time-out of the node, 60 s if unset (RET-02)', () => {
    const held = (config: JsonObject) => visit(soap, { config: { ...base, ...config }, variables, hold: {} }).outcome;
    expect(held({})).toMatchObject({ hold: { capMs: 60_000 } });
    expect(held({ timeout: 'PT45S' })).toMatchObject({ hold: { capMs: 45_000 } });
  });
});
