// A retry of what failed by a workflow that it called continues both: what is said of the version and of values is of the one that was named.
import { createEngine, createMemoryCanvases, createMemoryStore } from '@hilo/engine';
import { standardNodes } from '@hilo/nodes';
import { createVirtualClock, seededRandom } from '../../packages/testing/src/index.ts';
import { expect, it } from 'vitest';

const canvas = (id: string, node: object, port: string | undefined, label: string): object => ({
  schemaVersion: 1,
  id,
  name: id,
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'act', ...node },
    { id: 'done', type: 'end', data: { label } },
  ],
  edges: [
    { source: 'begin', target: 'act' },
    { source: 'act', ...(port !== undefined && { sourceHandle: port }), target: 'done' },
  ],
});
const calling = (label: string): object => canvas('calling', { type: 'workflow', data: { workflowId: 'called' } }, 'success', label);
const called = canvas(
  'called',
  { type: 'set', data: { assignments: [{ path: '$context.twice', value: '{{$context.executionId * 2.0}}' }] } },
  undefined,
  'first',
);

it.each([2, 'latest'] as const)('the child of one that is continued in version %s keeps its own version and values', async (version) => {
  const store = { executions: createMemoryStore(), canvases: createMemoryCanvases() };
  const engine = createEngine({ nodes: standardNodes, clock: createVirtualClock(), random: seededRandom(1), store });
  const acme = engine.company('acme');
  await acme.publish(called);
  await acme.publish(calling('first'));
  await engine.start();
  const { executionId } = await acme.start('calling');
  await engine.whenIdle();
  await acme.publish(calling('second'));
  const made = await acme.retry(executionId, { version, set: { '$context.brand': 'Acme' } });
  await engine.whenIdle();
  const { results } = await acme.executions({ workflowId: 'called' });
  const child = results.find(({ parent }) => parent?.executionId === made.executionId);
  expect(await acme.execution(made.executionId)).toMatchObject({
    version: 2,
    state: { status: 'failed', variables: { $context: { brand: 'Acme' } } },
  });
  expect(child).toMatchObject({ version: 1, state: { status: 'failed' } });
  expect(child?.state.variables['$context']).not.toHaveProperty('brand');
});

it('the child that has done its work is not called again where its caller failed behind it', async () => {
  const store = { executions: createMemoryStore(), canvases: createMemoryCanvases() };
  const engine = createEngine({ nodes: standardNodes, clock: createVirtualClock(), random: seededRandom(1), store });
  const acme = engine.company('acme');
  await acme.publish(
    canvas('called', { type: 'set', data: { assignments: [{ path: '$context.word', value: 'ten' }] } }, undefined, 'first'),
  );
  const notes = (value: string): object => {
    const node = { id: 'note', type: 'set', data: { assignments: [{ path: '$context.twice', value }] } };
    const { nodes, edges, ...others } = calling('first') as { readonly nodes: readonly object[]; readonly edges: readonly object[] };
    const [begins, acts] = edges;
    return { ...others, nodes: [...nodes, node], edges: [begins, { ...acts, target: 'note' }, { source: 'note', target: 'done' }] };
  };
  await acme.publish(notes('{{$context.executionId * 2.0}}'));
  await engine.start();
  const { executionId } = await acme.start('calling');
  await engine.whenIdle();
  expect((await acme.execution(executionId))?.state).toMatchObject({ status: 'failed', ending: { failure: { nodeId: 'note' } } });
  await acme.publish(notes('two'));
  const made = await acme.retry(executionId, { version: 'latest' });
  await engine.whenIdle();
  expect((await acme.execution(made.executionId))?.state.status).toBe('completed');
  expect((await acme.executions({ workflowId: 'called' })).results).toHaveLength(1);
});

it('the wait for a child that is continued begins when it is continued, like that of the child', async () => {
  const store = { executions: createMemoryStore(), canvases: createMemoryCanvases() };
  const clock = createVirtualClock();
  const engine = createEngine({ nodes: standardNodes, clock, random: seededRandom(1), store });
  const acme = engine.company('acme');
  await acme.publish(canvas('called', { type: 'wait-event', data: { name: 'go' } }, 'received', 'first'));
  await acme.publish(calling('first'));
  await engine.start();
  const { executionId } = await acme.start('calling');
  await engine.whenIdle();
  await acme.cancel(executionId);
  clock.advanceTo(clock.now() + 86_400_000);
  const made = await acme.retry(executionId);
  await engine.whenIdle();
  const family = (await acme.executions({ status: 'waiting' })).results.map(({ workflowId, state }) => [
    workflowId,
    state.wait?.openedAtMs,
  ]);
  expect(Object.fromEntries(family)).toEqual({ calling: clock.now(), called: clock.now() });
  expect((await acme.execution(made.executionId))?.state.wait?.kind).toBe('child');
});
