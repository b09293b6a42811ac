import { createEngine, createMemoryCanvases, createMemoryStore } from '@hilo/engine';
import { standardNodes } from '@hilo/nodes';
import { createVirtualClock, seededRandom } from '../../packages/testing/src/index.ts';
import { expect, it } from 'vitest';

declare const setImmediate: (callback: () => void) => unknown;

const canvas = {
  schemaVersion: 1,
  id: 'short',
  name: 'Short',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'done', type: 'end' },
  ],
  edges: [{ source: 'begin', target: 'done' }],
};

it('lets others have their turn after every hundred events, also where each conversation is short and in memory (P20)', async () => {
  const store = { executions: createMemoryStore(), canvases: createMemoryCanvases() };
  const engine = createEngine({ nodes: standardNodes, clock: createVirtualClock(), random: seededRandom(1), store });
  const acme = engine.company('acme');
  await acme.publish(canvas);
  await engine.start();
  for (let count = 0; count < 200; count += 1) await acme.start('short');
  await engine.whenIdle();
  let [turns, isOver] = [0, false];
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const { read, counts } = await acme.replay('short', { against: 1 });
  isOver = true;
  expect({ read, equal: counts.equal }).toEqual({ read: 200, equal: 200 });
  expect(turns).toBeGreaterThanOrEqual(4); // two records each
});
