import { request } from 'node:http';
import type { Json } from '@hilo/engine/contract';
import { Client, ProtocolError, ProtocolErrorCode, SdkErrorCode, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acmeKey, functionsStage, type FunctionsStage, legacyToken } from './functions-stage.ts';

let stage: FunctionsStage;
beforeAll(async () => {
  stage = await functionsStage({
    sums: `export default ({ a, b }, { tool }) => {
      if (tool === 'any') throw new RangeError('not that one');
      return a + (b ?? 0);
    };`,
    bombs: `export default ({ a }) => {
      if (a === 0) return new Promise(() => setTimeout(() => { throw new Error('late'); }));
      if (a === 1) return 'x'.repeat(2_000_000);
      if (a === 2) return new Promise((resolve) => setTimeout(resolve, 2_000, 'late'));
      return [a];
    };`,
    broken: 'export default (',
  });
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

type Generation = 'legacy' | 'auto';

/** The official client, connected to the tools of a function. */
async function client(
  functionId: string,
  headers: { readonly [name: string]: string } = acmeKey,
  mode: Generation = 'legacy',
): Promise<Client> {
  const made = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(`${stage.url}/functions/${functionId}/mcp`), { requestInit: { headers } });
  await made.connect(transport);
  return made;
}

describe('the tool server of a function (FUN-01)', { timeout: 120_000 }, () => {
  it.each<readonly [Generation, string]>([
    ['legacy', '2025-11-25'],
    ['auto', '2026-07-28'],
  ])('serves the official client of each generation: %s', async (mode, version) => {
    const mcp = await client('fn_echo', acmeKey, mode);
    expect(mcp.getNegotiatedProtocolVersion()).toBe(version);
    expect(mcp.getServerVersion()).toEqual({ name: 'echo', version: '1.0.0' });
    expect((await mcp.listTools()).tools).toEqual([{ name: 'echo', description: 'Returns its input', inputSchema: { type: 'object' } }]);
    expect(await mcp.callTool({ name: 'echo', arguments: { a: 1 } })).toMatchObject({ structuredContent: { echo: { a: 1 } } });
    await expect(mcp.callTool({ name: 'nobody' })).rejects.toThrow('There is no tool "nobody"');
    await mcp.close();
  });

  it.each([
    ['no page', {}, 200],
    ['a page of this machine', { origin: 'http://localhost:6274' }, 200],
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['a page whose name was made to lead here', { host: 'evil.example', origin: 'http://evil.example' }, 403],
    ['a name that was made to lead here', { host: 'evil.example' }, 403],
  ])('answers %s as the protocol demands, whatever its key: %j', async (_what, headers, status) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const accept = 'application/json, text/event-stream';
    const answered = await new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(stage.url);
      const path = '/functions/fn_echo/mcp';
      request(
        { hostname, port, path, method: 'POST', headers: { 'content-type': 'application/json', accept, ...acmeKey, ...headers } },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      )
        .on('error', reject)
        .end(body);
    });
    expect(answered).toBe(status);
  });

  it('calls the function with the arguments, by key and by runtime token', async () => {
    for (const headers of [acmeKey, { 'x-service-token': legacyToken }]) {
      const mcp = await client('fn_echo', headers);
      const structuredContent = { echo: { a: 1 } };
      expect(await mcp.callTool({ name: 'echo', arguments: { a: 1 } })).toEqual({
        content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
        structuredContent,
      });
      await mcp.close();
    }
  });

  it('passes the chosen tool to the function, and errors to the model', async () => {
    const mcp = await client('sums');
    expect(await mcp.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toEqual({ content: [{ type: 'text', text: '3' }] });
    expect(await mcp.callTool({ name: 'any' })).toEqual({ content: [{ type: 'text', text: 'RangeError: not that one' }], isError: true });
    await mcp.close();
  });

  it('refuses a tool it does not have, and arguments that are none of the tool', async () => {
    const mcp = await client('sums');
    await expect(mcp.callTool({ name: 'nobody' })).rejects.toThrow('There is no tool "nobody"');
    expect(await mcp.callTool({ name: 'add', arguments: { a: 'one' } })).toEqual({
      content: [{ type: 'text', text: expect.stringContaining('a: ') as unknown }],
      isError: true, // for the model, which may do better
    });
    await mcp.close();
  });

  it.each([[5], ['a'], [[1]], [null]])('refuses arguments other than an object: %j', async (given) => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add', arguments: given } };
    const headers = { ...acmeKey, accept: 'application/json, text/event-stream' };
    expect(await stage.ask('POST', '/functions/sums/mcp', headers, call)).toMatchObject({
      status: 200,
      body: { id: 1, error: { code: ProtocolErrorCode.InvalidParams } },
    });
  });

  it('lets no client in without a credential, and none of another company (T3, P28)', async () => {
    await expect(client('fn_echo', {})).rejects.toThrow(/Unauthorized|401/);
    await expect(client('fn_echo', { authorization: 'Bearer hk_other_0123456789abcdef' })).rejects.toThrow(/404|FUNCTION_NOT_FOUND/);
  });

  it('are what an editor offers of a function, as it declares them', async () => {
    const { body } = await stage.manage('GET', '/references?companyId=1');
    const { functions } = body as { readonly functions: readonly Json[] };
    const add = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    expect(functions).toContainEqual({
      id: 'bombs',
      name: 'bombs',
      tools: [
        { name: 'add', description: 'Adds', inputSchema: add },
        { name: 'any', description: 'Anything', inputSchema: {} },
      ],
    });
  });

  it.each([
    ['is ended before it answers', 'bombs', 0, 'failed where no call waits for it'],
    ['returns more than it may', 'bombs', 1, 'The function returned more than'],
    ['does not start', 'broken', 0, 'SyntaxError'],
  ])('reports to the model that a function %s, and continues', async (_what, functionId, a, text) => {
    const mcp = await client(functionId);
    const failed = { isError: true, content: [{ type: 'text', text: expect.stringContaining(text) as unknown }] };
    expect(await mcp.callTool({ name: 'add', arguments: { a } })).toMatchObject(failed);
    expect((await mcp.listTools()).tools.map(({ name }) => name)).toEqual(['add', 'any']);
    await mcp.close();
  });

  it('survives a client that cancels a call', async () => {
    const mcp = await client('bombs');
    await expect(mcp.callTool({ name: 'add', arguments: { a: 2 } }, { timeout: 100 })).rejects.toMatchObject({
      code: SdkErrorCode.RequestTimeout,
    });
    expect(await mcp.callTool({ name: 'add', arguments: { a: 3 } })).toEqual({ content: [{ type: 'text', text: '[3]' }] });
    await mcp.close();
  });

  it('answers a call that is cancelled in the same request (P32)', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add', arguments: { a: 3 } } };
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const headers = { ...acmeKey, accept: 'application/json, text/event-stream' };
    expect(await stage.ask('POST', '/functions/bombs/mcp', headers, [call, cancelled])).toMatchObject({
      status: 200,
      body: [{ id: 1, result: { content: [{ type: 'text', text: '[3]' }] } }],
    });
  });

  it('refuses what it does not have: resources, prompts, and calls without a name', async () => {
    const mcp = await client('fn_echo');
    for (const method of ['resources/list', 'prompts/list'])
      expect(await stage.ask('POST', '/functions/fn_echo/mcp', acmeKey, { jsonrpc: '2.0', id: 1, method })).toMatchObject({
        body: { error: { code: ProtocolErrorCode.MethodNotFound } },
      });
    await expect(mcp.request({ method: 'tools/call', params: { name: '' } })).rejects.toBeInstanceOf(ProtocolError);
    await mcp.ping();
    await mcp.close();
  });

  it('is that of the new deployment after a token was revoked, and refuses the token (TOK-03, TOK-04)', async () => {
    const token = { 'x-service-token': `${legacyToken}_sums` };
    const old = await client('sums', token);
    expect(old.getServerVersion()).toMatchObject({ version: '1.0.0' });
    await stage.manage('POST', '/functions/sums/tokens/rt_1/revoke');
    await stage.service.functions.whenIdle();
    await expect(old.listTools()).rejects.toThrow(/401|Unauthorized/);
    await expect(client('sums', token)).rejects.toThrow(/401|Unauthorized/);
    const renewed = await client('sums');
    expect(renewed.getServerVersion()).toMatchObject({ version: '1.1.0' });
    await Promise.all([old.close(), renewed.close()]);
  });

  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  it.each<readonly [string, unknown, { readonly [name: string]: string }, number]>([
    ['no JSON', '{', {}, 400],
    ['no JSON-RPC', { a: 1 }, {}, 400],
    ['more messages than a client sends', Array.from({ length: 51 }, (_, id) => ({ ...ping, id })), {}, 400],
    ['a version of the protocol that nobody speaks', ping, { 'mcp-protocol-version': '1999-01-01' }, 400],
    ['a client that takes no such answer', ping, { accept: 'text/html' }, 406],
    ['what has no answer', { jsonrpc: '2.0', method: 'notifications/initialized' }, {}, 202],
    ['what is too deep', '['.repeat(100), {}, 400],
  ])('answers %s with its status', async (_what, body, headers, status) => {
    const given = { ...acmeKey, accept: 'application/json, text/event-stream', ...headers };
    expect(await stage.ask('POST', '/functions/fn_echo/mcp', given, body)).toMatchObject({ status });
  });

  const initialize = { ...ping, method: 'initialize', params: { protocolVersion: '2025-06-18' } };
  it.each<readonly [string, unknown, number, object]>([
    ['what is no object', 5, 400, { id: null, error: { code: ProtocolErrorCode.InvalidRequest } }],
    ['no request', { id: 1, method: 'ping' }, 400, { id: null, error: { code: ProtocolErrorCode.InvalidRequest } }],
    ['an id that is none', { ...ping, id: {} }, 400, { id: null, error: { code: ProtocolErrorCode.InvalidRequest } }],
    ['a batch of nothing', [], 400, { id: null, error: { code: ProtocolErrorCode.InvalidRequest } }],
    ['a batch with what is no request', [ping, 5], 400, { id: null, error: { code: ProtocolErrorCode.InvalidRequest } }],
    ['one id twice', [ping, ping], 400, { id: null, error: { code: ProtocolErrorCode.InvalidRequest } }],
    ['a batch of one', [ping], 200, [{ id: 1, result: {} }]],
    ['ids of two types', [ping, { ...ping, id: '1' }], 200, [{ id: 1 }, { id: '1' }]],
    ['a client that does not say who it is', initialize, 200, { id: 1, error: { code: ProtocolErrorCode.InvalidParams } }],
    [
      'a page that there is not',
      { ...ping, method: 'tools/list', params: { cursor: 'x' } },
      200,
      { error: { code: ProtocolErrorCode.InvalidParams } },
    ],
    ['a method that there is not', { ...ping, method: 'nobody' }, 200, { id: 1, error: { code: ProtocolErrorCode.MethodNotFound } }],
  ])('answers %s as JSON-RPC 2.0 wants it', async (_what, body, status, answer) => {
    const headers = { ...acmeKey, accept: 'application/json, text/event-stream' };
    const said = await stage.ask('POST', '/functions/fn_echo/mcp', headers, body);
    expect(said).toMatchObject({ status, body: answer });
  });

  it.each([
    ['names no type', { 'content-type': '' }],
    ['names a type that is JSON as well', { 'content-type': 'application/vnd.mcp+json' }],
    ['takes anything', { accept: '*/*' }],
    ['takes JSON alone', { accept: 'application/json' }],
  ])('accepts the JSON of a client that %s (GEN-02, GEN-06)', async (_what, headers) => {
    expect(await stage.ask('POST', '/functions/fn_echo/mcp', { ...acmeKey, ...headers }, ping)).toMatchObject({
      status: 200,
      body: { id: 1 },
    });
  });

  it.each(['GET', 'DELETE'])('keeps no session: %s is 405', async (method) => {
    const { status, headers } = await stage.ask(method, '/functions/fn_echo/mcp', { ...acmeKey, accept: 'text/event-stream' });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });
});
