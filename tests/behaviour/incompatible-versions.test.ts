import { createEngine, createMemoryCanvases, createMemoryStore, type EngineEvents } from '@hilo/engine';
import { defineNode, leave, type NodeDefinition } from '@hilo/engine/contract';
import { drive, sendMessage, standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createVirtualClock, seededRandom } from '../../packages/testing/src/index.ts';

const visual = { label: 'Own', category: 'logic', icon: 'x', colour: '#000000', description: 'Own' } as const;

const own = (fields: z.ZodRawShape, port = 'next'): NodeDefinition =>
  defineNode({ type: 'own', config: z.strictObject(fields), visual, ports: [port], run: () => leave(port) }) as NodeDefinition;

const canvas = {
  schemaVersion: 1,
  id: 'talk',
  name: 'Talk',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'ask', type: 'ask', data: { message: { type: 'text', text: 'And?' }, input: { kind: 'text' }, saveAs: '$context.said' } },
    { id: 'own', type: 'own', data: { a: 'x' } },
    { id: 'done', type: 'end', data: { outputs: { said: '{{$context.said}}' } } },
  ],
  edges: [
    { source: 'begin', target: 'ask' },
    { source: 'ask', sourceHandle: 'answered', target: 'own' },
    { source: 'own', sourceHandle: 'next', target: 'done' },
  ],
};

const before = own({ a: z.string() });

let releases = 0;

/** An engine of a release, over what earlier ones stored. */
async function begin(
  store: { executions: ReturnType<typeof createMemoryStore>; canvases: ReturnType<typeof createMemoryCanvases> },
  node?: NodeDefinition,
) {
  const sent = drive(sendMessage, (_request, { idempotencyKey }) => ({ kind: 'sent', messageId: idempotencyKey }));
  const nodes = [...standardNodes, ...(node === undefined ? [] : [node])];
  const engine = createEngine({ nodes, drivers: [sent], store, clock: createVirtualClock(), random: seededRandom((releases += 1)) });
  const reports: EngineEvents['version.incompatible'][0][] = [];
  engine.on('version.incompatible', (report) => reports.push(report));
  await engine.start();
  for (let turns = 0; turns < 50; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  const acme = engine.company('acme');
  const says = (text: string) => acme.message({ bot: 'b', deliveryId: text, user: { id: 'ada' }, message: { type: 'text', text } });
  return { engine, acme, reports, says };
}

describe('a release whose nodes cannot run what was published before', () => {
  it.each([
    ['has no longer the node', undefined, /own/],
    ['requires a new field', own({ a: z.string(), b: z.string() }), /b/],
    ['calls the port otherwise', own({ a: z.string() }, 'after'), /after|next/],
  ])('that %s: reports the version at its start, holds its executions, and keeps what they receive', async (_what, after, message) => {
    const store = { executions: createMemoryStore(), canvases: createMemoryCanvases() };
    const first = await begin(store, before);
    expect(first.reports).toEqual([]);
    await first.acme.publish(canvas);
    await first.says('Hi');
    await first.engine.whenIdle();

    const second = await begin(store, after);
    expect(second.reports).toMatchObject([{ companyId: 'acme', workflowId: 'talk', version: 1, executions: 1 }]);
    expect(second.reports[0]?.problems.map((problem) => `${problem.message} ${problem.hint ?? ''}`).join()).toMatch(message);
    expect(await second.engine.incompatibleVersions()).toEqual(second.reports);
    await second.says('Well');
    await second.says('Later');
    await second.engine.whenIdle();
    const held = (await second.acme.executions()).results[0];
    expect(held?.state).toMatchObject({ status: 'waiting', wait: { nodeId: 'ask' } });

    const third = await begin(store, before);
    expect(third.reports).toEqual([]);
    await third.engine.whenIdle();
    expect((await third.acme.execution(held?.executionId ?? ''))?.state.ending?.outputs).toEqual({ said: 'Well' });
  });

  it('runs a version whose data the next definition brings forward: it starts and goes on', async () => {
    const store = { executions: createMemoryStore(), canvases: createMemoryCanvases() };
    const first = await begin(store, before);
    await first.acme.publish(canvas);
    await first.says('Hi');
    await first.engine.whenIdle();

    const ran: unknown[] = [];
    const renamed = defineNode({
      type: 'own',
      version: 2,
      config: z.strictObject({ b: z.string(), c: z.int() }),
      upgrade: ({ a = '' }, fromVersion) => ({ b: `${typeof a === 'string' ? a : ''}!`, c: fromVersion }),
      visual,
      ports: ['next'],
      run({ config }) {
        ran.push(config);
        return leave('next');
      },
    }) as NodeDefinition;
    const second = await begin(store, renamed);
    expect(second.reports).toEqual([]);
    await second.says('Well');
    await second.engine.whenIdle();
    await second.acme.message({ bot: 'b', deliveryId: 'new', user: { id: 'bea' }, message: { type: 'text', text: 'Hi' } });
    await second.engine.whenIdle();
    await second.acme.message({ bot: 'b', deliveryId: 'her', user: { id: 'bea' }, message: { type: 'text', text: 'Good' } });
    await second.engine.whenIdle();
    const { results } = await second.acme.executions();
    expect(results.map(({ state }) => state.ending?.outputs)).toEqual([{ said: 'Good' }, { said: 'Well' }]);
    expect(ran).toEqual([
      { b: 'x!', c: 1 },
      { b: 'x!', c: 1 },
    ]);

    // Data of today names its version; the same data without one is of version 1.
    const now = {
      ...canvas,
      nodes: canvas.nodes.map((node) => (node.id === 'own' ? { ...node, version: 2, data: { b: 'y', c: 7 } } : node)),
    };
    expect((await second.acme.publish(now)).version).toBe(2);
  });

  it('reports nothing of a version that fits', async () => {
    const store = { executions: createMemoryStore(), canvases: createMemoryCanvases() };
    const first = await begin(store, before);
    await first.acme.publish(canvas);
    await first.says('Hi');
    await first.engine.whenIdle();
    const second = await begin(store, own({ a: z.string(), b: z.string().default('') }));
    expect(second.reports).toEqual([]);
    await second.says('Well');
    await second.engine.whenIdle();
    expect((await second.acme.executions()).results[0]?.state.status).toBe('completed');
  });
});
