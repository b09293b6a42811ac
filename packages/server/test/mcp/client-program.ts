// The client of agents, as the official conformance suite starts it: lists the tools of the server whose address comes last, and calls each.
import { createDialer } from '@hilo/drivers';
import type { DriverContext, JsonObject } from '@hilo/engine/contract';
import { createMcpDriver, listMcpTools } from '@hilo/integrations';
import type { callMcpTool } from '@hilo/nodes/effects';
import type { z } from 'zod';

const url = process.argv.at(-1) ?? '';
const dialer = createDialer({ allow: [new URL(url).host] });
const options = { dialer, credential: () => Promise.resolve(undefined) };
/** The arguments of the tools that the suite offers; the others take none. */
const inputs: Readonly<Record<string, JsonObject>> = { add_numbers: { a: 5, b: 3 } };

const listed = await listMcpTools(options, { companyId: '1', url });
console.log(JSON.stringify(listed));
const tools = listed.kind === 'listed' ? listed.tools : [];
const { perform } = createMcpDriver(options);
const call = perform as (request: z.output<typeof callMcpTool.request>, context: DriverContext) => Promise<unknown>;
for (const { name } of tools) {
  const context: DriverContext = {
    idempotencyKey: `key of ${name}`,
    executionId: 'e1',
    nodeId: 'agent',
    attempt: 1,
    origin: { companyId: '1', channel: 'web', botId: 'bot', route: 'test' },
    contact: undefined,
    nowMs: 0,
    signal: AbortSignal.timeout(20_000),
  };
  console.log(JSON.stringify(await call({ url, tool: name, input: inputs[name] ?? {}, timeoutMs: 20_000 }, context)));
}
await dialer.close();
