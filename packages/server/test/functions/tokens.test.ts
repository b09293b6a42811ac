import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { markRevoked } from '../../src/functions/sql.ts';
import { listen } from '../process/listening.ts';
import { acmeKey, functionsStage, legacyToken, secondToken } from './functions-stage.ts';

const tokens = '/functions/fn_echo/tokens';
/** Counts its calls; one that has an address is answered when that address has answered. */
const slow = `let calls = 0;
export default async (url) => {
  calls += 1;
  if (url !== null) await fetch(url);
  return calls;
};`;
const calling = (token: string) => ({ 'x-service-token': token });

describe('runtime tokens', () => {
  it('are listed by name, prefix, last use and creation, never by the token (TOK-01)', async () => {
    await using stage = await functionsStage();
    await stage.ask('POST', '/functions/fn_echo', calling(legacyToken), {});
    const { status, body } = await stage.manage('GET', tokens);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        results: [
          {
            id: 'rt_1',
            name: 'legacy',
            prefix: 'hfn_rt_',
            state: 'active',
            lastUsedAt: expect.any(String) as unknown,
            createdAt: '2025-01-01T00:00:00.000Z',
          },
          { id: 'rt_2', name: 'second', prefix: 'hfn_rt_', state: 'active', lastUsedAt: null, createdAt: '2025-02-01T00:00:00.000Z' },
        ],
        nextCursor: null,
      },
    });
    expect(await stage.manage('GET', '/functions')).toMatchObject({
      body: { results: [{ companyId: '1', functionId: 'fn_echo', name: 'echo' }] },
    });
    expect(await stage.manage('GET', '/functions?companyId=2')).toMatchObject({ status: 200, body: { results: [] } });
    expect(await stage.manage('GET', '/functions?companyId=9')).toMatchObject({ status: 404, body: { error: 'COMPANY_NOT_FOUND' } });
  });

  it('cannot be created by any authenticated request (TOK-02)', async () => {
    await using stage = await functionsStage();
    for (const path of [tokens, '/functions/nobody/tokens', `${tokens}?companyId=9`])
      expect(await stage.manage('POST', path)).toMatchObject({ status: 410, body: { error: 'GONE' } });
    expect(await stage.ask('POST', `/admin/v1${tokens}`, acmeKey)).toMatchObject({ status: 401 });
  });

  it('work until the redeploy has finished, and end one by one (TOK-03 to TOK-05)', async () => {
    const held = Promise.withResolvers<ServerResponse>();
    await using elsewhere = await listen((_request, response) => held.resolve(response));
    await using stage = await functionsStage({ slow }, [elsewhere.address]);
    const mine = `${legacyToken}_slow`;
    const call = (url: string | null, headers: { readonly [name: string]: string } = calling(mine)) =>
      stage.ask('POST', '/functions/slow', headers, JSON.stringify(url));
    expect(await call(null)).toMatchObject({ status: 200, body: 1 });
    const underWay = call(`http://${elsewhere.address}/`);
    // A redeploy has to wait for this call, which is under way now.
    const response = await held.promise;
    expect(await call(null)).toMatchObject({ status: 200 });

    expect(await stage.manage('POST', '/functions/slow/tokens/rt_1/revoke')).toMatchObject({ status: 200, body: { state: 'revoking' } });
    expect(await call(null)).toMatchObject({ status: 200 });
    expect(await stage.manage('GET', '/functions/slow/tokens')).toMatchObject({ body: { results: [{ state: 'revoking' }] } });

    response.end('over');
    expect(await underWay).toMatchObject({ status: 200 });
    await stage.service.functions.whenIdle();
    expect(await call(null)).toMatchObject({ status: 401, body: { error: 'Unauthorized' } });
    expect(await stage.manage('GET', '/functions/slow/tokens')).toMatchObject({ body: { results: [{ state: 'revoked' }] } });
    // The worker is another: it has counted one call, the one that was let in while the token was being revoked.
    expect(await call(null, acmeKey)).toMatchObject({ status: 200, body: 2 });
    expect(await stage.manage('POST', '/functions/slow/tokens/rt_1/revoke')).toMatchObject({ status: 200, body: { state: 'revoked' } });
    expect(await stage.ask('POST', '/functions/fn_echo', calling(secondToken), {})).toMatchObject({ status: 200 });
  });

  it('are unknown where they are not of this function', async () => {
    await using stage = await functionsStage();
    expect(await stage.manage('POST', `${tokens}/nobody/revoke`)).toMatchObject({ status: 404, body: { error: 'TOKEN_NOT_FOUND' } });
    for (const path of ['/functions/nobody/tokens/rt_1/revoke', `${tokens}/rt_1/revoke?companyId=2`])
      expect(await stage.manage('POST', path)).toMatchObject({ status: 404, body: { error: 'FUNCTION_NOT_FOUND' } });
  });

  it('are revoked in the end even when the process that began it has died', async () => {
    await using stage = await functionsStage();
    const { store, functions } = stage.service;
    // Durable, and the function is not deployed again yet.
    await store.runner.write([markRevoked({ companyId: '1', functionId: 'fn_echo', id: 'rt_1', nowMs: 1 })]);
    expect(await stage.ask('POST', '/functions/fn_echo', calling(legacyToken), {})).toMatchObject({ status: 200 });
    functions.settle(); // as at a start
    await functions.whenIdle();
    expect(await stage.ask('POST', '/functions/fn_echo', calling(legacyToken), {})).toMatchObject({ status: 401 });
  });

  it('stay revoked when the workspace is imported again, and are revoked by one with revokedAt', async () => {
    await using stage = await functionsStage();
    await stage.manage('POST', `${tokens}/rt_1/revoke`);
    await stage.service.functions.whenIdle();
    const exported = await stage.service.exportWorkspace();
    await stage.service.importWorkspace({ workspace: exported });
    await stage.service.functions.whenIdle();
    expect(await stage.ask('POST', '/functions/fn_echo', calling(legacyToken), {})).toMatchObject({ status: 401 });
    await stage.ask('POST', '/functions/fn_echo', calling(secondToken), {}); // its process runs
    const text = JSON.stringify(exported).replace('"id":"rt_2"', '"id":"rt_2","revokedAt":"2026-01-01T00:00:00Z"');
    await stage.service.importWorkspace({ workspace: JSON.parse(text) as typeof exported });
    await stage.service.functions.whenIdle();
    expect(await stage.ask('POST', '/functions/fn_echo', calling(secondToken), {})).toMatchObject({ status: 401 });
  });
});
