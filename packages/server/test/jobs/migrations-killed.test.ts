// Acts on many executions whose process dies at any write of theirs: the next one comes to what an undisturbed run comes to (M7).
import { setImmediate } from 'node:timers/promises';
import { type BulkAction, type BulkFilter, createEngine, type Engine } from '@hilo/engine';
import type { MigratingKind } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { createRunner, type DurableStore, openSqliteStore } from '@hilo/stores';
import { createVirtualClock, seededRandom } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { createJobRunner } from '../../src/platform/jobs/job-runner.ts';
import { createJobs, type Jobs } from '../../src/platform/jobs/jobs.ts';
import { renewals } from '../../src/platform/jobs/claims.ts';
import { bulkJob } from '../../src/executions/bulk.ts';
import { serviceTables } from '../../src/platform/database/tables.ts';
import { migrateJob, undoJob } from '../../src/workflows/migrate-jobs.ts';

/** Waits at `first`, then at `second` for an event of this name. */
const order = (awaited: string): object => ({
  schemaVersion: 1,
  id: 'order',
  name: 'Order',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'first', type: 'wait-event', data: { name: 'one' } },
    { id: 'second', type: 'wait-event', data: { name: awaited } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'first' },
    { source: 'first', sourceHandle: 'received', target: 'second' },
    { source: 'second', sourceHandle: 'received', target: 'done' },
  ],
});

const never = new Promise<never>(() => undefined);
const kinds = [migrateJob, undoJob, bulkJob];
const random = seededRandom;

interface Death {
  /** It dies at this write of its own, of executions or of the job. */
  readonly atWrite: number;
  /** Whether that write has happened. */
  readonly isDone: boolean;
}

interface Mortal extends Pick<DurableStore, 'runner' | 'executions' | 'canvases' | 'durability'> {
  /** It dies now, if it has not. */
  die(): void;
}

/** A store whose process dies: what it writes then happens or not, and it hears of nothing any more. */
function mortal(store: DurableStore, { atWrite, isDone }: Death): Mortal {
  let left = atWrite;
  const dies = async <Answer>(write: () => Promise<Answer>): Promise<Answer> => {
    left -= 1;
    if (left > 0) return write();
    if (left === 0 && isDone) await write();
    return never;
  };
  const reads = async <Answer>(read: () => Promise<Answer>): Promise<Answer> => (left <= 0 ? never : read());
  const { runner, executions } = store;
  return {
    die: () => void (left = Math.min(left, 0)),
    canvases: store.canvases,
    durability: { ...store.durability, database: 'postgres' }, // another process may be at work
    executions: { ...executions, commit: (commit) => dies(async () => executions.commit(commit)) },
    runner: createRunner({
      readEach: (calls) => reads(() => runner.readEach(calls)),
      write: (calls) => (calls[0]?.statement === renewals.jobs ? reads(() => runner.write(calls)) : dies(() => runner.write(calls))),
    }),
  };
}

interface World extends AsyncDisposable {
  readonly jobs: Jobs;
  /** An engine and a runner of jobs, as of a process. */
  process(death?: Death): Promise<Engine>;
  /** Whoever is to die is dead now. */
  bury(): void;
  /** Ends the processes that live. */
  rest(): Promise<void>;
  settle(forMs: number): Promise<void>;
  /** Of each execution, in the order in which they began. */
  stand(engine: Engine): Promise<readonly object[]>;
}

/** A company of whose executions some wait at `first` and others at `second`, and a second version with another event there. */
async function open(atFirst: number, atSecond: number): Promise<World> {
  const store = await openSqliteStore({ path: ':memory:', extensions: [serviceTables] });
  const clock = createVirtualClock();
  const stops: (() => Promise<void>)[] = [];
  const dying: Mortal[] = [];
  const engineOver = async (parts: Pick<DurableStore, 'executions' | 'canvases'>): Promise<Engine> => {
    const engine = createEngine({ nodes: standardNodes, clock, random: random(stops.length + 1), store: parts });
    await engine.start();
    return engine;
  };
  const first = await engineOver(store);
  const acme = first.company('1');
  await acme.publish(order('two'));
  const ids: string[] = [];
  const start = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) ids.push((await acme.start('order')).executionId);
    await first.whenIdle();
  };
  await start(atSecond);
  await acme.signal('one');
  await first.whenIdle();
  await start(atFirst);
  await acme.publish(order('deux'));
  await first.stop();
  const rest = async (): Promise<void> => {
    for (const stop of stops.splice(0)) await stop();
  };
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  return {
    jobs: createJobs(kinds, { store, clock, random: random(100), wake: () => {} }),
    async process(death) {
      const lasting = { ...store, durability: { ...store.durability, database: 'postgres' as const } };
      const parts = death === undefined ? lasting : mortal(store, death);
      if ('die' in parts) dying.push(parts);
      const engine = await engineOver(parts);
      const runner = createJobRunner(kinds, {
        store: parts,
        clock,
        random: random(stops.length + 50),
        log,
        isBusy: () => false,
        atWork: () => 0,
        onCounted: () => {},
      });
      if (death === undefined)
        stops.push(
          () => runner.stop(),
          () => engine.stop(),
        );
      await runner.start({ engine });
      return engine;
    },
    rest,
    bury: () => dying.forEach((one) => one.die()),
    async settle(forMs) {
      for (const untilMs = clock.now() + forMs; clock.now() < untilMs; ) {
        for (let turn = 0; turn < 12; turn += 1) await setImmediate();
        clock.advanceTo(Math.min(clock.nextMs() ?? untilMs, untilMs));
      }
    },
    stand: (engine) =>
      Promise.all(
        ids.map(async (executionId) => {
          const record = await engine.execution('1', executionId);
          const history = await engine.company('1').history(executionId);
          const migrated = history.filter(({ event }) => event.type === 'execution.migrated').length;
          return { status: record?.state.status, version: record?.version, revision: record?.revision, wait: record?.state.wait, migrated };
        }),
      ),
    async [Symbol.asyncDispose]() {
      await rest();
      await store.close();
    },
  };
}

const asked = { companyId: '1', createdBy: 'operator maria', rate: 3 };
const migration = { workflowId: 'order', from: 1, to: 2 };

/** Migrates, by a process that dies on the way and another, and undoes it, by a third. */
async function run(atFirst: number, atSecond: number, accept: readonly MigratingKind[], death?: Death) {
  await using world = await open(atFirst, atSecond);
  const { jobs, settle } = world;
  const spec = { workflowId: 'order', migration, accept: [...accept] };
  const { jobId } = await jobs.ask(migrateJob, { ...asked, spec });
  if (death !== undefined) {
    await world.process(death);
    await settle(3_000);
    world.bury();
  }
  const engine = await world.process();
  await settle(60_000);
  const job = await jobs.find(jobId);
  const after = await world.stand(engine);
  const again = await jobs.ask(migrateJob, { ...asked, spec });
  await settle(60_000);
  const twice = await world.stand(engine);
  const undo = await jobs.undo(job, 'operator maria');
  await settle(60_000);
  return { job, after, again: await jobs.find(again.jobId), twice, undo: await jobs.find(undo.jobId), undone: await world.stand(engine) };
}

/** What is done to many, and what has to be done before it. */
const acts = {
  undo: { before: 'migrate' },
  cancel: { action: { type: 'cancel', reason: 'Over' } },
  retry: { before: 'cancel', filter: { status: 'cancelled' }, action: { type: 'retry', version: 'latest' } },
  signal: { filter: { nodeId: 'first' }, action: { type: 'signal', name: 'one' } },
  migrate: { action: { type: 'migrate', migration, accept: ['changed'] } },
} satisfies { readonly [name: string]: { before?: 'migrate' | 'cancel'; filter?: BulkFilter; action?: BulkAction } };

/** Does an act on all by a process that dies on the way, and another. */
async function actOnMany(atFirst: number, atSecond: number, name: keyof typeof acts, death?: Death) {
  await using world = await open(atFirst, atSecond);
  const { jobs, settle } = world;
  const bulk = ({ filter = {}, action }: { readonly filter?: BulkFilter; readonly action: BulkAction }) =>
    jobs.ask(bulkJob, { ...asked, atMost: 100, spec: { filter: { workflowId: 'order', ...filter }, action } });
  let earlier: string | undefined;
  const act = acts[name];
  if ('before' in act) {
    await world.process();
    const spec = { workflowId: 'order', migration, accept: ['changed' as const] };
    ({ jobId: earlier } = act.before === 'migrate' ? await jobs.ask(migrateJob, { ...asked, spec }) : await bulk(acts.cancel));
    await settle(60_000);
    await world.rest();
  }
  const { jobId } = 'action' in act ? await bulk(act) : await jobs.undo(await jobs.find(earlier ?? ''), 'operator maria');
  if (death !== undefined) {
    await world.process(death);
    await settle(3_000);
    world.bury();
  }
  const engine = await world.process();
  await settle(60_000);
  const { results } = await engine.company('1').executions({ limit: 100 });
  // What begins to wait by an act does so when that is done.
  const stand = JSON.stringify(await world.stand(engine), (key, value: unknown) => (key === 'openedAtMs' ? undefined : value));
  return { job: await jobs.find(jobId), stand, all: results.length };
}

const deaths = fc.record({ atWrite: fc.integer({ min: 1, max: 16 }), isDone: fc.boolean() });
const numRuns = fc.readConfigureGlobal().numRuns ?? (inject('takesAll') ? 40 : 3);

describe('an act on many', () => {
  it('comes to what an undisturbed one comes to, with the same counts, wherever its process dies', async () => {
    const names = Object.keys(acts) as (keyof typeof acts)[];
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 5 }),
        fc.nat({ max: 3 }),
        fc.constantFrom(...names),
        deaths,
        async (atFirst, atSecond, name, death) => {
          const calm = await actOnMany(atFirst, atSecond, name);
          const { job, stand, all } = await actOnMany(atFirst, atSecond, name, death);
          const { status, failure, isAtLeast, counts, cursor } = calm.job;
          expect(job).toMatchObject({ status, isAtLeast, counts, cursor });
          expect({ status, failure, isAtLeast }).toEqual({ status: 'done', failure: undefined, isAtLeast: false });
          expect({ stand, all }).toEqual({ stand: calm.stand, all: calm.all });
        },
      ),
      { numRuns },
    );
  });
});

describe('a migration of many', () => {
  it('comes to what an undisturbed run comes to, wherever its process dies, and twice is once (M7)', async () => {
    const undisturbed = new Map<string, Awaited<ReturnType<typeof run>>>();
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 5 }),
        fc.nat({ max: 4 }),
        fc.constantFrom<readonly MigratingKind[]>(['same'], ['changed'], ['same', 'changed']),
        deaths,
        async (atFirst, atSecond, accept, death) => {
          const name = JSON.stringify([atFirst, atSecond, accept]);
          const calm = undisturbed.get(name) ?? (await run(atFirst, atSecond, accept));
          undisturbed.set(name, calm);
          const { job, after, again, twice, undo, undone } = await run(atFirst, atSecond, accept, death);
          expect(job).toMatchObject({ status: 'done', failure: undefined, isAtLeast: false, cursor: atFirst + atSecond });
          expect(after).toEqual(calm.after);
          const isAccepted = accept.includes('changed');
          expect(after.map((one) => 'migrated' in one && one.migrated)).toEqual([
            ...Array.from({ length: atSecond }, () => 0), // refused: untouched
            ...Array.from({ length: atFirst }, () => (isAccepted ? 1 : 0)),
          ]);
          expect(job.counts).toEqual(calm.job.counts);
          expect(twice).toEqual(after);
          expect(again).toMatchObject({ status: 'done', isAtLeast: false, counts: calm.again.counts });
          expect(undone).toEqual(calm.undone);
          expect(undo.counts['undone'] ?? 0).toBe(isAccepted ? atFirst : 0);
        },
      ),
      { numRuns },
    );
  });
});
