// A part of a job that is done again, while a lane is only about to take the call of the process that died: Restate and other processes keep
// such calls. It is counted as what that did.
import { type BulkAction, createEngine, createMemoryCanvases, createMemoryStore } from '@hilo/engine';
import type { Json } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { createVirtualClock, seededRandom } from '../../packages/testing/src/index.ts';
import { describe, expect, it } from 'vitest';

/** Waits for an event; the label is what versions differ in. */
const waiting = (label: string) => ({
  schemaVersion: 1,
  id: 'waiting',
  name: 'Waiting',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'wait', type: 'wait-event', data: { label, name: 'one' } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'wait' },
    { source: 'wait', sourceHandle: 'received', target: 'done' },
  ],
});

const count = 3;

/** Some executions that wait. `late` is what happens once somebody has looked for what a job did, and before that somebody acts. */
async function open() {
  const inner = createMemoryStore();
  const late: (() => Promise<unknown>)[] = [];
  const between = async <Found>(found: Promise<Found>): Promise<Found> => {
    const read = await found;
    await late.pop()?.();
    return read;
  };
  const executions = {
    ...inner,
    history: (companyId: string, executionId: string) => between(inner.history(companyId, executionId)),
    seenAnswer: (keys: readonly string[]) => between(inner.seenAnswer(keys)),
  };
  const store = { executions, canvases: createMemoryCanvases() };
  const engine = createEngine({ nodes: standardNodes, clock: createVirtualClock(), random: seededRandom(1), store });
  const acme = engine.company('acme');
  await acme.publish(waiting('first'));
  await engine.start();
  for (let started = 0; started < count; started += 1) await acme.start('waiting');
  await engine.whenIdle();
  await acme.publish(waiting('second'));
  return { acme, late };
}

type World = Awaited<ReturnType<typeof open>>;
interface Part {
  readonly next: Json;
  readonly counts?: object;
  readonly undone?: number;
}

const job = 'j1';
const migration = { workflowId: 'waiting', from: 1, to: 2 } as const;
const one = async <Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> => {
  for (const item of items) await act(item);
};

/** A part of each kind of job, and what is done before it. */
const bulk =
  (action: BulkAction, filter: object = {}) =>
  ({ acme }: World, place: Json, isAgain: boolean): Promise<Part> =>
    acme.bulk.part({ workflowId: 'waiting', ...filter }, action, { place, limit: 10, isAgain, each: one, atMost: 10, job });
const acts: { readonly [name: string]: { readonly before?: (world: World) => Promise<unknown>; readonly part: ReturnType<typeof bulk> } } =
  {
    'a migration': {
      part: ({ acme }, place, isAgain) => acme.migrations.applyPart(migration, { place, limit: 10, isAgain, each: one, job }),
    },
    'its undoing': {
      before: ({ acme }) => acme.migrations.apply(migration, { job: 'j0' }),
      part: ({ acme }, place, isAgain) => acme.migrations.undoPart('waiting', 'j0', { place, limit: 10, isAgain, each: one, job }),
    },
    'a migration in bulk': { part: bulk({ type: 'migrate', migration }) },
    'a cancel in bulk': { part: bulk({ type: 'cancel' }) },
    'a signal in bulk': { part: bulk({ type: 'signal', name: 'one' }, { nodeId: 'wait' }) },
    'a retry in bulk': {
      before: ({ acme }) => acme.bulk.apply({ workflowId: 'waiting' }, { type: 'cancel' }, { atMost: 10, job: 'j0' }),
      part: bulk({ type: 'retry' }, { status: 'cancelled' }),
    },
  };

describe('a part that is done again', () => {
  it.each(Object.keys(acts))('counts what the call of a process that died does in between: %s', async (name) => {
    const act = acts[name];
    const run = async (isLate: boolean): Promise<Omit<Part, 'next'>> => {
      const world = await open();
      await act?.before?.(world);
      const first = await act?.part(world, null, false);
      if (first === undefined) throw new Error('There is such an act');
      if (isLate) world.late.push(async () => act?.part(world, first.next, false));
      const { next: _next, ...done } = (await act?.part(world, first.next, isLate)) ?? first;
      expect(world.late).toEqual([]);
      return done;
    };
    expect(await run(true)).toEqual(await run(false));
  });
});
