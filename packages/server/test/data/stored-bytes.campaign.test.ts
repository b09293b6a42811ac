import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, type Engine, parseCanvas } from '@hilo/engine';
import { standardNodes } from '@hilo/nodes';
import { openSqliteStore } from '@hilo/stores';
import { createVirtualClock, seededRandom } from '@hilo/testing';
import { expect, it } from 'vitest';

/** Takes a request of a user, keeps a value of it and waits for another request. */
const { canvas } = parseCanvas({
  schemaVersion: 1,
  id: 'parking',
  name: 'Parking',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user', executionIdPath: 'executionId' } },
    { id: 'keep', type: 'set', data: { assignments: [{ path: '$context.order', value: '{{$webhook.order.body.id}}' }] } },
    { id: 'wait', type: 'wait-external', data: { timeout: 'P21D' } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'keep' },
    { source: 'keep', target: 'wait' },
    { source: 'wait', sourceHandle: 'resumed', target: 'done' },
    { source: 'wait', sourceHandle: 'timeout', target: 'done' },
  ],
});

const executions = 1_000;

it('keeps an execution that waits, its user and every index in 1.5 kB, and one that was resumed and has ended in 3 kB', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'hilo-bytes-'));
  const path = join(directory, 'hilo.db');
  const clock = createVirtualClock();
  const random = seededRandom(1);
  const sizeAfter = async (work: (engine: Engine) => Promise<void>): Promise<number> => {
    const store = await openSqliteStore({ path });
    const engine = createEngine({ nodes: standardNodes, clock, random, store: { executions: store.executions, canvases: store.canvases } });
    await work(engine);
    await engine.whenIdle();
    await engine.stop();
    await store.close();
    return (await stat(path)).size;
  };
  const call = async (engine: Engine, body: { readonly id: string; readonly user?: string; readonly executionId?: string }) => {
    const request = { method: 'POST', headers: { 'content-type': 'application/json' }, query: {}, body };
    const hook = { companyId: '1', workflowId: 'parking', nodeId: 'hook', route: 'production', channel: 'whatsapp', botId: 'bot' } as const;
    return (await engine.receiveWebhook({ ...hook, request })).executionId;
  };
  try {
    if (canvas === undefined) throw new Error('The canvas has problems');
    const empty = await sizeAfter(async (engine) => {
      await engine.saveDraft('1', canvas);
      await engine.publish('1', canvas.id);
    });
    const ids: string[] = [];
    const waiting = await sizeAfter(async (engine) => {
      for (let number = 0; number < executions; number += 1)
        ids.push(await call(engine, { id: `A-${number}`, user: String(51_999_100_000 + number) }));
    });
    const ended = await sizeAfter(async (engine) => {
      for (const executionId of ids) await call(engine, { id: 'B', executionId });
    });
    expect((waiting - empty) / executions).toBeLessThanOrEqual(1_500);
    expect((ended - empty) / executions).toBeLessThanOrEqual(3_000);
  } finally {
    await rm(directory, { recursive: true });
  }
});
