// A coding agent publishes through MCP, and the service is killed at any instant of it: published or not, never a part.
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '@hilo/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changed, inlineExample } from '../data/inline-example.ts';
import { adminToken } from '../hilo-process.ts';
import type { ServiceProcess } from '../service-process.ts';
import { describeOverEachStore } from './place.ts';

/** `HILO_PUBLISH_KILLS=200` sets another number. */
const kills = Number(process.env['HILO_PUBLISH_KILLS'] ?? 6);
const random = seededRandom(fc.readConfigureGlobal().seed ?? 1);
const share = (): number => (random.bytes(1)[0] ?? 0) / 256;
const workflowId = 'greeter';

const canvas = (number: number): object => ({
  schemaVersion: 1,
  id: workflowId,
  name: `Greeter ${number}`,
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['greet'] } },
    { id: 'say', type: 'message', data: { message: { type: 'text', text: `Hello number ${number}` } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'say' },
    { source: 'say', sourceHandle: 'sent', target: 'done' },
  ],
});

/** What an agent does at a service, by its tools. */
interface Agent extends AsyncDisposable {
  /** @throws {Error} with its answer, where a tool refuses, and where the service dies */
  call(name: string, input: object): Promise<Record<string, unknown>>;
}

async function connect({ url }: ServiceProcess): Promise<Agent> {
  const client = new Client({ name: 'coder', version: '1.0.0' });
  const headers = { authorization: `Bearer ${adminToken}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/admin/v1/mcp?companyId=1`), { requestInit: { headers } }));
  return {
    async call(name, input) {
      const { isError, structuredContent } = await client.callTool({ name, arguments: { ...input } });
      if (isError === true) throw new Error(`${name}: ${JSON.stringify(structuredContent)}`);
      return { ...(structuredContent as object | undefined) };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The draft of this number, with a transcript that passes on it. @returns its revision */
async function write(agent: Agent, number: number, ifRevision: unknown): Promise<unknown> {
  const { revision } = await agent.call('put_draft', { workflowId, canvas: canvas(number), ifRevision });
  const { transcript } = await agent.call('run_script', { workflowId, script: 'user: greet\n' });
  await agent.call('put_transcript', { workflowId, name: 'greets', transcript });
  return revision;
}

/** The number of the live version: it has all of the canvas that was published as it. */
async function readLive(agent: Agent): Promise<number> {
  const { workflows } = await agent.call('list_workflows', { text: workflowId });
  const [listed] = workflows as readonly { readonly liveVersion: number }[];
  const version = listed?.liveVersion ?? 0;
  expect(await agent.call('get_canvas', { workflowId, version })).toMatchObject({ canvas: canvas(version) });
  return version;
}

describeOverEachStore('a publication by a coding agent', (open) => {
  it(`has happened or has not, wherever the service is killed, ${kills} times`, { timeout: 120_000 + kills * 60_000 }, async () => {
    using place = await open(changed(await inlineExample(), { '/companies/0/workflows': [], '/companies/1/workflows': [] }));
    let service = await place.start();
    let ifRevision: unknown = null;
    let publishMs = 0;
    for (let number = 1; number <= kills + 1; number += 1) {
      {
        await using agent = await connect(service);
        ifRevision = await write(agent, number, ifRevision);
        // Nothing is asserted of the time: it is measured so that the later kills fall within a publication.
        const beganMs = performance.now();
        const published = agent.call('publish', { workflowId, ifRevision, note: `Number ${number}` });
        if (number === 1) {
          await published;
          publishMs = performance.now() - beganMs;
        } else {
          published.catch(() => undefined); // it dies with the service
          await pause(share() * publishMs * 1.5);
          await service.end('SIGKILL');
          service = await place.start();
        }
      }
      await using agent = await connect(service);
      const live = await readLive(agent);
      expect([number - 1, number]).toContain(live);
      if (live < number) await agent.call('publish', { workflowId, ifRevision, note: `Number ${number}, again` });
      expect(await readLive(agent)).toBe(number);
    }
    await service.end('SIGKILL');
  });
});
