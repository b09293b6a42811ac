import { createEngine, type Engine, parseCanvas } from '@hilo/engine';
import { standardNodes } from '@hilo/nodes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DurableStore } from '../../packages/stores/src/index.ts';
import { openPostgresStore } from '../../packages/postgres/src/index.ts';
import { type CuttingProxy, startCuttingProxy } from '../../packages/stores/test/cutting-proxy.ts';
import { createDatabase } from '../../packages/stores/test/shared-postgres.ts';

let databaseUrl = '';
let proxy: CuttingProxy;
let store: DurableStore;
let engine: Engine;
let users = 0;

/** Takes a request, and another one for the same execution. */
const parking = {
  schemaVersion: 1,
  id: 'parking',
  name: 'Parking',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user', executionIdPath: 'executionId' } },
    { id: 'wait', type: 'wait-external', data: { timeout: 'P21D' } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'wait' },
    { source: 'wait', sourceHandle: 'resumed', target: 'done' },
    { source: 'wait', sourceHandle: 'timeout', target: 'done' },
  ],
};

beforeAll(async () => {
  databaseUrl = await createDatabase();
  proxy = await startCuttingProxy(databaseUrl);
  store = await openPostgresStore({ url: proxy.url });
  engine = createEngine({ nodes: standardNodes, store });
  const { canvas } = parseCanvas(parking);
  if (canvas === undefined) throw new Error('This is no canvas');
  await engine.saveDraft('1', canvas);
  await engine.publish('1', canvas.id);
  await engine.start();
  for (let index = 0; index < 12; index += 1) await resume(await start()); // every connection prepares its statements
  await engine.whenIdle();
});
afterAll(async () => {
  await engine.stop();
  await store.close();
  proxy.close();
});

const call = async (body: { readonly user?: string; readonly executionId?: string }, idempotencyKey: string): Promise<string> => {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, query: {}, body } as const;
  const hook = { companyId: '1', workflowId: 'parking', nodeId: 'hook', route: 'production', channel: 'whatsapp', botId: 'bot' } as const;
  const { executionId } = await engine.receiveWebhook({ ...hook, request, idempotencyKey });
  await engine.whenIdle();
  return executionId;
};
const start = (): Promise<string> => call({ user: `51${900_000_000 + (users += 1)}` }, `start ${users}`);
const resume = (executionId: string): Promise<string> => call({ executionId }, `resume ${executionId}`);

/** What passes while something happens, as the least of several times: a sign of life may come between. */
async function passing(happen: () => Promise<unknown>): Promise<{ readonly roundTrips: number; readonly statements: number }> {
  const counts = [];
  for (let time = 0; time < 5; time += 1) {
    proxy.count();
    await happen();
    counts.push(proxy.count());
  }
  return {
    roundTrips: Math.min(...counts.map(({ roundTrips }) => roundTrips)),
    statements: Math.min(...counts.map(({ statements }) => statements)),
  };
}

describe('round trips to PostgreSQL, and statements, do not increase', () => {
  it('of a start', async () => {
    const { roundTrips, statements } = await passing(start);
    expect(roundTrips).toBeLessThanOrEqual(5);
    expect(statements).toBeLessThanOrEqual(5);
  });

  it('of a resume', async () => {
    const waiting: string[] = [];
    for (let index = 0; index < 5; index += 1) waiting.push(await start());
    const { roundTrips, statements } = await passing(() => resume(waiting.pop() ?? ''));
    expect(roundTrips).toBeLessThanOrEqual(6);
    expect(statements).toBeLessThanOrEqual(6);
  });
});
