import { end, start, visual } from '../../test/runnable-nodes.ts';
import { parseCanvas } from '../canvas/parse.ts';
import { type JsonObject, defineNode, fail, leave, perform, timer } from '../contract/index.ts';
import { createEngine } from '../engine.ts';
import { createMemoryCanvases } from '../memory/canvas-store.ts';
import { createMemoryStore } from '../memory/execution-store.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const nodes = [
  start,
  defineNode({
    type: 'wait',
    config: z.strictObject({ dueAtMs: z.int() }),
    visual,
    ports: ['next'],
    run: ({ config: { dueAtMs } }) =>
      perform(timer({ dueAtMs, isInterruptible: false }), (told) => leave('next', [{ path: ['$context', 'told'], value: { ...told } }])),
  }),
  defineNode({
    type: 'refused',
    config: z.strictObject({ retryAfterMs: z.number().exactOptional() }),
    visual,
    ports: ['next'],
    optionalPorts: ['error'],
    run: ({ config }) => fail('HTTP_STATUS', 'Not now', { ...config }),
  }),
  end,
];

/** Executes one node between a start and an end, by a clock that stands at `clock.atMs`. @param seed - every byte that is drawn but the last four, which count */
async function standingAt(node: JsonObject, seed = 0, executions = createMemoryStore(), begunAtMs = 1_000) {
  const clock = { atMs: begunAtMs };
  let drawn = 0;
  const engine = createEngine({
    nodes,
    clock: { now: () => clock.atMs, setTimeout: () => undefined, clearTimeout: () => undefined },
    random: {
      bytes(length) {
        drawn += 1;
        return new Uint8Array(length).map((_, index) => (index < length - 4 ? seed : drawn >> (8 * (index - length + 4))));
      },
    },
    store: { executions, canvases: createMemoryCanvases() },
  });
  const { canvas } = parseCanvas({
    schemaVersion: 1,
    id: 'timed',
    name: 'Timed',
    nodes: [
      { id: 'begin', type: 'start' },
      { id: 'one', ...node },
      { id: 'done', type: 'end' },
    ],
    edges: [
      { source: 'begin', target: 'one' },
      { source: 'one', sourceHandle: 'next', target: 'done' },
    ],
  });
  if (canvas === undefined) throw new Error('The canvas cannot be parsed');
  await engine.saveDraft('1', canvas);
  await engine.publish('1', 'timed');
  const { executionId } = await engine.startWorkflow({ origin: { companyId: '1', route: 'production' }, workflowId: 'timed' });
  await engine.whenIdle();
  const fireAt = async (ms: number): Promise<void> => {
    clock.atMs = ms;
    await engine.fireDueTimers();
    await engine.whenIdle();
  };
  return {
    engine,
    fireAt,
    history: () => engine.history('1', executionId),
    state: async () => (await engine.execution('1', executionId))?.state,
  };
}

describe('a timer', () => {
  it.each([0, 1, 7_200_000])('passes to its node that it fires %i ms late (P11)', async (lateByMs) => {
    const { fireAt, history, state } = await standingAt({ type: 'wait', data: { dueAtMs: 5_000 } });
    await fireAt(4_999);
    expect((await state())?.status).toBe('waiting');
    await fireAt(5_000 + lateByMs);
    expect((await history()).at(-1)?.event).toMatchObject({ type: 'timer.fired', atMs: 5_000 + lateByMs, lateByMs });
    expect((await state())?.variables['$context']).toMatchObject({ told: { kind: 'elapsed', lateByMs } });
  });
});

describe('many timers that are due at once', () => {
  it('fire in due order, few of them at a time, so that other work has its turn in between (P11)', async () => {
    const kept = createMemoryStore();
    const open: (() => void)[] = [];
    let isSlow = false;
    /** A store whose reads are paused until the test resumes them. */
    const load: typeof kept.load = async (...of) => {
      if (isSlow) await new Promise<void>((resolve) => open.push(resolve));
      return kept.load(...of);
    };
    const { engine, fireAt } = await standingAt({ type: 'wait', data: { dueAtMs: 5_000 } }, 0, { ...kept, load });
    for (let more = 1; more < 300; more += 1)
      await engine.startWorkflow({ origin: { companyId: '1', route: 'production' }, workflowId: 'timed' });
    await engine.whenIdle();
    isSlow = true;
    const fired = fireAt(5_000);
    const atOnce: number[] = [];
    for (let over = false; !over; ) {
      await Promise.race([fired.then(() => (over = true)), new Promise((resolve) => setImmediate(resolve))]);
      atOnce.push(open.length);
      for (const letGo of open.splice(0)) letGo();
    }
    expect(Math.max(...atOnce)).toBe(128);
    expect(atOnce.reduce((sum, reads) => sum + reads, 0)).toBe(300);
  });

  it('are counted and cleared together, each before it fires, where the process before left them overdue (P17)', async () => {
    const executions = createMemoryStore();
    const earlier = await standingAt({ type: 'wait', data: { dueAtMs: 5_000 } }, 0, executions);
    for (let more = 1; more < 300; more += 1)
      await earlier.engine.startWorkflow({ origin: { companyId: '1', route: 'production' }, workflowId: 'timed' });
    await earlier.engine.whenIdle();
    const said: { readonly what: 'counted' | 'fired' | 'cleared'; readonly lanes: readonly string[] }[] = [];
    /** A write takes a turn of the event loop, as over a network. */
    const observed: typeof executions = {
      ...executions,
      async countCrashes(lanes) {
        await new Promise((resolve) => setImmediate(resolve));
        await executions.countCrashes(lanes);
        said.push({ what: 'counted', lanes });
      },
      async clearCrashCounts(lanes) {
        await new Promise((resolve) => setImmediate(resolve));
        await executions.clearCrashCounts(lanes);
        said.push({ what: 'cleared', lanes });
      },
      commit(commit) {
        said.push({ what: 'fired', lanes: commit.saves.map(({ lane }) => lane) });
        return executions.commit(commit);
      },
    };
    const later = await standingAt({ type: 'wait', data: { dueAtMs: 9_000 } }, 1, observed, 6_000);
    said.splice(0);
    await later.fireAt(6_000);
    await later.engine.stop(); // waits for what is cleared
    const placesOf = (what: string): ReadonlyMap<string, number> =>
      new Map(said.flatMap((one, place) => (one.what === what ? one.lanes.map((lane) => [lane, place] as const) : [])));
    const [counted, fired, cleared] = ['counted', 'fired', 'cleared'].map(placesOf);
    expect(fired?.size).toBe(300);
    for (const [lane, place] of fired ?? []) {
      expect(counted?.get(lane)).toBeLessThan(place);
      expect(cleared?.get(lane)).toBeGreaterThan(place);
    }
    const writes = said.filter(({ what }) => what !== 'fired');
    expect(writes.length).toBeLessThan(60);
    expect(await executions.crashCounts([...(fired?.keys() ?? [])])).toEqual(new Map());
  });
});

describe('the pause before a node is tried again', () => {
  const retry = { attempts: 4, delay: 'PT1S', factor: 2, maxDelay: 'PT10S' };

  /** Fails until no try is left. @returns each pause, in milliseconds */
  async function pausesOf(data: JsonObject, seed?: number): Promise<readonly number[]> {
    const { engine, fireAt, state } = await standingAt({ type: 'refused', data }, seed);
    const pauses: number[] = [];
    for (let dueMs = await engine.nextDueMs(); dueMs !== undefined; dueMs = await engine.nextDueMs()) {
      const { wait } = (await state()) ?? {};
      pauses.push(dueMs - (wait?.openedAtMs ?? 0));
      await fireAt(dueMs);
    }
    expect((await state())?.status).toBe('failed');
    return pauses;
  }

  it.each([
    ['nothing is asked for', {}, [1_000, 2_000, 4_000]],
    ['less is asked for', { retryAfterMs: 1_500 }, [1_500, 2_000, 4_000]],
    ['more is asked for', { retryAfterMs: 9_000 }, [9_000, 9_000, 9_000]],
    ['part of a millisecond is asked for', { retryAfterMs: 8_999.5 }, [9_000, 9_000, 9_000]],
    ['more is asked for than the node ever pauses', { retryAfterMs: 86_400_000 }, [10_000, 10_000, 10_000]],
  ])('is its own, and no shorter than the other side wants: %s (P24)', async (_name, data, expected) => {
    expect(await pausesOf({ ...data, retry: { ...retry, jitter: 'none' } })).toEqual(expected);
  });

  it('is a part of its delay that every execution draws for itself, and draws again the same (P24)', async () => {
    const all: (readonly number[])[] = [];
    for (let seed = 0; seed < 200; seed += 1) all.push(await pausesOf({ retry }, seed));
    expect(await pausesOf({ retry }, 7)).toEqual(all[7]);
    for (const [index, longestMs] of [1_000, 2_000, 4_000].entries()) {
      const pauses = all.map((each) => each[index] ?? Number.NaN);
      expect(Math.min(...pauses)).toBeLessThan(longestMs * 0.1);
      expect(Math.max(...pauses)).toBeGreaterThan(longestMs * 0.9);
      expect(Math.max(...pauses)).toBeLessThanOrEqual(longestMs);
      const meanMs = pauses.reduce((sum, each) => sum + each, 0) / pauses.length;
      expect(meanMs / longestMs).toBeCloseTo(0.5, 0.9);
    }
  });

  it('is no shorter than requested by the other side, for any draw (P24)', async () => {
    for (let seed = 0; seed < 50; seed += 1) {
      for (const pauseMs of await pausesOf({ retryAfterMs: 900, retry }, seed)) expect(pauseMs).toBeGreaterThanOrEqual(900);
      expect(await pausesOf({ retryAfterMs: 9_000, retry }, seed)).toEqual([9_000, 9_000, 9_000]);
    }
  });
});
