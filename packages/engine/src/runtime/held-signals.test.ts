import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { end, start, visual } from '../../test/runnable-nodes.ts';
import { defineNode, type ExecutionStore, leave, perform, signal } from '../contract/index.ts';
import { limits } from '../contract/limits.ts';
import { createEngine } from '../engine.ts';
import { createMemoryCanvases } from '../memory/canvas-store.ts';
import { createMemoryStore } from '../memory/execution-store.ts';

const nodes = [
  start,
  end,
  defineNode({
    type: 'listen',
    config: z.strictObject({}),
    visual,
    ports: ['next'],
    run: () =>
      perform(signal({ name: 'news', correlation: '' }), (got) => leave('next', [{ path: ['$context', 'got'], value: { ...got } }])),
  }),
];

const canvas = {
  schemaVersion: 1,
  id: 'listens',
  name: 'Listens',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'one', type: 'listen' },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'one' },
    { source: 'one', sourceHandle: 'next', target: 'done' },
  ],
};

const hourMs = 3_600_000;

/** An engine over a store. @param others - every byte that is drawn begins with it: two engines over one store draw other ids */
async function engineOver(executions: ExecutionStore, canvases = createMemoryCanvases(), others = 0) {
  const clock = { nowMs: 1_000 };
  let drawn = 0;
  const engine = createEngine({
    nodes,
    clock: { now: () => clock.nowMs, setTimeout: () => undefined, clearTimeout: () => undefined },
    random: {
      bytes(length) {
        drawn += 1;
        return new Uint8Array(length).map((_, index) =>
          index === 8 ? others : index < length - 4 ? 0 : drawn >> (8 * (length - 1 - index)),
        );
      },
    },
    store: { executions, canvases },
  });
  const company = engine.company('1');
  await company.publish(canvas);
  return { engine, company, clock };
}

/** What an execution got, as its history has it. */
const payloadsOf = async (store: ExecutionStore): Promise<readonly unknown[]> => {
  const { results } = await store.list('1', { limit: 1_000 });
  const histories = await Promise.all(results.map(({ executionId }) => store.history('1', executionId)));
  return histories.flat().flatMap(({ event }) => (event.type === 'signal.received' ? [event.payload] : []));
};

const settled = async (): Promise<void> => {
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('a signal that is held for a wait to come', () => {
  it('comes to one wait each, whatever comes first, and none is left while another waits (P7)', () =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom('signal', 'wait'), { minLength: 2, maxLength: 6 }),
        async (scheduler, course) => {
          const kept = createMemoryStore();
          const slow = async <Answer>(name: string, ask: () => Answer | Promise<Answer>): Promise<Answer> => {
            await scheduler.schedule(Promise.resolve(), name);
            return ask();
          };
          const held: NonNullable<ExecutionStore['heldSignals']> = async (...of) => (await kept.heldSignals?.(...of)) ?? [];
          const store: ExecutionStore = {
            ...kept,
            commit: (commit) => slow('commit', () => kept.commit(commit)),
            awaitingSignal: (...of) => slow('waits', () => kept.awaitingSignal(...of)),
            heldSignals: (...of) => slow('held', () => held(...of)),
          };
          const { company } = await engineOver(store);
          const done = course.map((one, index) =>
            one === 'signal' ? company.signal('news', { payload: index, ttlMs: hourMs }) : company.start('listens'),
          );
          await scheduler.waitFor(Promise.all(done));
          for (let quiet = 0; quiet < 2; quiet += 1) {
            for (; scheduler.count() > 0; quiet = 0) await scheduler.waitAll();
            await settled();
          }
          const got = await payloadsOf(kept);
          const signals = course.filter((one) => one === 'signal').length;
          const waits = course.length - signals;
          const left = await held('1', 'news', '');
          const open = (await kept.awaitingSignal('1', 'news', '')).length;
          expect(got.length).toBe(waits - open);
          expect(left.length === 0 || open === 0).toBe(true);
          for (const { payload } of left) expect(got).not.toContain(payload);
        },
      ),
      { numRuns: 60 },
    ));

  it('comes to the wait with the next process, where the one that sent it died (P3)', async () => {
    const kept = createMemoryStore();
    const canvases = createMemoryCanvases();
    const { company } = await engineOver(kept, canvases);
    await company.start('listens');
    const hold = [{ companyId: '1', id: 'h', name: 'news', correlation: '', payload: 7, heldAtMs: 0, untilMs: hourMs }];
    await kept.commit({ saves: [], history: [], contacts: [], enqueue: [], dequeue: [], hold }); // and nothing looked for a wait after it
    const { engine: next } = await engineOver(kept, canvases, 1);
    await next.start();
    await settled();
    expect(await payloadsOf(kept)).toEqual([7]);
    expect(await kept.heldSignals?.('1', 'news', '')).toEqual([]);
  });

  it('is as good as sent when its choice was stored and the process died: it is given to that wait, or to the next', async () => {
    const kept = createMemoryStore();
    const { company, engine } = await engineOver(kept);
    const { executionId } = await company.start('listens');
    const wait = { executionId, lane: `1/execution/${executionId}`, waitId: 'one#1.1.0' };
    const hold = [{ companyId: '1', id: 'h', name: 'news', correlation: '', payload: 7, heldAtMs: 0, untilMs: hourMs }];
    const seen = { keys: ['1:held:h:1'], untilMs: hourMs, answer: wait };
    await kept.commit({ saves: [], history: [], contacts: [], enqueue: [], dequeue: [], hold, seen });
    await company.cancel(executionId);
    await company.start('listens');
    await settled();
    await engine.start();
    await settled();
    expect(await payloadsOf(kept)).toEqual([7]);
  });

  it('expires, counts against the bound of its company alone, and is held no longer than that', async () => {
    const kept = createMemoryStore();
    const { company, engine, clock } = await engineOver(kept);
    const hold = Array.from({ length: limits.heldSignals.count - 1 }, (_, index) => ({
      companyId: '1',
      id: `h${index}`,
      name: 'other',
      correlation: '',
      payload: null,
      heldAtMs: 0,
      untilMs: hourMs,
    }));
    await kept.commit({ saves: [], history: [], contacts: [], enqueue: [], dequeue: [], hold });
    expect(await company.signal('news', { ttlMs: hourMs })).toEqual({ executionIds: [], heldUntilMs: 1_000 + hourMs });
    await expect(company.signal('news', { ttlMs: hourMs })).rejects.toMatchObject({ code: 'TOO_MANY_SIGNALS', status: 429 });
    expect(await company.signal('news')).toEqual({ executionIds: [] });
    await engine.company('2').publish(canvas);
    expect(await engine.company('2').signal('news', { ttlMs: 1 })).toMatchObject({ heldUntilMs: 1_001 });
    clock.nowMs = hourMs;
    expect(await company.signal('news', { ttlMs: limits.heldSignals.longestMs })).toMatchObject({ executionIds: [] });
    for (const ttlMs of [-1, limits.heldSignals.longestMs + 1, Number.NaN])
      await expect(company.signal('news', { ttlMs })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});
