/** Names that every object of JavaScript has are unknown to an authoring server, as all that it does not have. */
import { InMemoryTransport, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { createAuthoringServer } from './authoring-server.ts';
import { createCallBudget } from './budget.ts';

/** What the server answers to a request; a refusal in words. */
async function ask(method: string, params: object): Promise<unknown> {
  const [client, ofServer] = InMemoryTransport.createLinkedPair();
  const server = createAuthoringServer(
    { ask: () => Promise.resolve({ status: 404, body: { error: 'WORKFLOW_NOT_FOUND', message: 'There is no such workflow' } }) },
    {
      can: ['view'],
      budget: createCallBudget(() => 0),
      simulate: () => Promise.reject(new Error('none')),
      onError: () => undefined,
      createId: () => '1',
    },
  );
  await server.connect(ofServer);
  const answer = new Promise((resolve) => {
    client.onmessage = resolve;
  });
  await client.start();
  await client.send({ jsonrpc: '2.0', id: 1, method, params: { ...params } });
  return answer;
}

it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'no_such'])('has nothing called "%s"', async (name) => {
  expect(await ask('tools/call', { name, arguments: {} })).toMatchObject({ error: { message: `Tool ${name} not found` } });
  expect(await ask('prompts/get', { name })).toMatchObject({ error: { message: `Prompt ${name} not found` } });
  for (const uri of [`hilo://docs/${name}`, `hilo://docs/../${name}`, `hilo://workflows/${name}`, `hilo://${name}/x`, `file:///${name}`])
    expect([uri, await ask('resources/read', { uri })]).toMatchObject([uri, { error: { code: ProtocolErrorCode.InvalidParams } }]);
});
