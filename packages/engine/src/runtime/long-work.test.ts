import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { end, start, visual } from '../../test/runnable-nodes.ts';
import { defineNode, leave, perform, signal } from '../contract/index.ts';
import { limits } from '../contract/limits.ts';
import { createEngine } from '../engine.ts';
import { createMemoryCanvases } from '../memory/canvas-store.ts';
import { createMemoryStore } from '../memory/execution-store.ts';

/** An engine by a clock that stands still but for what a node takes. */
async function engineWith(takesMs: () => number) {
  const clock = { nowMs: 1_000 };
  const parts = { now: () => clock.nowMs, setTimeout: () => undefined, clearTimeout: () => undefined };
  const nodes = [
    start,
    end,
    defineNode({
      type: 'work',
      config: z.strictObject({ work: z.number().default(0) }),
      visual,
      ports: ['next'],
      run({ config, variables }) {
        clock.nowMs += takesMs();
        variables.spend?.(config.work);
        return leave('next');
      },
    }),
    defineNode({
      type: 'listen',
      config: z.strictObject({}),
      visual,
      ports: ['next'],
      run: () => perform(signal({ name: 'news', correlation: '' }), () => leave('next')),
    }),
  ];
  let drawn = 0;
  const random = { bytes: (length: number) => new Uint8Array(length).fill((drawn += 1)) };
  const executions = createMemoryStore();
  const engine = createEngine({ nodes, clock: parts, random, store: { executions, canvases: createMemoryCanvases() } });
  return { engine, company: engine.company('1') };
}

const chain = (nodes: readonly { readonly id: string; readonly type: string; readonly data?: object }[]) => ({
  schemaVersion: 1,
  id: 'long',
  name: 'Long',
  kind: 'tool',
  nodes: [{ id: 'begin', type: 'start' }, ...nodes, { id: 'done', type: 'end' }],
  edges: [...nodes, { id: 'done' }].map(({ id }, index) => ({ source: nodes[index - 1]?.id ?? 'begin', target: id })),
});

describe('an advance with much to do (P20)', () => {
  it.each([
    ['none for little', [limits.turnWork - 1], 0],
    ['one before the end', [0, limits.turnWork], 1],
    ['one when its work is done for this turn', [limits.turnWork, 1, 1], 1],
    ['again when the work of the next is done', [limits.turnWork - 1, 1, limits.turnWork, 1], 2],
  ])('gives up the event loop between its nodes: %s', async (_what, work, turns) => {
    const { company, engine } = await engineWith(() => 0);
    await company.publish(chain(work.map((units, index) => ({ id: `n${index}`, type: 'work', data: { work: units } }))));
    let isOver = false;
    const starting = company.start('long').finally(() => (isOver = true));
    let passed = -1; // that in which it begins
    for (; !isOver; passed += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(passed).toBe(turns);
    const { executionId } = await starting;
    await engine.whenIdle();
    expect((await company.execution(executionId))?.state.status).toBe('completed');
  });
});

describe('work that holds the event loop (P17)', () => {
  const listening = chain([
    { id: 'first', type: 'listen' },
    { id: 'one', type: 'work' },
    { id: 'second', type: 'listen' },
    { id: 'two', type: 'work' },
    { id: 'third', type: 'listen' },
    { id: 'three', type: 'work' },
    { id: 'fourth', type: 'listen' },
  ]);

  it.each([
    ['quarantines its execution at the third time in a row', [2_000, 2_000, 2_000], 'quarantined'],
    ['does not when it is a little shorter', [1_999, 1_999, 1_999], 'waiting'],
    ['does not when it went well in between', [2_000, 0, 2_000], 'waiting'],
  ])('%s', async (_what, took, status) => {
    let takesMs = 0;
    const { company, engine } = await engineWith(() => takesMs);
    await company.publish(listening);
    const { executionId } = await company.start('long');
    for (takesMs of took) {
      await company.signal('news');
      await engine.whenIdle();
    }
    takesMs = 0;
    expect((await company.execution(executionId))?.state.status).toBe(status);
    if (status !== 'quarantined') return;
    await company.release(executionId);
    await company.signal('news');
    await engine.whenIdle();
    expect((await company.execution(executionId))?.state.status).toBe('completed');
  });
});
