import type { JsonObject } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { respond } from './respond.ts';

describe('respond', () => {
  it('answers the request that waits (WEB-24)', () => {
    const config = { status: 201, headers: { 'X-Order': '{{$context.id}}' }, body: { id: '{{$context.id}}', ok: true } };
    const visited = visit(respond, { config, variables: { $context: { id: 7 } }, results: [{ kind: 'done' }] });
    expect(visited).toMatchObject({
      by: 'next',
      effects: [{ type: 'webhook.respond', request: { status: 201, headers: { 'X-Order': '7' }, body: { id: 7, ok: true } } }],
    });
  });

  it('answers 200 without a body by default', () => {
    expect(visit(respond).effects).toEqual([{ type: 'webhook.respond', request: { status: 200, headers: {}, body: null } }]);
  });

  it.each([
    [199, false],
    [200, true],
    [201, true],
    [598, true],
    [599, true],
    [600, false],
    [200.5, false],
  ])('judges the status %d', (status, isTaken) => {
    expect(respond.config.safeParse({ status }).success).toBe(isTaken);
  });

  it.each<JsonObject>([{ 'a b': 'c' }, { '': 'c' }, { 'X-A': 'a\r\nb' }])('refuses the headers %j', (headers) => {
    expect(respond.config.safeParse({ headers }).success).toBe(false);
  });

  const problems = (name: string) => respond.check(respond.config.parse({ headers: { [name]: 'a' } }), { channels: [], kind: 'skill' });

  it.each([
    'Access-Control-Allow-Origin',
    'Alt-Svc',
    'Cache-Control',
    'Clear-Site-Data',
    'Connection',
    'Content-Encoding',
    'Content-Length',
    'Content-Security-Policy',
    'Cross-Origin-Resource-Policy',
    'Link',
    'Location-Of-Nobody',
    'Refresh',
    'Server',
    'Set-Cookie',
    'Strict-Transport-Security',
    'Transfer-Encoding',
    'Vary',
    'WWW-Authenticate',
    'X-Accel-Redirect',
    'X-Content-Type-Options',
    'X-Frame-Options',
    'X-Hilo-Cell',
    'x-hilo-anything',
    'x-request-id',
    'X-Sendfile',
  ])('is not published with the header %s, which is not the author’s to set (T20, P28)', (name) => {
    expect(problems(name)).toMatchObject([{ code: 'INVALID_CONFIG', severity: 'error', at: ['headers', name] }]);
  });

  it.each(['Content-Type', 'content-disposition', 'Location', 'Retry-After', 'ETag', 'X-Order', 'x-shop'])('may set %s', (name) => {
    expect(problems(name)).toEqual([]);
  });

  it('never sends a header that would end early, for any value', () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', 'é', '\t', '\r', '\n', '\0', '✓') }), (value) => {
        const visited = visit(respond, { config: { headers: { 'X-A': '{{$context.a}}' } }, variables: { $context: { a: value } } });
        const isSafe = !/[\r\n\0✓]/.test(value);
        expect(visited.failure?.cause).toBe(isSafe ? undefined : 'INVALID_HEADER');
        expect(visited.effects).toMatchObject(isSafe ? [{ request: { headers: { 'X-A': value } } }] : []);
      }),
    ));
});
