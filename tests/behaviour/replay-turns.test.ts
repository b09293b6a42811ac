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

/** With so many conversations that have ended in the first version. */
async function ended(conversations: number) {
  const store = { executions: createMemoryStore(), canvases: createMemoryCanvases() };
  const engine = createEngine({ nodes: standardNodes, clock: createVirtualClock(), random: seededRandom(1), store });
  const acme = engine.company('acme');
  await acme.publish(canvas);
  await engine.start();
  for (let count = 0; count < conversations; count += 1) await acme.start('short');
  await engine.whenIdle();
  return acme;
}

/** How many turns others have meanwhile. */
async function countTurns<Result>(work: () => Promise<Result>): Promise<{ readonly turns: number; readonly result: Result }> {
  let [turns, isOver] = [0, false];
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const result = await work();
  isOver = true;
  return { turns, result };
}

it('lets others have their turn after every hundred events, also where each conversation is short and in memory (P20)', async () => {
  const acme = await ended(200);
  const { turns, result } = await countTurns(() => acme.replay('short', { against: 1 }));
  expect({ read: result.read, equal: result.counts.equal }).toEqual({ read: 200, equal: 200 });
  expect(turns).toBeGreaterThanOrEqual(4); // two records each
});

it('lets others have their turn between pages of which no conversation is meant (P20)', async () => {
  const acme = await ended(350);
  await acme.publish({ ...canvas, name: 'Longer' });
  const { turns, result } = await countTurns(() => acme.replay('short', { against: 1 }));
  expect(result).toMatchObject({ version: 2, read: 0 });
  expect(turns).toBeGreaterThanOrEqual(4); // of a hundred rows each
});
