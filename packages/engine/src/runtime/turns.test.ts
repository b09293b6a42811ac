import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { end, start, visual } from '../../test/runnable-nodes.ts';
import { defineNode, leave, perform, signal, timer } from '../contract/index.ts';
import { createEngine } from '../engine.ts';
import { createMemoryCanvases } from '../memory/canvas-store.ts';
import { createMemoryStore } from '../memory/execution-store.ts';
import { z } from 'zod';
import { createTurns, perTurn, sliceMs } from './turns.ts';

/** Every promise that can settle has settled, and what was left for the next turn of the event loop is done. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  it('let a few begin at a time, none twice and none never, and serve a company before the next of another', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 100 }), async (companies) => {
        let left: (() => void)[] = [];
        const turns = createTurns({ inNextTurn: (callback) => left.push(callback), now: () => 0 });
        const begun: string[] = [];
        for (const company of companies) void Promise.resolve(turns.take(company)).then(() => begun.push(company));
        let counted = 0;
        for (let isOver = false; !isOver; ) {
          await turn();
          expect(begun.length - counted).toBeLessThanOrEqual(perTurn);
          const waiting: string[] = [...companies];
          for (const one of begun) waiting.splice(waiting.indexOf(one), 1);
          // Of those that began in this turn, no company had two more than another that still waits.
          const inTurn = Map.groupBy(begun.slice(counted), (one) => one);
          const leads = [...new Set(waiting)].flatMap((one) =>
            [...inTurn.values()].map((others) => others.length - (inTurn.get(one)?.length ?? 0)),
          );
          expect(counted > 0 ? leads.filter((lead) => lead > 1) : []).toEqual([]);
          counted = begun.length;
          const callbacks = left;
          left = [];
          for (const callback of callbacks) callback();
          isOver = callbacks.length === 0;
        }
        expect(begun.toSorted()).toEqual(companies.toSorted());
      }),
      { numRuns: 50 },
    ));

  it('end once those that have begun took 5 ms, however few they are', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 2 * sliceMs }), { maxLength: 60 }), async (works) => {
        let left: (() => void)[] = [];
        let nowMs = 0;
        const turns = createTurns({ inNextTurn: (callback) => left.push(callback), now: () => nowMs });
        const inTurn: number[] = [];
        for (const workMs of works)
          void (async () => {
            await turns.take('a');
            nowMs += workMs;
            inTurn.push(workMs);
          })();
        let done = 0;
        for (let isOver = false; !isOver; ) {
          await turn();
          const before = inTurn.slice(done, -1).reduce((sum, ms) => sum + ms, 0);
          expect(done === 0 ? 0 : before).toBeLessThan(sliceMs); // the first turn begins before any of them has worked
          expect(inTurn.length - done).toBeLessThanOrEqual(perTurn);
          done = inTurn.length;
          const callbacks = left;
          left = [];
          for (const callback of callbacks) callback();
          isOver = callbacks.length === 0;
        }
        expect(inTurn).toEqual(works);
      }),
      { numRuns: 50 },
    ));
});

const nodes = [
  start,
  end,
  defineNode({
    type: 'wait',
    config: z.strictObject({}),
    visual,
    ports: ['next'],
    run: ({ nowMs }) => perform(timer({ dueAtMs: nowMs + 4_000, isInterruptible: false }), () => leave('next')),
  }),
  defineNode({
    type: 'listen',
    config: z.strictObject({}),
    visual,
    ports: ['next'],
    run: () => perform(signal({ name: 'news', correlation: '' }), () => leave('next')),
  }),
];

const canvasOf = (type: string) => ({
  schemaVersion: 1,
  id: type,
  name: type,
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'one', type },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'one' },
    { source: 'one', sourceHandle: 'next', target: 'done' },
  ],
});

/** Executions of two companies that wait for the same, many of one and a few of the other. */
async function manyWaiting(type: string, many = 200) {
  const clock = { nowMs: 998 };
  let drawn = 0;
  const random = {
    bytes(length: number) {
      drawn += 1;
      return new Uint8Array(length).map((_, index) => (index < length - 4 ? 0 : drawn >> (8 * (length - 1 - index))));
    },
  };
  const store = { executions: createMemoryStore(), canvases: createMemoryCanvases() };
  const time = { now: () => clock.nowMs, setTimeout: () => undefined, clearTimeout: () => undefined };
  const engine = createEngine({ nodes, clock: time, random, store });
  const ended: string[] = [];
  engine.on('execution.ended', ({ companyId }) => ended.push(companyId));
  for (const [companyId, count] of [
    ['many', many],
    ['few', 5],
  ] as const) {
    clock.nowMs += 1; // all of the first are due before the second
    await engine.company(companyId).publish(canvasOf(type));
    for (let index = 0; index < count; index += 1) await engine.company(companyId).start(type);
  }
  await engine.whenIdle();
  /** Lets the loop turn until work is done. @returns the most executions that ended in one turn */
  const mostInOneTurn = async (work: Promise<unknown>): Promise<number> => {
    let [most, isOver] = [0, false];
    void work.then(() => (isOver = true));
    while (!isOver) {
      const before = ended.length;
      await turn();
      most = Math.max(most, ended.length - before);
    }
    return most;
  };
  return { clock, engine, ended, mostInOneTurn };
}

describe('work that is due together', () => {
  it('gives up the event loop between a few timers, and serves the other company among the first (P20, P23)', async () => {
    const { clock, engine, ended, mostInOneTurn } = await manyWaiting('wait');
    clock.nowMs = 5_000;
    expect(await mostInOneTurn(engine.fireDueTimers())).toBeLessThanOrEqual(2 * perTurn);
    expect(ended).toHaveLength(205);
    expect(ended.slice(0, 16).filter((companyId) => companyId === 'few')).toHaveLength(5);
  });

  it('serves the other company in the first slice, however many of the first were due before (P23)', async () => {
    const { clock, engine, ended } = await manyWaiting('wait', 1_200);
    clock.nowMs = 5_000;
    await engine.fireDueTimers();
    expect(ended.slice(0, 16).filter((companyId) => companyId === 'few')).toHaveLength(5);
    expect(ended.length).toBeLessThan(600);
    while ((await engine.fireDueTimers()) > 0);
    expect(ended).toHaveLength(1_205);
  });

  it('gives up the event loop between a few of the waits that one signal answers (P20)', async () => {
    const { engine, ended, mostInOneTurn } = await manyWaiting('listen');
    const sending = engine.company('many').signal('news');
    expect(await mostInOneTurn(sending)).toBeLessThanOrEqual(2 * perTurn);
    expect((await sending).executionIds).toHaveLength(200);
    expect(ended).toHaveLength(200);
  });
});
