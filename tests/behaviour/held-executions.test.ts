// What reaches an execution that the nodes of the present release cannot run: it is kept, and has its consequence in a release that can.
import { createEngine, createMemoryCanvases, createMemoryStore } from '@hilo/engine';
import { defineNode, getPath, type JsonObject, leave, type NodeDefinition } from '@hilo/engine/contract';
import { drive, sendMessage, standardNodes } from '@hilo/nodes';
import { httpRequest } from '@hilo/nodes/effects';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createVirtualClock, seededRandom } from '../../packages/testing/src/index.ts';

const visual = { label: 'Own', category: 'logic', icon: 'x', colour: '#000000', description: 'Own' } as const;
const own = defineNode({ type: 'own', config: z.strictObject({ a: z.string() }), visual, ports: ['next'], run: () => leave('next') });

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 60; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** One store over several releases, in one virtual time. */
function createWorld() {
  const store = { executions: createMemoryStore(), canvases: createMemoryCanvases() };
  const clock = createVirtualClock();
  const sent: string[] = [];
  const calls: string[] = [];
  let seed = 0;
  let stop = async (): Promise<void> => undefined;

  /** Ends the release before, and begins the next. */
  async function release(nodes: readonly NodeDefinition[]) {
    await stop();
    const drivers = [
      drive(sendMessage, ({ message }, { idempotencyKey }) => {
        const text = getPath(message, ['text']);
        if (typeof text === 'string') sent.push(text);
        return { kind: 'sent', messageId: idempotencyKey };
      }),
      drive(httpRequest, (_request, { idempotencyKey }) => {
        calls.push(idempotencyKey);
        return new Promise<never>(() => undefined); // still under way when the release ends
      }),
    ];
    const engine = createEngine({ nodes: [...standardNodes, ...nodes], drivers, store, clock, random: seededRandom((seed += 1)) });
    const faults: string[] = [];
    engine.on('engine.fault', ({ while: doing, error }) => faults.push(`${doing}: ${String(error)}`));
    await engine.start();
    await turns();
    stop = () => engine.stop({ drainMs: 0 });
    const acme = engine.company('acme');
    const says = (text: string) => acme.message({ bot: 'b', deliveryId: text, user: { id: 'ada' }, message: { type: 'text', text } });
    const after = async (ms: number): Promise<void> => {
      clock.advanceBy(ms);
      await turns();
    };
    const all = async () => (await acme.executions({ limit: 100 })).results;
    const of = async (workflowId: string) => (await all()).find((one) => one.workflowId === workflowId);
    return { engine, acme, faults, says, after, of };
  }
  return { release, sent, calls, clock, store, stop: () => stop() };
}

type World = ReturnType<typeof createWorld>;
let world: World;
afterEach(() => world.stop());

type Node = { readonly id: string; readonly type: string; readonly data?: object };

/** begin → the node → own → done, which sends `done`; other ports lead to `other`, which sends their name. */
function canvasWith(node: Node, port: string, others: readonly string[] = [], begin?: Node) {
  const says = (id: string, text: string) => ({ id, type: 'message', data: { message: { type: 'text', text } } });
  return {
    schemaVersion: 1,
    id: 'talk',
    name: 'Talk',
    nodes: [
      begin ?? { id: 'begin', type: 'start', data: { fallback: true } },
      node,
      { id: 'own', type: 'own', data: { a: 'x' } },
      says('say', 'done'),
      { id: 'done', type: 'end' },
      ...others.map((name) => says(`say-${name}`, name)),
    ],
    edges: [
      { source: 'begin', target: node.id, ...(begin !== undefined && { sourceHandle: 'new' }) },
      { source: node.id, sourceHandle: port, target: 'own' },
      { source: 'own', target: 'say' },
      { source: 'say', sourceHandle: 'sent', target: 'done' },
      ...others.flatMap((name) => [
        { source: node.id, sourceHandle: name, target: `say-${name}` },
        { source: `say-${name}`, sourceHandle: 'sent', target: 'done' },
      ]),
    ],
  } as const;
}

const hour = 3_600_000;
const ask = { id: 'node', type: 'ask', data: { message: { type: 'text', text: 'And?' }, input: { kind: 'text' }, timeout: 'PT1H' } };

type Release = Awaited<ReturnType<World['release']>>;

/** What reaches it while it is held, and what it says once it can run. */
const happenings: readonly (readonly [
  what: string,
  canvas: ReturnType<typeof canvasWith>,
  happens: (held: Release) => Promise<unknown>,
  says: readonly string[],
])[] = [
  [
    'the due time of a delay',
    canvasWith({ id: 'node', type: 'delay', data: { duration: 'PT1H' } }, 'elapsed'),
    ({ after }) => after(2 * hour),
    ['done'],
  ],
  ['the time of a question', canvasWith(ask, 'answered', ['timeout']), ({ after }) => after(2 * hour), ['timeout']],
  [
    'a reply in time, and then the time of the question',
    canvasWith(ask, 'answered', ['timeout']),
    async ({ says, after }) => {
      await says('Well');
      await after(2 * hour);
    },
    ['done'],
  ],
  [
    'a signal',
    canvasWith({ id: 'node', type: 'wait-event', data: { name: 'paid' } }, 'received'),
    async ({ acme, of }) => {
      const answer = await acme.signal('paid', { correlation: '', payload: { amount: 1 } });
      expect(answer.executionIds).toEqual([(await of('talk'))?.executionId]);
    },
    ['done'],
  ],
  [
    'a signal with a time to live, and its repetition',
    canvasWith({ id: 'node', type: 'wait-event', data: { name: 'paid' } }, 'received'),
    async ({ acme }) => {
      for (let time = 0; time < 2; time += 1)
        await acme.signal('paid', { correlation: '', payload: null, ttlMs: hour, idempotencyKey: 'one' });
    },
    ['done'],
  ],
];

describe('an execution that this release cannot run', () => {
  it.each(happenings)('is held at %s, which has its consequence in a release that can', async (_what, canvas, happens, says) => {
    world = createWorld();
    const first = await world.release([own]);
    await first.acme.publish(canvas);
    await first.says('Hi');
    await turns();
    world.sent.length = 0;

    const held = await world.release([]);
    const before = await held.of('talk');
    await happens(held);
    await held.after(hour);
    await held.engine.whenIdle();
    expect(await held.of('talk')).toEqual(before);
    expect(before?.state.status).toBe('waiting');
    expect(held.faults.length).toBeLessThan(4);

    const third = await world.release([own]);
    await third.after(0);
    await third.engine.whenIdle();
    expect((await third.of('talk'))?.state.status).toBe('completed');
    expect(world.sent).toEqual(says);
  });

  it.each([true, false])(
    'takes a request to its webhook, and applies it in a release that can (latest version runs: %s)',
    async (latestRuns) => {
      world = createWorld();
      const hook = {
        id: 'begin',
        type: 'webhook',
        data: { variableName: 'order', methods: ['POST'], userIdPath: 'user', executionIdPath: 'executionId' },
      };
      const wait = { id: 'node', type: 'wait-external', data: {} };
      const canvas = canvasWith(wait, 'resumed', [], hook);
      const post = (release: Release, body: JsonObject, idempotencyKey?: string) =>
        release.acme.webhook(
          'talk',
          { method: 'POST', headers: {}, query: {}, body },
          { bot: 'b', ...(idempotencyKey && { idempotencyKey }) },
        );
      const first = await world.release([own]);
      await first.acme.publish(canvas);
      const { executionId } = await post(first, { user: '5215512345678' });
      await turns();
      world.sent.length = 0;

      const held = await world.release([]);
      if (latestRuns) {
        const { nodes, edges } = canvas;
        const without = nodes.filter(({ id }) => id !== 'own');
        const past = edges
          .filter(({ source }) => source !== 'own')
          .map((edge) => (edge.target === 'own' ? { ...edge, target: 'say' } : edge));
        await held.acme.publish({ ...canvas, nodes: without, edges: past });
      }
      const before = await held.of('talk');
      for (let time = 0; time < 2; time += 1)
        expect(await post(held, { executionId, paid: true }, 'once')).toMatchObject({ executionId, isNewExecution: false });
      await turns();
      expect(await held.of('talk')).toEqual(before);

      const third = await world.release([own]);
      await third.engine.whenIdle();
      expect((await third.of('talk'))?.state.status).toBe('completed');
      expect(world.sent).toEqual(['done']);
      await expect(post(third, { executionId })).rejects.toMatchObject({ code: 'EXECUTION_NOT_WAITING' });
    },
  );

  it('keeps the end of its child', async () => {
    world = createWorld();
    const first = await world.release([own]);
    await first.acme.publish({
      schemaVersion: 1,
      id: 'child',
      name: 'Child',
      nodes: [
        { id: 'begin', type: 'start', data: { keywords: ['never'] } },
        { id: 'later', type: 'delay', data: { duration: 'PT1H' } },
        { id: 'done', type: 'end' },
      ],
      edges: [
        { source: 'begin', target: 'later' },
        { source: 'later', sourceHandle: 'elapsed', target: 'done' },
      ],
    });
    await first.acme.publish(canvasWith({ id: 'node', type: 'workflow', data: { workflowId: 'child' } }, 'success'));
    await first.says('Hi');
    await turns();

    const held = await world.release([]);
    await held.after(2 * hour);
    expect((await held.of('child'))?.state.status).toBe('completed');
    expect((await held.of('talk'))?.state).toMatchObject({ status: 'waiting', wait: { kind: 'child' } });

    const third = await world.release([own]);
    await third.engine.whenIdle();
    expect((await third.of('talk'))?.state.status).toBe('completed');
    expect(world.sent).toEqual(['done']);
  });

  it('ends with its caller, whose own time is over', async () => {
    world = createWorld();
    const first = await world.release([own]);
    await first.acme.publish({ ...canvasWith({ id: 'node', type: 'delay', data: { duration: 'PT9H' } }, 'elapsed'), id: 'child' });
    const call = { id: 'call', type: 'workflow', data: { workflowId: 'child', timeout: 'PT1H' } };
    await first.acme.publish({
      schemaVersion: 1,
      id: 'caller',
      name: 'Caller',
      nodes: [{ id: 'begin', type: 'start', data: { keywords: ['call'] } }, call, { id: 'done', type: 'end' }],
      edges: [
        { source: 'begin', target: 'call' },
        { source: 'call', sourceHandle: 'success', target: 'done' },
        { source: 'call', sourceHandle: 'timeout', target: 'done' },
      ],
    });
    await first.says('call');
    await turns();

    const held = await world.release([]);
    await held.after(2 * hour);
    expect((await held.of('caller'))?.state.status).toBe('completed');
    expect((await held.of('child'))?.state.status).toBe('cancelled');
  });

  it('is cancelled by an operator, and its lane is free', async () => {
    world = createWorld();
    const first = await world.release([own]);
    await first.acme.publish(canvasWith(ask, 'answered', ['timeout']));
    await first.says('Hi');
    await turns();
    const held = await world.release([]);
    const { executionId = '' } = (await held.of('talk')) ?? {};
    await held.acme.cancel(executionId);
    expect((await held.of('talk'))?.state.status).toBe('cancelled');
    await held.after(3 * hour);
    expect(held.faults).toEqual([]);
  });

  it('has its effect performed once a release can apply the answer, under the same key', async () => {
    world = createWorld();
    const first = await world.release([own]);
    const api = { id: 'node', type: 'api', data: { url: 'https://example.com/' } };
    await first.acme.publish(canvasWith(api, 'success'));
    await first.says('Hi');
    await turns();
    expect(world.calls).toHaveLength(1);

    const held = await world.release([]);
    await held.says('Are you there?');
    await held.after(1_000);
    await held.engine.whenIdle();
    expect(world.calls).toHaveLength(1);
    expect((await held.of('talk'))?.state).toMatchObject({ status: 'running', pending: { nodeId: 'node' } });
    expect((await held.acme.executions()).results).toHaveLength(1);

    const third = await world.release([own]);
    await turns();
    expect(world.calls).toHaveLength(2);
    expect(new Set(world.calls).size).toBe(1);
    expect(third.faults).toEqual([]);
  });

  it('keeps no other timer waiting, though thousands of held ones are due', async () => {
    world = createWorld();
    const first = await world.release([own]);
    await first.acme.publish(canvasWith({ id: 'node', type: 'delay', data: { duration: 'PT1H' } }, 'elapsed'));
    for (let user = 0; user < 2_100; user += 1)
      await first.acme.message({ bot: 'b', deliveryId: `d${user}`, user: { id: `u${user}` }, message: { type: 'text', text: 'Hi' } });
    await turns();

    const held = await world.release([]);
    const reads: number[] = [];
    const due = world.store.executions.due.bind(world.store.executions);
    world.store.executions.due = async (...args) => {
      const found = await due(...args);
      reads.push(found.length);
      return found;
    };
    await held.after(2 * hour);
    for (let pass = 0; pass < 10; pass += 1) await held.after(1_000);
    expect(reads.splice(0).reduce((sum, count) => sum + count, 0)).toBeLessThan(4 * 2_100);
    await held.after(10_000);
    expect(reads.splice(0)).toEqual([]);

    await held.acme.publish({
      ...canvasWith({ id: 'node', type: 'delay', data: { duration: 'PT1H' } }, 'elapsed'),
      id: 'other',
      nodes: [
        { id: 'begin', type: 'start', data: { keywords: ['other'] } },
        { id: 'node', type: 'delay', data: { duration: 'PT1S' } },
        { id: 'done', type: 'end' },
      ],
      edges: [
        { source: 'begin', target: 'node' },
        { source: 'node', sourceHandle: 'elapsed', target: 'done' },
      ],
    });
    await held.says('other');
    await held.after(1_000);
    expect((await held.of('other'))?.state.status).toBe('completed');
  });
});
