// The part of the contract of runtimes that is about migrations.
import type { Migration } from '@hilo/engine/contract';
import { expect, describe, it } from 'vitest';
import { napMs, publishedCanvases } from './runtime-canvases.ts';
import { type RuntimeStage, type RuntimeWorld, withWorld } from './runtime-stage.ts';

interface Drawn {
  readonly id: string;
  readonly nodes: readonly { readonly id: string; readonly data?: object }[];
  readonly edges: readonly { readonly source: string; readonly target: string }[];
}

/** A canvas of the suite with other data for some nodes, and other names for some. */
export function changed(
  id: string,
  data: { readonly [nodeId: string]: object },
  names: { readonly [nodeId: string]: string } = {},
): object {
  const canvas = publishedCanvases.map((one) => one as Drawn).find((one) => one.id === id);
  if (canvas === undefined) throw new RangeError(`There is no canvas "${id}"`);
  const nameOf = (nodeId: string): string => names[nodeId] ?? nodeId;
  return {
    ...canvas,
    nodes: canvas.nodes.map((node) => ({ ...node, id: nameOf(node.id), data: { ...node.data, ...data[node.id] } })),
    edges: canvas.edges.map((edge) => ({ ...edge, source: nameOf(edge.source), target: nameOf(edge.target) })),
  };
}

const isWaiting = ({ state }: { readonly state: { readonly status: string } }): boolean => state.status === 'waiting';
const hasEnded = ({ state }: { readonly state: { readonly status: string } }): boolean => state.status === 'completed';
const user = '5215512345678';
const text = (said: string): object => ({ message: { type: 'text', text: said } });

/** Begins the conversation, up to its question. */
async function talk({ acme, say, until }: Pick<RuntimeWorld, 'acme' | 'say' | 'until'>): Promise<string> {
  await say(user, 'hi');
  const { results } = await acme.executions({ workflowId: 'talk' });
  const executionId = results[0]?.executionId ?? '';
  await until(executionId, isWaiting);
  return executionId;
}

/** A waiting execution comes to another version, judged as it is then, and goes on where it waits. */
export function describeMigrationsOfRuntime(open: () => Promise<RuntimeStage>): void {
  describe('a migration', () => {
    describeVerdictsOfMigrations(open);

    describeUnseenMigrations(open);

    describeEntriesAndUndoing(open);

    describeRefusedMigrations(open);
  });
}

/** A migration does what its verdict says. */
function describeVerdictsOfMigrations(open: () => Promise<RuntimeStage>): void {
  it(
    'changes an execution by an accepted verdict alone, once, and it goes on in the other version (P37)',
    withWorld(open, async (world) => {
      const { acme, engine, say, until, untilSent } = world;
      const executionId = await talk(world);
      await acme.publish(changed('talk', { echo: text('You wrote {{$context.said}}') }));
      const migration: Migration = { workflowId: 'talk', from: 1, to: 2 };
      const before = await acme.execution(executionId);
      expect(await engine.migrate('acme', executionId, migration)).toMatchObject({
        kind: 'changed',
        difference: { way: ['ask', 'echo'] },
      });
      expect(await acme.execution(executionId)).toEqual(before);
      const done = await engine.migrate('acme', executionId, migration, { accept: ['changed'], by: 'ada', job: 'j1' });
      expect(done).toMatchObject({ kind: 'changed', revision: (before?.revision ?? 0) + 1 });
      expect(await engine.migrate('acme', executionId, migration, { accept: ['changed'] })).toEqual({ kind: 'none' });
      const after = await acme.execution(executionId);
      expect(after).toMatchObject({ version: 2, state: { wait: before?.state.wait } });
      await say(user, 'well');
      await untilSent('You wrote well');
      await until(executionId, hasEnded);
      const migrated = (await acme.history(executionId)).filter(({ event }) => event.type === 'execution.migrated');
      expect(migrated.map(({ event }) => event)).toMatchObject([{ version: 2, by: 'ada', job: 'j1', from: { version: 1 } }]);
    }),
  );

  it(
    'that is proved keeps its wait under another name, its timer and its child, and repeats no key (M8)',
    withWorld(open, async (world) => {
      const { acme, engine, sent, elapse, until, untilSent } = world;
      const called = await acme.start('parent', { user: { id: user }, bot: 'bot' });
      await until(called.executionId, isWaiting);
      const napping = await acme.start('nap');
      const { state } = await until(napping.executionId, isWaiting);
      await acme.publish(changed('parent', { call: { label: 'Call' } }, { call: 'called', tell: 'told' }));
      await acme.publish(changed('nap', { sleep: { label: 'Sleep' } }));
      await until(called.executionId, ({ state: { wait } }) => wait?.kind === 'child');
      const nodes = { call: 'called', tell: 'told' };
      const ofParent: Migration = { workflowId: 'parent', from: 'any', to: 2, nodes };
      expect(await engine.migrate('acme', called.executionId, ofParent)).toMatchObject({ kind: 'same' });
      const ofNap: Migration = { workflowId: 'nap', from: 1, to: 2 };
      expect(await engine.migrate('acme', napping.executionId, ofNap)).toMatchObject({ kind: 'same' });
      expect((await acme.execution(napping.executionId))?.state.wait).toEqual(state.wait);
      await world.restart();
      await elapse(2 * napMs);
      await untilSent('Found 42');
      expect((await until(called.executionId, hasEnded)).state.ending?.outputs).toEqual({ found: 42 });
      await until(napping.executionId, hasEnded);
      const keys = sent.map(({ key, text: said }) => `${key} ${said}`);
      expect(new Set(keys).size).toBe(keys.length);
      expect(sent.map(({ text: said }) => said)).toEqual(['Inside', 'Found 42']);
    }),
  );
}

/** Those who wait notice nothing. */
function describeUnseenMigrations(open: () => Promise<RuntimeStage>): void {
  it(
    'that waits for a request is answered by one of many, once, also where its webhook answers once (P7)',
    withWorld(open, async (world) => {
      const { acme, engine, sent, until, untilSent } = world;
      const once = { hook: { oneTimeOnly: true } };
      await acme.publish(changed('order', once));
      const { executionId } = await acme.webhook('order', { method: 'POST', body: { user } }, { bot: 'bot' });
      await until(executionId, isWaiting);
      const thanks = text('Thank you, {{$webhook.order.body.by}}');
      await acme.publish(changed('order', { ...once, thanks }, { paid: 'settled' }));
      const migration: Migration = { workflowId: 'order', from: 2, to: 3, nodes: { paid: 'settled' } };
      expect(await engine.migrate('acme', executionId, migration, { accept: ['changed'] })).toMatchObject({ kind: 'changed' });
      const pay = (by: string) => world.acme.webhook('order', { method: 'POST', body: { user, executionId, by } }, { bot: 'bot' });
      const answers = await Promise.all(['ada', 'bob', 'cid'].map(pay));
      expect(answers.filter(({ mode, ignored }) => mode === 'resume' && ignored === undefined)).toHaveLength(1);
      expect(answers.filter(({ ignored }) => ignored)).toHaveLength(2);
      const { state, version } = await until(executionId, hasEnded);
      expect(version).toBe(3);
      await untilSent(`Thank you, ${JSON.stringify(state.ending?.outputs['by']).slice(1, -1)}`);
      await world.restart();
      expect(await pay('dan')).toMatchObject({ ignored: true });
      expect(sent.map(({ text: said }) => said.split(',')[0])).toEqual(['Placed', 'Thank you']);
    }),
  );

  it(
    'as the same is not seen: who was migrated reads what the other reads (M2)',
    withWorld(open, async (world) => {
      const { say, until, untilSent } = world;
      const users = ['5215512345678', '5215512345679'];
      for (const one of users) await say(one, 'hi');
      const { results } = await world.acme.executions({ workflowId: 'talk' });
      for (const { executionId } of results) await until(executionId, isWaiting);
      await world.acme.publish(changed('talk', { ask: { label: 'Ask' }, echo: { notes: 'Echo' } }, { echo: 'echoed' }));
      const moved = results.find(({ state }) => state.origin.userId === users[0])?.executionId ?? '';
      const migration: Migration = { workflowId: 'talk', from: 1, to: 2, nodes: { echo: 'echoed' } };
      expect(await world.engine.migrate('acme', moved, migration)).toMatchObject({
        kind: 'same',
        revision: expect.any(Number) as unknown,
      });
      await world.restart();
      for (const one of users) {
        await say(one, 'well');
        await untilSent('You said well', one);
      }
      for (const { executionId } of results) await until(executionId, hasEnded);
      const [first, second] = users.map((one) => world.listTexts(one));
      expect(first).toEqual(second);
      const endings = await Promise.all(results.map(async ({ executionId }) => (await world.acme.execution(executionId))?.state.ending));
      expect(endings[0]).toEqual(endings[1]);
    }),
  );
}

/** A migration ends a wait where it is told to, and is undone. */
function describeEntriesAndUndoing(open: () => Promise<RuntimeStage>): void {
  it(
    'that enters a node ends the wait, and the child of it in the same commit (P18)',
    withWorld(open, async ({ acme, engine, until }) => {
      const { executionId } = await acme.start('parent', { user: { id: user }, bot: 'bot' });
      const { state } = await until(executionId, ({ state: { wait } }) => wait?.kind === 'child');
      await acme.publish(changed('parent', { tell: text('Without it') }));
      const migration: Migration = { workflowId: 'parent', from: 1, to: 2, at: { call: { enter: 'tell' } } };
      expect(await engine.migrate('acme', executionId, migration, { accept: ['enters'] })).toMatchObject({ kind: 'needs' });
      const filled = { ...migration, set: { '$context.found': { doubled: 1 } } };
      expect(await engine.migrate('acme', executionId, filled, { accept: ['enters'], job: 'j1' })).toMatchObject({ kind: 'enters' });
      expect((await acme.execution(state.wait?.childId ?? ''))?.state.status).toBe('cancelled');
      expect((await until(executionId, hasEnded)).state.ending?.outputs).toEqual({ found: 1 });
      expect(await engine.undoMigration('acme', executionId, 'j1')).toMatchObject({ kind: 'refused', reason: 'GONE_ON' });
    }),
  );

  it(
    'is undone where nothing has happened since, and not otherwise (M4)',
    withWorld(open, async (world) => {
      const { acme, engine, say, untilSent } = world;
      const executionId = await talk(world);
      const before = await acme.execution(executionId);
      await acme.publish(changed('talk', { echo: text('{{$context.brand ?? "Nobody"}}: {{$context.said}}') }));
      const migration: Migration = { workflowId: 'talk', from: 1, to: 2, set: { '$context.brand': 'Acme' } };
      await engine.migrate('acme', executionId, migration, { accept: ['changed'], job: 'j1' });
      expect(await engine.undoMigration('acme', executionId, 'another')).toEqual({ kind: 'none' });
      expect(await engine.undoMigration('acme', executionId, 'j1', { job: 'j2' })).toMatchObject({ kind: 'same' });
      const after = await acme.execution(executionId);
      expect(after).toMatchObject({
        version: 1,
        state: { variables: before?.state.variables, wait: before?.state.wait, visits: before?.state.visits },
      });
      const again = { kind: 'refused', reason: 'TAKEN_BACK', message: 'It was taken back already, and stays where it is' };
      expect(await engine.undoMigration('acme', executionId, 'j1')).toMatchObject(again);
      await engine.migrate('acme', executionId, migration, { accept: ['changed'], job: 'j3' });
      await say(user, 'well');
      await untilSent('Acme: well');
      expect(await engine.undoMigration('acme', executionId, 'j3')).toMatchObject({ reason: 'GONE_ON' });
    }),
  );
}

/** What keeps an execution from being migrated. */
function describeRefusedMigrations(open: () => Promise<RuntimeStage>): void {
  it(
    'and a cancel at once have one order, and an effect under way is not disturbed',
    withWorld(open, async (world) => {
      const { acme, engine, hold, say, until, untilSent } = world;
      const executionId = await talk(world);
      await acme.publish(changed('talk', { echo: text('Other') }));
      const migration: Migration = { workflowId: 'talk', from: 1, to: 2 };
      const migrates = () => engine.migrate('acme', executionId, migration, { accept: ['same', 'changed'] });
      const [first, , second] = await Promise.all([migrates(), acme.cancel(executionId), migrates()]);
      expect([first.kind, second.kind].filter((kind) => kind === 'changed').length).toBeLessThan(2);
      const history = await acme.history(executionId);
      expect(history.filter(({ event }) => event.type === 'execution.migrated').length).toBeLessThan(2);
      expect((await acme.execution(executionId))?.state.status).toBe('cancelled');
      const { letThrough } = hold('Hello again');
      await say(user, 'again');
      await untilSent('Hello again');
      const { results } = await acme.executions({ workflowId: 'talk', status: 'running' });
      const other = results[0]?.executionId ?? '';
      const back = { ...migration, from: 2, to: 1 };
      expect(await engine.migrate('acme', other, back, { accept: ['changed'] })).toEqual({ kind: 'busy' });
      letThrough();
      await until(other, isWaiting);
      expect(await engine.migrate('acme', other, back, { accept: ['changed'] })).toMatchObject({ kind: 'changed' });
    }),
  );

  it(
    'is refused for what is not there, and says what',
    withWorld(open, async ({ acme, engine, until }) => {
      const { executionId } = await acme.start('nap');
      await until(executionId, isWaiting);
      const migration = (to: number, more: Partial<Migration> = {}): Migration => ({ workflowId: 'nap', from: 1, to, ...more });
      await expect(engine.migrate('acme', executionId, migration(9))).rejects.toMatchObject({ code: 'VERSION_NOT_FOUND', status: 404 });
      await expect(engine.migrate('acme', executionId, migration(1))).rejects.toMatchObject({ code: 'INVALID_MIGRATION', status: 422 });
      await acme.publish(changed('nap', { sleep: { label: 'Sleep' } }));
      await expect(engine.migrate('acme', executionId, migration(2, { nodes: { none: 'sleep' } }))).rejects.toThrow(
        /"none", which version 1/,
      );
      await expect(engine.migrate('acme', 'none', migration(2))).rejects.toMatchObject({ code: 'EXECUTION_NOT_FOUND' });
      expect((await acme.execution(executionId))?.version).toBe(1);
    }),
  );
}
