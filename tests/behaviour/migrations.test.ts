import { createEngine, createMemoryCanvases, createMemoryStore, type MigrationPlan } from '@hilo/engine';
import type { ExecutionStore, Json, Verdict } from '@hilo/engine/contract';
import { drive, standardNodes } from '@hilo/nodes';
import { httpRequest } from '@hilo/nodes/effects';
import { createVirtualClock, seededRandom } from '../../packages/testing/src/index.ts';
import { describe, expect, it } from 'vitest';

/** Waits at `first`, then at `second`; with `more`, in other words. */
const flow = (id: string, more: { readonly second?: object; readonly third?: object } = {}) => ({
  schemaVersion: 1,
  id,
  name: id,
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'first', type: 'wait-event', data: { name: 'one' } },
    { id: 'second', type: 'wait-event', data: { name: 'two', ...more.second } },
    { id: 'third', type: 'set', data: { assignments: [{ path: '$context.done', value: true }], ...more.third } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'first' },
    { source: 'first', sourceHandle: 'received', target: 'second' },
    { source: 'second', sourceHandle: 'received', target: 'third' },
    { source: 'third', target: 'done' },
  ],
});

/** Goes straight on into another workflow. */
const jumping = {
  schemaVersion: 1,
  id: 'jumping',
  name: 'Jumping',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'first', type: 'jump', data: { workflowId: 'order' } },
  ],
  edges: [{ source: 'begin', target: 'first' }],
};

/** Version 1 of `order` with five executions at its first wait and three at its second, one that jumped into it, and one that has ended. */
async function acmeWith(executions: ExecutionStore = createMemoryStore()) {
  const engine = createEngine({
    nodes: standardNodes,
    clock: createVirtualClock(),
    random: seededRandom(1),
    store: { executions, canvases: createMemoryCanvases() },
  });
  const acme = engine.company('acme');
  await acme.publish(flow('order'));
  await acme.publish(jumping);
  await engine.start();
  const start = async (workflowId: string) => {
    const { executionId } = await acme.start(workflowId);
    await engine.whenIdle();
    return executionId;
  };
  for (let count = 0; count < 3; count += 1) await start('order');
  await acme.signal('one');
  await engine.whenIdle();
  for (let count = 0; count < 5; count += 1) await start('order');
  const ended = await start('order');
  await acme.cancel(ended);
  return { engine, acme, jumped: await start('jumping') };
}

/** A store that cannot say where executions stand without their states. */
function withoutRows(): ExecutionStore {
  const { standing: _standing, ...store } = createMemoryStore();
  return store;
}

/** Waits until something is so. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

const kindsOf = (plan: MigrationPlan) => plan.groups.map(({ kind, nodeId, count }) => ({ kind, nodeId, count }));

describe('the plan of a migration', () => {
  it('counts every open execution of the version, those that jumped into it too, and changes nothing', async () => {
    const { acme } = await acmeWith();
    await acme.publish(flow('order', { second: { timeout: 'PT1H' } }));
    const before = await acme.executions();
    const pages: number[] = [];
    const plan = await acme.migrations.plan({ workflowId: 'order', from: 1, to: 2 }, { onPage: ({ read }) => void pages.push(read) });
    expect(plan).toMatchObject({ read: 9, counts: { changed: 9 }, nodes: {} });
    expect(kindsOf(plan)).toEqual([
      { kind: 'changed', nodeId: 'first', count: 6 },
      { kind: 'changed', nodeId: 'second', count: 3 },
    ]);
    expect(plan.groups[0]).toMatchObject({
      message: '"timeout" of node "second" differs in version 2 (first → second)',
      way: ['first', 'second'],
    });
    expect(plan.groups[0]?.executionIds).toHaveLength(5);
    expect(pages).toEqual([8, 9]);
    expect(await acme.executions()).toEqual(before);
  });

  it('judges for the draft before it is published, as the version that it becomes, and no migration goes to it before', async () => {
    const { acme } = await acmeWith();
    const draft = flow('order', { second: { timeout: 'PT1H' } });
    const toNext = { workflowId: 'order', from: 'any', to: 2 } as const;
    await acme.saveDraft(draft);
    const planned = await acme.migrations.plan(toNext);
    expect(planned.counts).toEqual({ changed: 9 });
    await expect(acme.migrations.plan({ ...toNext, to: 3 })).rejects.toMatchObject({ code: 'VERSION_NOT_FOUND' });
    await expect(acme.migrations.apply(toNext)).rejects.toMatchObject({ code: 'VERSION_NOT_FOUND' });
    await acme.publish(draft);
    expect(await acme.migrations.plan(toNext)).toEqual(planned);
    await acme.saveDraft(flow('order', { second: { timeout: 'PT2H' } }));
    expect(await acme.migrations.plan(toNext)).toEqual(planned);
  });

  it('comes by rows alone to the verdicts that the executions have by their states, whatever versions they are in', async () => {
    for (const store of [createMemoryStore(), withoutRows()]) {
      const { engine, acme } = await acmeWith(store);
      await acme.saveDraft(flow('order', { third: { label: 'Draft' } }));
      await acme.test('order');
      for (const later of [{ third: { label: 'Third' } }, { second: { name: 'other' } }]) {
        await acme.publish(flow('order', later));
        for (let count = 0; count < 2; count += 1) await acme.start('order');
        await engine.whenIdle();
      }
      const told: object[] = [];
      for (const [from, to] of [
        [1, 2],
        [1, 3],
        [2, 1],
        ['any', 1],
        ['any', 2],
        ['any', 3],
      ] as const) {
        const migration = { workflowId: 'order', from, to };
        const found = new Map<string, Verdict['kind']>();
        const { counts } = await acme.migrations.plan(migration, { onVerdict: (id, { kind }) => void found.set(id, kind) });
        told.push(counts);
        for (const [executionId, kind] of found)
          expect(await acme.migrate(executionId, migration, { accept: [] }), `${from} ${to} ${executionId}`).toMatchObject({ kind });
      }
      expect(told).toEqual([
        { same: 9 },
        { changed: 6, refused: 3 },
        { same: 2 },
        { same: 2, changed: 2, refused: 1 },
        { same: 9, changed: 2, refused: 1 },
        { changed: 8, refused: 4 },
      ]);
    }
  });

  it('suggests a rename where what is gone and what is new are the same otherwise', async () => {
    const { acme } = await acmeWith();
    const renamed = JSON.parse(JSON.stringify(flow('order')).replaceAll('"second"', '"later"')) as object;
    await acme.publish(renamed);
    const plan = await acme.migrations.plan({ workflowId: 'order', from: 1, to: 2 });
    expect(plan).toMatchObject({ nodes: { second: 'later' }, counts: { changed: 6, refused: 3 } });
    const mapped = await acme.migrations.plan({ workflowId: 'order', from: 1, to: 2, nodes: plan.nodes });
    expect(mapped).toMatchObject({ nodes: {}, counts: { same: 9 } });
    expect(mapped.planId).not.toBe(plan.planId);
  });
});

describe('a migration of all executions', () => {
  it('changes those with an accepted verdict, once; population follows, and it is undone but for what went on', async () => {
    const { acme, engine, jumped } = await acmeWith();
    const renamed = JSON.parse(JSON.stringify(flow('order')).replaceAll('"second"', '"later"')) as object;
    await acme.publish(renamed);
    const migration = { workflowId: 'order', from: 1, to: 2, nodes: { second: 'later' } };
    const { planId } = await acme.migrations.plan(migration);
    await expect(acme.migrations.apply(migration, { planId: `${planId}0` })).rejects.toMatchObject({ code: 'PLAN_CHANGED', status: 409 });
    expect(await acme.migrations.apply(migration, { planId, accept: ['changed'] })).toMatchObject({
      read: 9,
      migrated: 0,
      counts: { same: 9 },
    });
    expect(await acme.migrations.apply(migration, { planId, job: 'j1' })).toMatchObject({ read: 9, migrated: 9, counts: { same: 9 } });
    expect(await acme.migrations.apply(migration, { planId, job: 'j1' })).toMatchObject({ read: 0, migrated: 0 });
    // The record of what jumped in keeps the workflow and the version that it began in.
    expect(await acme.execution(jumped)).toMatchObject({ workflowId: 'jumping', version: 1 });
    const moved = await acme.population('order');
    expect(moved).toMatchObject([{ version: 2, running: 0, waiting: 8, quarantined: 0 }]);
    expect(moved[0]?.nodes.map(({ nodeId, waiting }) => [nodeId, waiting])).toEqual(
      expect.arrayContaining([
        ['first', 5],
        ['later', 3],
      ]),
    );
    await acme.signal('two');
    await engine.whenIdle();
    expect(await acme.migrations.undo('order', 'j1', { job: 'j2' })).toEqual({ read: 6, undone: 6, alreadyUndone: 0, goneOn: 0 });
    expect(await acme.population('order')).toMatchObject([{ version: 1, waiting: 5 }]);
    expect(await acme.migrations.undo('order', 'j1')).toEqual({ read: 6, undone: 0, alreadyUndone: 6, goneOn: 0 });
  });

  it('is undone with the names that nodes had, and without the values that it gave (M4)', async () => {
    const { engine, acme } = await acmeWith();
    const reading = flow('order', { third: { assignments: [{ path: '$context.done', value: '{{$context.brand}}' }] } });
    const later = { ...reading, variables: { brand: { type: 'any', default: 'nobody' } } };
    await acme.publish(JSON.parse(JSON.stringify(later).replaceAll('"second"', '"later"')) as object);
    const all = async () =>
      (await acme.executions({ workflowId: 'order', status: 'waiting', limit: 100 })).results.map(({ version, state }) => {
        const { historySize: _history, variablesSize: _variables, visits: _visits, ...seen } = state; // they count on
        return { version, seen };
      });
    const before = await all();
    const migration = { workflowId: 'order', from: 1, to: 2, nodes: { second: 'later' }, set: { '$context.brand': 'Acme' } } as const;
    expect(await acme.migrations.apply(migration, { accept: ['changed'], job: 'j1' })).toMatchObject({ counts: { changed: 9 } });
    const moved = await all();
    expect(moved.map(({ version, seen }) => [version, seen.variables['$context']])).toEqual(
      moved.map(() => [2, expect.objectContaining({ brand: 'Acme' }) as unknown]),
    );
    expect(await acme.migrations.undo('order', 'j1')).toMatchObject({ undone: 9, goneOn: 0 });
    expect(await all()).toEqual(before);
    await acme.signal('two');
    await engine.whenIdle();
    expect((await acme.executions({ workflowId: 'order', status: 'completed' })).results.map(({ version }) => version)).toEqual([1, 1, 1]);
  });

  it('is not undone where it entered a node, and what it kept of the user stays', async () => {
    const { acme } = await acmeWith();
    await acme.publish(flow('order', { third: { assignments: [{ path: '$context.done', value: '{{$memory.brand}}' }] } }));
    const migration = {
      workflowId: 'order',
      from: 1,
      to: 2,
      at: { first: { enter: 'second' } },
      set: { '$memory.brand': 'Acme' },
    } as const;
    const accept = ['enters', 'changed'] as const;
    expect(await acme.migrations.apply(migration, { accept, job: 'j1' })).toMatchObject({ counts: { enters: 6, changed: 3 } });
    expect(await acme.migrations.undo('order', 'j1')).toMatchObject({ undone: 3, goneOn: 6 });
    const { results } = await acme.executions({ workflowId: 'order', status: 'waiting', limit: 100 });
    expect(results.filter(({ version }) => version === 1).map(({ state }) => state.variables['$memory'])).toEqual(
      Array.from({ length: 3 }, () => ({ brand: 'Acme' })),
    );
  });

  it('goes on in the middle of a loop whose nodes have other names (M2, M8)', async () => {
    const engine = createEngine({ nodes: standardNodes, clock: createVirtualClock(), random: seededRandom(1) });
    const acme = engine.company('acme');
    const loop = (names: readonly [string, string]) => ({
      schemaVersion: 1,
      id: 'loop',
      name: 'Loop',
      kind: 'tool',
      nodes: [
        { id: 'begin', type: 'start' },
        { id: names[0], type: 'for-each', data: { items: [1, 2, 3] } },
        { id: names[1], type: 'wait-event', data: { name: 'go' } },
        { id: 'done', type: 'end' },
      ],
      edges: [
        { source: 'begin', target: names[0] },
        { source: names[0], sourceHandle: 'each', target: names[1] },
        { source: names[1], sourceHandle: 'received', target: names[0] },
        { source: names[0], sourceHandle: 'done', target: 'done' },
      ],
    });
    await acme.publish(loop(['each', 'pause']));
    await engine.start();
    const { executionId } = await acme.start('loop');
    await acme.publish(loop(['item', 'rest']));
    const item = async () => {
      await engine.whenIdle();
      const found = await acme.execution(executionId);
      return [found?.state.status, found?.state.variables['$item']];
    };
    expect(await item()).toEqual(['waiting', 1]);
    const nodes = { each: 'item', pause: 'rest' };
    expect(await acme.migrate(executionId, { workflowId: 'loop', from: 1, to: 2, nodes })).toMatchObject({ kind: 'same' });
    for (const left of [2, 3]) {
      await acme.signal('go');
      expect(await item()).toEqual(['waiting', left]);
    }
    await acme.signal('go');
    expect((await item())[0]).toBe('completed');
    // Visits are counted on, so that no key of an effect is made twice (M8).
    expect((await acme.execution(executionId))?.state.visits).toMatchObject({ item: 4, rest: 3 });
  });

  it('judges those with an effect under way again at its end, and leaves those whose effect still is', async () => {
    const held: (() => void)[] = [];
    const calls = (more: object) => ({
      ...flow('order'),
      nodes: [
        { id: 'begin', type: 'start' },
        { id: 'first', type: 'api', data: { url: 'https://shop.example' } },
        { id: 'second', type: 'wait-event', data: { name: 'two', ...more } },
        { id: 'done', type: 'end' },
      ],
      edges: [
        { source: 'begin', target: 'first' },
        { source: 'first', sourceHandle: 'success', target: 'second' },
        { source: 'first', sourceHandle: 'error', target: 'done' },
        { source: 'second', sourceHandle: 'received', target: 'done' },
      ],
    });
    const engine = createEngine({
      nodes: standardNodes,
      drivers: [
        drive(httpRequest, async () => {
          await new Promise<void>((resolve) => held.push(resolve));
          return { kind: 'response', response: { status: 200, headers: {}, body: null } };
        }),
      ],
      clock: createVirtualClock(),
      random: seededRandom(1),
      store: { executions: createMemoryStore(), canvases: createMemoryCanvases() },
    });
    const acme = engine.company('acme');
    await acme.publish(calls({}));
    await engine.start();
    const executionIds = [(await acme.start('order')).executionId, (await acme.start('order')).executionId];
    await until(() => held.length === 2);
    await acme.publish(calls({ label: 'other' }));
    const migration = { workflowId: 'order', from: 1, to: 2 } as const;
    const part = (place: Json) => acme.migrations.applyPart(migration, { place, limit: 10 });
    const judged = await part((await part(null)).next);
    expect(judged).toMatchObject({ read: 0, migrated: 0, counts: {} });
    held[0]?.();
    await until(async () => (await acme.execution(executionIds[0] ?? ''))?.state.status === 'waiting');
    const last = await part(judged.next);
    expect(last).toEqual({ read: 2, migrated: 1, counts: { same: 1, busy: 1 }, next: null });
    expect(await acme.execution(executionIds[0] ?? '')).toMatchObject({ version: 2 });
    expect(await acme.execution(executionIds[1] ?? '')).toMatchObject({ version: 1, state: { status: 'running' } });
  });

  it('is refused for what is no migration, and says why', async () => {
    const { acme } = await acmeWith();
    const plan = (migration: unknown) => acme.migrations.plan(migration);
    await expect(plan({ workflowId: 'order', from: 1, to: 2 })).rejects.toMatchObject({ code: 'VERSION_NOT_FOUND', status: 404 });
    await expect(plan({ workflowId: 'order', from: 1 })).rejects.toThrow(
      /^The migration of workflow "order" does not fit: "to" is the number of a version/,
    );
    await expect(plan({ workflowId: 'order', from: 1, to: 2, node: {} })).rejects.toThrow(/Unrecognized key: "node"/);
    await expect(plan(7)).rejects.toThrow(/workflow "without an id" does not fit/);
  });
});
