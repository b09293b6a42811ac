import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acmeKey, functionsStage, type FunctionsStage, legacyToken } from './functions-stage.ts';

let stage: FunctionsStage;
beforeAll(async () => {
  stage = await functionsStage({
    sums: `export default ({ a, b }, { tool }) => {
      if (tool === 'any') throw new RangeError('not that one');
      return a + (b ?? 0);
    };`,
  });
}, 60_000);
afterAll(() => stage[Symbol.asyncDispose]());

/** The official client, connected to the tools of a function. */
async function client(functionId: string, headers: { readonly [name: string]: string } = acmeKey): Promise<Client> {
  const made = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(`${stage.url}/functions/${functionId}/mcp`), { requestInit: { headers } });
  await made.connect(transport);
  return made;
}

describe('the tool server of a function (FUN-01)', { timeout: 30_000 }, () => {
  it('names itself and its tools to the official client', async () => {
    const mcp = await client('fn_echo');
    expect(mcp.getServerVersion()).toEqual({ name: 'echo', version: '1.0.0' });
    expect((await mcp.listTools()).tools).toEqual([{ name: 'echo', description: 'Returns its input', inputSchema: { type: 'object' } }]);
    await mcp.ping();
    await mcp.close();
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

  it('tells the function which tool was chosen, and the model what went wrong', async () => {
    const mcp = await client('sums');
    expect(await mcp.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toEqual({ content: [{ type: 'text', text: '3' }] });
    expect(await mcp.callTool({ name: 'any' })).toEqual({ content: [{ type: 'text', text: 'RangeError: not that one' }], isError: true });
    await mcp.close();
  });

  it('refuses a tool it does not have, and arguments that are none of the tool', async () => {
    const mcp = await client('sums');
    await expect(mcp.callTool({ name: 'nobody' })).rejects.toThrow('There is no tool "nobody"');
    await expect(mcp.callTool({ name: 'add', arguments: { a: 'one' } })).rejects.toThrow('a: ');
    await mcp.close();
  });

  it('lets no client in without a credential, and none of another company (T3, P28)', async () => {
    await expect(client('fn_echo', {})).rejects.toThrow(/Unauthorized|401/);
    await expect(client('fn_echo', { authorization: 'Bearer hk_other_0123456789abcdef' })).rejects.toThrow(/404|FUNCTION_NOT_FOUND/);
  });

  it.each([
    ['no JSON-RPC', { a: 1 }, 400],
    ['more messages than a client sends', Array.from({ length: 51 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })), 400],
  ])('answers %s with %i', async (_what, body, status) => {
    const headers = { ...acmeKey, accept: 'application/json, text/event-stream' };
    expect(await stage.ask('POST', '/functions/fn_echo/mcp', headers, body)).toMatchObject({ status });
  });
});
