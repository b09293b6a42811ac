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
