// The runner of jobs: pages, retries, pauses, shares of companies, and a process that dies at any step of it.
import { HiloError } from '@hilo/engine/contract';
import { call, createRunner, type DurableStore, openSqliteStore } from '@hilo/stores';
import { createVirtualClock, seededRandom, type VirtualClock } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineJob, type Job } from '../../src/platform/jobs/define-job.ts';
import { createJobRunner } from '../../src/platform/jobs/job-runner.ts';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import { renewals } from '../../src/platform/jobs/claims.ts';
import { pruneJobs } from '../../src/platform/jobs/prune-jobs.ts';
import { cancelJob, claimJob, selectDue } from '../../src/platform/jobs/sql.ts';
import { statement } from '../../src/platform/database/schema.ts';
import { serviceTables } from '../../src/platform/database/tables.ts';
import { countCalls } from '../data/counted-calls.ts';

/** What jobs of these tests do: each thing once, or as often as it is done again. */
interface World {
  readonly done: { readonly companyId: string; readonly thing: number; readonly atMs: number }[];
  /** Called before each thing. */
  act?: (thing: number) => Promise<void> | void;
  clock: VirtualClock;
}

const countUp = defineJob({
  kind: 'count',
  spec: z.strictObject({ things: z.int().min(0) }),
  async page({ companyId, spec: { things }, place, size, each }, world: World) {
    const from = typeof place === 'number' ? place : 0;
    const upTo = Math.min(things, from + size);
    const page = Array.from({ length: upTo - from }, (_, index) => from + index);
    await each(page, async (thing) => {
      await world.act?.(thing);
      world.done.push({ companyId, thing, atMs: world.clock.now() });
    });
    return { next: upTo < things ? upTo : null, read: page.length, counts: { counted: page.length } };
  },
  undo: ({ things }) => ({ kind: 'count', spec: { things } }),
});

const silent = { info: () => {}, warn: () => {}, error: () => {} };

interface Stage extends AsyncDisposable {
  readonly store: DurableStore;
  readonly clock: VirtualClock;
  readonly world: World;
  readonly jobs: ReturnType<typeof createJobs>;
  /** Another process over the same store. */
  process(runner?: DurableStore['runner'], kinds?: readonly Job<World>[]): ReturnType<typeof createJobRunner<World>>;
  /** Lets time pass, timer by timer, each once the store has answered what was asked before. */
  settle(forMs: number): Promise<void>;
}

async function stage({ isBusy = () => false }: { readonly isBusy?: () => boolean } = {}): Promise<Stage> {
  const opened = await openSqliteStore({ path: ':memory:', extensions: [serviceTables] });
  const calls = countCalls();
  const store = { ...opened, runner: calls.over(opened.runner) };
  const clock = createVirtualClock();
  const world: World = { done: [], clock };
  /** And whether it may die: what is dead does not stop. */
  const runners = new Map<ReturnType<typeof createJobRunner<World>>, boolean>();
  let seed = 0;
  const process: Stage['process'] = (runner = store.runner, kinds = [countUp]) => {
    seed += 1;
    const made = createJobRunner<World>(kinds, {
      store: { ...store, runner, durability: { ...store.durability, database: 'postgres' } }, // several processes
      clock,
      random: seededRandom(seed),
      log: silent,
      isBusy,
      atWork: () => 0,
      onCounted: () => {},
    });
    runners.set(made, runner !== store.runner);
    return made;
  };
  return {
    store,
    clock,
    world,
    jobs: createJobs([countUp], {
      store,
      clock,
      random: seededRandom(100),
      wake: () => [...runners.keys()].forEach((runner) => runner.wake()),
    }),
    process,
    async settle(forMs) {
      const untilMs = clock.now() + forMs;
      for (;;) {
        await calls.answered();
        const nextMs = clock.nextMs() ?? Number.POSITIVE_INFINITY;
        clock.advanceTo(Math.min(nextMs, untilMs));
        if (nextMs > untilMs) return;
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...runners].flatMap(([made, isMortal]) => (isMortal ? [] : [made.stop()])));
      await store.close();
    },
  };
}

/** A row that came from another store, where its company was in the middle of a page: who held it there stays there. */
const bringOver = statement<{ readonly id: string }>()((db, given) =>
  db.updateTable('jobs').set({ status: 'running', claimed_by: null, claimed_until_ms: null }).where('id', '=', given.id),
);

/** Another process claims a job, whoever has it. */
const takeOver = statement<{ readonly id: string; readonly untilMs: number }>()((db, given) =>
  db.updateTable('jobs').set({ claimed_by: 'another', claimed_until_ms: given.untilMs }).where('id', '=', given.id),
);

const asked = { companyId: '1', createdBy: 'operator maria' };

describe('a job', () => {
  it.each([0, 1, 99, 100, 101, 250])('of %i things does each once, page by page', async (things) => {
    await using at = await stage();
    const { jobId } = await at.jobs.ask(countUp, { ...asked, spec: { things } });
    await at.process().start(at.world);
    await at.settle(5_000);
    expect(await at.jobs.find(jobId)).toMatchObject({
      status: 'done',
      cursor: things,
      counts: things === 0 ? {} : { counted: things },
      isAtLeast: false,
      endedAtMs: expect.any(Number) as unknown,
    });
    expect(at.world.done.map(({ thing }) => thing)).toEqual(Array.from({ length: things }, (_, index) => index));
  });

  it('is removed once it ended long ago, and not before', async () => {
    await using at = await stage();
    const ended = await at.jobs.ask(countUp, { ...asked, spec: { things: 1 } });
    await at.process().start(at.world);
    await at.settle(30_000);
    const { endedAtMs = 0 } = await at.jobs.find(ended.jobId);
    const later = await at.jobs.ask(countUp, { ...asked, spec: { things: 1 }, notBeforeMs: at.clock.now() + 86_400_000 });
    expect(await pruneJobs(at.store, endedAtMs)).toBe(0);
    expect(await pruneJobs(at.store, endedAtMs + 1)).toBe(1);
    await expect(at.jobs.find(ended.jobId)).rejects.toMatchObject({ status: 404 });
    expect(await at.jobs.find(later.jobId)).toMatchObject({ status: 'waiting' });
  });

  it('keeps its rate, and takes another from the next page on', async () => {
    await using at = await stage();
    const { jobId } = await at.jobs.ask(countUp, { ...asked, spec: { things: 40 }, rate: 10 });
    await at.process().start(at.world);
    await at.settle(2_000);
    expect(at.world.done.length).toBeGreaterThanOrEqual(18);
    expect(at.world.done.length).toBeLessThanOrEqual(22);
    await at.jobs.setRate(await at.jobs.find(jobId), 1_000);
    await at.settle(1_500);
    expect(await at.jobs.find(jobId)).toMatchObject({ status: 'done', rate: 1_000, cursor: 40 });
    await expect(at.jobs.setRate(await at.jobs.find(jobId), 0)).rejects.toMatchObject({ status: 422 });
  });

  it('waits while the engine is busy', async () => {
    let isBusy = true;
    await using at = await stage({ isBusy: () => isBusy });
    const { jobId } = await at.jobs.ask(countUp, { ...asked, spec: { things: 5 } });
    await at.process().start(at.world);
    await at.settle(5_000);
    expect(at.world.done).toEqual([]);
    isBusy = false;
    await at.settle(1_000);
    expect(await at.jobs.find(jobId)).toMatchObject({ status: 'done', cursor: 5 });
  });

  it('is paused, resumed and cancelled between pages, and refuses it once it has ended', async () => {
    await using at = await stage();
    const { jobId } = await at.jobs.ask(countUp, { ...asked, spec: { things: 100 }, rate: 10 });
    await at.process().start(at.world);
    await at.settle(1_500);
    expect(await at.jobs.pause(await at.jobs.find(jobId))).toMatchObject({ status: 'paused' });
    await at.settle(2_000);
    const { cursor } = await at.jobs.find(jobId);
    expect(cursor).toBe(at.world.done.length);
    await at.settle(10_000);
    expect(await at.jobs.find(jobId)).toMatchObject({ status: 'paused', cursor, isAtLeast: false });
    expect(await at.jobs.pause(await at.jobs.find(jobId))).toMatchObject({ status: 'paused' });
    await at.jobs.resume(await at.jobs.find(jobId));
    await at.settle(2_000);
    expect(await at.jobs.cancel(await at.jobs.find(jobId))).toMatchObject({
      status: 'cancelled',
      endedAtMs: expect.any(Number) as unknown,
    });
    await at.settle(5_000);
    const ended = await at.jobs.find(jobId);
    expect(ended).toMatchObject({ status: 'cancelled', cursor: at.world.done.length });
    expect(ended.cursor).toBeGreaterThan(cursor);
    expect(ended.cursor).toBeLessThan(100);
    expect(await at.jobs.cancel(ended)).toMatchObject({ status: 'cancelled' });
    for (const refused of [at.jobs.pause(ended), at.jobs.resume(ended), at.jobs.setRate(ended, 5)])
      await expect(refused).rejects.toMatchObject({ status: 409, code: 'JOB_ENDED' });
  });

  it('is undone by another once it has ended', async () => {
    await using at = await stage();
    const { jobId } = await at.jobs.ask(countUp, { ...asked, spec: { things: 3 } });
    await expect(at.jobs.undo(await at.jobs.find(jobId), 'x')).rejects.toMatchObject({ status: 409, code: 'JOB_NOT_ENDED' });
    await at.process().start(at.world);
    await at.settle(1_000);
    const undo = await at.jobs.undo(await at.jobs.find(jobId), 'operator ana');
    await at.settle(2_000);
    expect(await at.jobs.find(undo.jobId)).toMatchObject({ status: 'done', createdBy: 'operator ana', counts: { counted: 3 } });
  });

  it('is tried again where it fails, later each time, and paused at the tenth', async () => {
    await using at = await stage();
    at.world.act = () => {
      throw new Error('The other side is away');
    };
    const { jobId } = await at.jobs.ask(countUp, { ...asked, spec: { things: 3 } });
    await at.process().start(at.world);
    await at.settle(3_000);
    expect(await at.jobs.find(jobId)).toMatchObject({ status: 'waiting', cursor: 0, failure: { message: 'The other side is away' } });
    await at.settle(1_500_000);
    expect(await at.jobs.find(jobId)).toMatchObject({ status: 'paused', attempts: 10 });
    at.world.act = () => {};
    await at.jobs.resume(await at.jobs.find(jobId));
    await at.settle(2_000);
    expect(await at.jobs.find(jobId)).toMatchObject({ status: 'done', counts: { counted: 3 }, failure: undefined });
  });

  it('is tried again where a page never ends, and holds no other company up meanwhile', async () => {
    await using at = await stage();
    let isAway = true;
    at.world.act = () => (isAway ? new Promise<never>(() => {}) : undefined);
    const { jobId } = await at.jobs.ask(countUp, { ...asked, spec: { things: 3 } });
    await at.process().start(at.world);
    await at.settle(590_000);
    expect(await at.jobs.find(jobId)).toMatchObject({ status: 'running', attempts: 0 });
    isAway = false;
    const other = await at.jobs.ask(countUp, { ...asked, companyId: '2', spec: { things: 1 } });
    await at.settle(5_000);
    expect(await at.jobs.find(other.jobId)).toMatchObject({ status: 'done' });
    await at.settle(20_000); // a page has ten minutes
    expect(await at.jobs.find(jobId)).toMatchObject({ status: 'done', counts: { counted: 3 } });
  });

  it('lets go where another process has taken it over, and does nothing of it from then on', async () => {
    await using at = await stage();
    const { jobId } = await at.jobs.ask(countUp, { ...asked, spec: { things: 1_000 }, rate: 10 });
    await at.process().start(at.world);
    await at.settle(5_000);
    await at.store.runner.write([call(takeOver, { id: jobId, untilMs: at.clock.now() + 3_600_000 })]);
    await at.settle(15_000); // it renews its claim within ten seconds, and finds that it is none
    const { length } = at.world.done;
    await at.settle(60_000);
    expect(at.world.done).toHaveLength(length);
    expect(await at.jobs.find(jobId)).toMatchObject({ status: 'running' });
  });

  it('that came with its company in the middle of a page may have done that in part', async () => {
    await using at = await stage();
    const pages: boolean[] = [];
    const looks = defineJob({
      kind: 'count',
      spec: z.strictObject({ things: z.int() }),
      async page({ isAgain }, _world: World) {
        pages.push(isAgain);
        return { next: pages.length < 2 ? 1 : null, isExact: true };
      },
    });
    const { jobId } = await at.jobs.ask(countUp, { ...asked, spec: { things: 1 } });
    await at.store.runner.write([call(bringOver, { id: jobId })]);
    await at.process(at.store.runner, [looks]).start(at.world);
    await at.settle(5_000);
    expect(pages).toEqual([true, false]);
    expect(await at.jobs.find(jobId)).toMatchObject({ status: 'done', isAtLeast: false });
  });

  it('ends where it is refused', async () => {
    await using at = await stage();
    at.world.act = () => {
      throw new HiloError('EXECUTION_NOT_FOUND', { executionId: 'x' });
    };
    const { jobId } = await at.jobs.ask(countUp, { ...asked, spec: { things: 3 } });
    await at.process().start(at.world);
    await at.settle(3_000);
    expect(await at.jobs.find(jobId)).toMatchObject({ status: 'done', counts: { failed: 1 }, failure: { code: 'EXECUTION_NOT_FOUND' } });
  });

  it('waits for its time, and holds up no other meanwhile', async () => {
    await using at = await stage();
    const later = await at.jobs.ask(countUp, { ...asked, spec: { things: 1 }, notBeforeMs: at.clock.now() + 30_000 });
    const now = await at.jobs.ask(countUp, { ...asked, spec: { things: 2 } });
    await at.process().start(at.world);
    await at.settle(29_500);
    expect(await at.jobs.find(now.jobId)).toMatchObject({ status: 'done' });
    expect(await at.jobs.find(later.jobId)).toMatchObject({ status: 'waiting', cursor: 0 });
    await at.settle(1_500);
    expect(await at.jobs.find(later.jobId)).toMatchObject({ status: 'done' });
  });

  it('is refused with a spec, a rate or a bound that is none, and as one of two of a kind', async () => {
    await using at = await stage();
    await expect(at.jobs.ask(countUp, { ...asked, spec: { things: -1 } })).rejects.toMatchObject({ status: 422 });
    for (const given of [{ rate: 0 }, { rate: 1.5 }, { rate: 100_001 }, { atMost: 0 }])
      await expect(at.jobs.ask(countUp, { ...asked, spec: { things: 1 }, ...given })).rejects.toMatchObject({ status: 422 });
    expect(() => at.process(undefined, [countUp, countUp])).toThrow(/of the kind "count" already/);
    expect(() => defineJob({ ...countUp, kind: 'Count it', spec: z.any(), page: async () => ({ next: null }) })).toThrow(/is no name/);
    await expect(at.jobs.find('none')).rejects.toMatchObject({ status: 404, code: 'JOB_NOT_FOUND' });
  });
});

describe('a page that fails', () => {
  it('may have been done in part, so that its counts are at least those; a job that is resumed has all of its attempts again', async () => {
    await using at = await stage();
    let isMended = false;
    at.world.act = (thing) => {
      if (thing === 5 && !isMended) throw new Error('no');
    };
    const { jobId } = await at.jobs.ask(countUp, { ...asked, spec: { things: 10 } });
    await at.process().start(at.world);
    for (let hours = 0; (await at.jobs.find(jobId)).status !== 'paused'; hours += 1) {
      expect(hours).toBeLessThan(3);
      await at.settle(3_600_000);
    }
    await at.jobs.resume(await at.jobs.find(jobId));
    await at.settle(3_000);
    expect(await at.jobs.find(jobId)).toMatchObject({ status: 'waiting', isAtLeast: true });
    isMended = true;
    await at.settle(3_600_000);
    expect(await at.jobs.find(jobId)).toMatchObject({ status: 'done', counts: { counted: 10 }, isAtLeast: true });
  });
});

describe('several jobs', () => {
  it('of one company are claimed by one process at a time, however many have seen that they are due', async () => {
    await using at = await stage();
    const other = { ...asked, companyId: '2' };
    const ids = [];
    for (const about of [asked, asked, other]) {
      at.clock.advanceBy(1); // the older is the first
      ids.push((await at.jobs.ask(countUp, { ...about, spec: { things: 1 } })).jobId);
    }
    const claim = (companyId: string, id: string, owner: string, nowMs: number) =>
      at.store.runner.writeOne(claimJob({ companyId, id, owner, nowMs, untilMs: nowMs + 10 }));
    const [first = '', second = '', third = ''] = ids;
    const nowMs = at.clock.now();
    expect((await at.store.runner.read(selectDue({ nowMs, limit: 9 }))).map(({ id }) => id).toSorted()).toEqual([first, third].toSorted());
    expect(await claim('1', first, 'a', nowMs)).toBeDefined();
    for (const afterMs of [0, 9]) {
      expect(await claim('1', first, 'b', nowMs + afterMs)).toBeUndefined();
      expect(await claim('1', second, 'b', nowMs + afterMs)).toBeUndefined();
    }
    expect(await claim('2', third, 'b', nowMs)).toBeDefined();
    expect(await claim('1', second, 'b', nowMs + 10)).toBeDefined(); // the claim has run out
    expect(await claim('1', first, 'a', nowMs + 10)).toBeUndefined();
  });

  it('of one company have their turns one after the other; of several, all have theirs', async () => {
    await using at = await stage();
    for (let job = 0; job < 3; job += 1) await at.jobs.ask(countUp, { ...asked, spec: { things: 60 }, rate: 20 });
    for (let company = 2; company <= 20; company += 1)
      await at.jobs.ask(countUp, { companyId: String(company), createdBy: 'x', spec: { things: 200 }, rate: 20 });
    const processes = [at.process(), at.process()];
    for (const process of processes) await process.start(at.world);
    await at.settle(120_000);
    const things = (companyId: string) => at.world.done.filter((one) => one.companyId === companyId).map(({ thing }) => thing);
    expect(things('1')).toEqual([0, 1, 2].flatMap(() => Array.from({ length: 60 }, (_, index) => index)));
    for (let company = 2; company <= 20; company += 1) expect(things(String(company))).toHaveLength(200);
    // 19 companies share 16 places: none is done before another has begun
    const ends = [...Map.groupBy(at.world.done, ({ companyId }) => companyId).values()].map((done) => done.at(-1)?.atMs ?? 0);
    const begins = [...Map.groupBy(at.world.done, ({ companyId }) => companyId).values()].map((done) => done[0]?.atMs ?? 0);
    expect(Math.max(...begins)).toBeLessThan(Math.max(...ends));
    expect(Math.max(...begins)).toBeLessThanOrEqual(Math.min(...begins) + 12_000);
  });
});

describe('a process that dies', () => {
  /** Dies at a write: it has happened or not, and nothing else happens after it. */
  const mortal = (store: DurableStore, writes: number, isDone: boolean) => {
    let left = writes;
    return createRunner({
      ...store.runner,
      async write(calls) {
        if (calls[0]?.statement === renewals.jobs) return left <= 0 ? new Promise<never>(() => {}) : store.runner.write(calls);
        left -= 1;
        if (left > 0) return store.runner.write(calls);
        if (left === 0 && isDone) await store.runner.write(calls);
        return new Promise<never>(() => {});
      },
    });
  };

  it('leaves its job to another, which does every thing, and no thing twice but those of one page', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.boolean(), fc.integer({ min: 0, max: 900 }), async (writes, isDone, things) => {
        await using at = await stage();
        const { jobId } = await at.jobs.ask(countUp, { ...asked, spec: { things }, rate: 1_000 });
        const dying = at.process(mortal(at.store, writes, isDone));
        await dying.start(at.world);
        await at.settle(3_000);
        await at.process().start(at.world);
        await at.settle(40_000);
        const job = await at.jobs.find(jobId);
        expect(job).toMatchObject({ status: 'done', cursor: things });
        const times = Map.groupBy(at.world.done, ({ thing }) => thing);
        expect(times.size).toBe(things);
        const twice = [...times.values()].filter((done) => done.length > 1);
        expect(twice.length).toBeLessThanOrEqual(256);
        expect(job.isAtLeast || twice.length === 0).toBe(true);
      }),
      { numRuns: 15 },
    );
  });

  it('does not take back a cancel that came while it was away', async () => {
    await using at = await stage();
    const { jobId } = await at.jobs.ask(countUp, { ...asked, spec: { things: 1_000 } });
    await at.process(mortal(at.store, 3, true)).start(at.world);
    await at.settle(2_000);
    await at.store.runner.write([cancelJob({ companyId: '1', id: jobId, nowMs: at.clock.now() })]);
    await at.process().start(at.world);
    await at.settle(40_000);
    expect(await at.jobs.find(jobId)).toMatchObject({ status: 'cancelled' });
    expect(at.world.done.length).toBeLessThan(1_000);
  });
});
