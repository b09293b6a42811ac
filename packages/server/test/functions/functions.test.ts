import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Json } from '@hilo/engine/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { acmeKey, functionsStage, type FunctionsStage, legacyToken, otherKey } from './functions-stage.ts';

let stage: FunctionsStage;
beforeAll(async () => {
  stage = await functionsStage({
    context: 'export default (body, context) => ({ echo: context });',
    throws: 'export default () => { throw new Error("a secret of the function"); };',
    broken: 'export default (',
    floods: 'export default () => "x".repeat(1_300_000);',
    keeps: 'export default () => { globalThis.kept = Buffer.alloc(150e6, 1); return 1; };',
    nothing: 'export default () => undefined;',
    calls: 'export default async (url) => { try { return (await fetch(url)).status; } catch (error) { return error.message; } };',
  });
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

const echo = '/functions/fn_echo';
const token = { 'x-service-token': legacyToken };
const unauthorized = { status: 401, body: { error: 'Unauthorized' } };

describe('a call of a function (FUN-01)', { timeout: 120_000 }, () => {
  it('passes the body to the function and returns its result', async () => {
    expect(await stage.ask('POST', echo, acmeKey, { a: [1, 'ü'] })).toMatchObject({ status: 200, body: { echo: { a: [1, 'ü'] } } });
    expect(await stage.ask('POST', echo, acmeKey)).toMatchObject({ status: 200, body: { echo: null } });
    expect(await stage.ask('POST', '/functions/nothing', acmeKey, {})).toMatchObject({ status: 200, body: null });
  });

  it('hands the key of the caller on', async () => {
    const headers = { ...acmeKey, 'idempotency-key': 'order-7' };
    expect(await stage.ask('POST', '/functions/context', headers, {})).toMatchObject({
      body: { echo: { functionId: 'context', idempotencyKey: 'order-7' } },
    });
  });

  it.each([
    [256, 200],
    [257, 400],
    [0, 400],
  ])('hands on a key of %i characters, or refuses it, and never a part of it (P4): %i', async (length, status) => {
    const headers = { ...acmeKey, 'idempotency-key': 'k'.repeat(length) };
    expect(await stage.ask('POST', '/functions/context', headers, {})).toMatchObject({ status });
  });

  it('answers 500 without details when the function throws, and logs the reason (ERR-04)', async () => {
    const { status, body } = await stage.ask('POST', '/functions/throws', acmeKey, {});
    expect({ status, body }).toEqual({
      status: 500,
      body: { message: ['Something went wrong on our side; please try again later'], statusMessage: 'failed', status: 0 },
    });
    expect(JSON.stringify(stage.logged)).toContain('a secret of the function');
  });

  it('answers 413 with a message when the function returns more than the limit', async () => {
    expect(await stage.ask('POST', '/functions/floods', acmeKey, {})).toMatchObject({
      status: 413,
      body: { error: 'ANSWER_TOO_LARGE', message: expect.stringContaining('more than 1.2 MB') as unknown },
    });
  });

  it.runIf(existsSync('/proc/self/status'))('warns once of a function that keeps too much, and counts it (P22)', async () => {
    for (const count of [1, 2]) {
      expect(await stage.ask('POST', '/functions/keeps', acmeKey, {})).toMatchObject({ status: 200 });
      // The next call has a process of its own then, and not what this one keeps.
      await vi.waitFor(async () => {
        expect(await stage.metrics()).toContain(`hilo_limits_reached_total{limit="function-memory"} ${count}\n`);
      }, 60_000);
    }
    const warnings = stage.logged.filter(({ fields }) => 'limit' in fields && fields.limit === 'function-memory');
    expect(warnings).toMatchObject([{ fields: { holder: '1', functionId: 'keeps' } }]);
  });

  it('answers 503 with Retry-After when the function does not start', async () => {
    const { status, headers } = await stage.ask('POST', '/functions/broken', acmeKey, {});
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('lets it reach public addresses alone (P30, T10)', async () => {
    for (const url of ['http://169.254.169.254/latest/meta-data/', 'http://127.0.0.1/', `${stage.url}/admin/v1/workflows`])
      expect(await stage.ask('POST', '/functions/calls', acmeKey, JSON.stringify(url))).toMatchObject({
        status: 200,
        body: expect.stringContaining('EGRESS_REFUSED') as unknown,
      });
  });

  it.each([
    ['no JSON', '{', {}, 400],
    ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 400],
    ['what is too deep', '['.repeat(100), {}, 400],
    ['what is too large', `"${'x'.repeat(1_100_000)}"`, {}, 413],
  ])('refuses %s', async (_what, body, headers, status) => {
    expect(await stage.ask('POST', echo, { ...acmeKey, ...headers }, body)).toMatchObject({ status, body: { error: 'INVALID_REQUEST' } });
  });

  it.each(['GET', 'PUT', 'DELETE'])('refuses %s (GEN-06)', async (method) => {
    expect(await stage.ask(method, echo, acmeKey)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
  });

  it.each<readonly [string, Json]>([
    ['1 MB', { a: 'x'.repeat(1_048_568) }],
    ['64 levels', Array.from({ length: 64 }).reduce<Json>((inside) => (inside === null ? [] : [inside]), null)],
    ['10,000 keys', Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, index]))],
  ])('returns its input, up to the size limit: %s (P32, P33)', async (_what, body) => {
    expect(await stage.ask('POST', echo, acmeKey, body)).toMatchObject({ status: 200, body: { echo: body } });
  });
});

describe('the node function', { timeout: 120_000 }, () => {
  const greeting = async (functionId: string): Promise<unknown> => {
    const text = await readFile(new URL('../../../../examples/canvases/greeting.json', import.meta.url), 'utf8');
    return JSON.parse(text.replace('fn_echo', functionId).replace('"id": "greeting"', `"id": "greeting-${functionId}"`));
  };
  const publish = async (functionId: string) => {
    const path = `/workflows/greeting-${functionId}`;
    await stage.manage('PUT', `${path}?companyId=1`, await greeting(functionId));
    return stage.manage('POST', `${path}/publish?companyId=1`);
  };
  const call = (functionId: string) =>
    stage.ask(
      'POST',
      `/workflows/v2/webhooks/skill/greeting-${functionId}/web/called`,
      { 'x-api-key': 'hk_acme_0123456789abcdef' },
      { name: 'Ana' },
    );

  it('calls the function of its company, and a function that fails leads to error', async () => {
    for (const functionId of ['fn_echo', 'throws']) expect(await publish(functionId)).toMatchObject({ status: 200 });
    expect(await call('fn_echo')).toMatchObject({ status: 200, body: { greeting: 'Hello Ana' } });
    expect(await call('throws')).toMatchObject({ status: 502, body: { error: 'FUNCTION_FAILED' } });
  });

  it('is not published with a function that does not exist', async () => {
    expect(await publish('nobody')).toMatchObject({
      status: 422,
      body: { problems: [{ nodeId: 'ask', pointer: '/nodes/1/data/functionId' }] },
    });
  });

  it('passes the key of the effect to the function, the same for all attempts (P4)', async () => {
    await publish('context');
    const { body } = await call('context');
    const { idempotencyKey } = body as { readonly idempotencyKey: string };
    const list = await stage.manage('GET', '/executions?companyId=1&workflowId=greeting-context');
    const [{ executionId } = { executionId: '' }] = (list.body as { readonly results: readonly { readonly executionId: string }[] })
      .results;
    expect(await stage.manage('GET', `/executions/${executionId}/history?companyId=1`)).toMatchObject({
      body: {
        entries: expect.arrayContaining([
          expect.objectContaining({ effect: expect.objectContaining({ type: 'function.call', key: idempotencyKey }) as unknown }),
        ]) as unknown,
      },
    });
  });
});

describe('the door of a function', { timeout: 120_000 }, () => {
  it.each([echo, `${echo}/mcp`, '/functions/nobody', '/functions/nobody/mcp', `${echo}/more`])(
    'of %s is closed without a credential: 401 before 404 and 400 (AUT-07, P27)',
    async (path) => {
      for (const method of ['POST', 'GET', 'DELETE', 'PUT']) {
        const { status, body, headers } = await stage.ask(method, path, {}, method === 'GET' ? undefined : '{');
        expect({ status, body }).toEqual(unauthorized);
        expect(headers.get('www-authenticate')).toBe('Bearer');
      }
    },
  );

  it('opens to an API key as Bearer, in any case (AUT-03)', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER '])
      expect(await stage.ask('POST', echo, { authorization: `${scheme} hk_acme_0123456789abcdef` }, {})).toMatchObject({ status: 200 });
  });

  it('opens to a runtime token of this function as X-Service-Token (AUT-04)', async () => {
    expect(await stage.ask('POST', echo, token, { a: 1 })).toMatchObject({ status: 200, body: { echo: { a: 1 } } });
    expect(await stage.ask('POST', '/functions/context', token, {})).toMatchObject(unauthorized);
    expect(await stage.ask('POST', '/functions/nobody', token, {})).toMatchObject(unauthorized);
  });

  it.each<readonly [string, string, { readonly [name: string]: string }, unknown]>([
    ['a runtime token as Bearer (AUT-05)', echo, { authorization: `Bearer ${legacyToken}` }, {}],
    ['a runtime token in the query (AUT-05)', `${echo}?X-Service-Token=${legacyToken}&token=${legacyToken}`, {}, {}],
    ['a runtime token in the body (AUT-05)', echo, {}, { token: legacyToken, 'X-Service-Token': legacyToken }],
    ['a runtime token in a cookie', echo, { cookie: `X-Service-Token=${legacyToken}` }, {}],
    ['an API key as X-Service-Token', echo, { 'x-service-token': 'hk_acme_0123456789abcdef' }, {}],
    ['an API key as x-api-key', echo, { 'x-api-key': 'hk_acme_0123456789abcdef' }, {}],
    ['the basic credentials of a client', echo, { authorization: `Basic ${btoa('acme-client:s3c:ret-of-acme')}` }, {}],
    ['the admin token', echo, { authorization: 'Bearer admin-token-0123456789' }, {}],
    ['a token without its prefix (AUT-09)', echo, { 'x-service-token': legacyToken.slice(7) }, {}],
    ['a token and more', echo, { 'x-service-token': `${legacyToken}x` }, {}],
    ['a token twice', echo, { 'x-service-token': `${legacyToken}, ${legacyToken}` }, {}],
    ['a token in capitals', echo, { 'x-service-token': legacyToken.toUpperCase() }, {}],
    ['an empty key', echo, { authorization: 'Bearer ' }, {}],
    ['a wrong key beside a right token', echo, { authorization: 'Bearer nobody', ...token }, {}],
  ])('stays closed to %s', async (_what, path, headers, body) => {
    for (const address of [path, path.replace(echo, `${echo}/mcp`)]) {
      const answer = await stage.ask('POST', address, headers, body);
      expect({ status: answer.status, body: answer.body }).toEqual(unauthorized);
    }
  });

  it('refuses a token over 4 KB, and treats one of 4 KB as wrong (AUT-06)', async () => {
    for (const length of [4_096, 4_097, 8_000]) {
      const long = { 'x-service-token': 'hfn_rt_'.padEnd(length, 'x') };
      expect(await stage.ask('POST', echo, long, {})).toMatchObject(unauthorized);
    }
  });

  it("shows another company's function as none at all (P28)", async () => {
    const [theirs, ofUnknown] = await Promise.all(['fn_echo', 'nobody'].map((id) => stage.ask('POST', `/functions/${id}`, otherKey, {})));
    expect(theirs).toMatchObject({ status: 404, body: { error: 'FUNCTION_NOT_FOUND' } });
    expect(theirs?.body).toEqual(ofUnknown?.body);
  });

  it('leaves the health of a function open', async () => {
    expect(await stage.ask('GET', `${echo}/__health`)).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await stage.ask('GET', '/functions/nobody/__health')).toMatchObject({ status: 404 });
  });
});
