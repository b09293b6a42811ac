import { end, none, start, visual } from '../../test/runnable-nodes.ts';
import { parseCanvas } from '../canvas/parse.ts';
import { defineNode, leave, perform, timer } from '../contract/index.ts';
import { type Engine, createEngine } from '../engine.ts';
import type { EngineEvents } from './events.ts';
import { describe, expect, it } from 'vitest';

const nodes = [
  start,
  defineNode({
    type: 'rest',
    config: none,
    visual,
    ports: ['next'],
    run: ({ nowMs }) => perform(timer({ dueAtMs: nowMs + 300, isInterruptible: false }), () => leave('next')),
  }),
  end,
];

/** A virtual clock: every timer that becomes due fires, in order. */
function createClock() {
  let nowMs = 1_000;
  const timers = new Map<number, { readonly atMs: number; readonly callback: () => void }>();
  let count = 0;
  return {
    now: () => nowMs,
    setTimeout(callback: () => void, delayMs: number) {
      timers.set((count += 1), { atMs: nowMs + delayMs, callback });
      return count;
    },
    clearTimeout: (timer: unknown) => void timers.delete(timer as number),
    async pass(ms: number) {
      nowMs += ms;
      for (const [timer, { atMs, callback }] of [...timers].sort(([, a], [, b]) => a.atMs - b.atMs)) {
        if (atMs <= nowMs && timers.delete(timer)) callback();
      }
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** An engine that fires timers, with a canvas that rests for 0.3 s. @param listen - called before the engine is started */
async function resting(listen: (engine: Engine) => void) {
  const clock = createClock();
  const engine = createEngine({ nodes, clock, random: { bytes: (length) => new Uint8Array(length) } });
  listen(engine);
  const { canvas } = parseCanvas({
    schemaVersion: 1,
    id: 'rests',
    name: 'Rests',
    nodes: [
      { id: 'begin', type: 'start' },
      { id: 'rest', type: 'rest' },
      { id: 'done', type: 'end' },
    ],
    edges: [
      { source: 'begin', target: 'rest' },
      { source: 'rest', target: 'done' },
    ],
  });
  if (canvas === undefined) throw new Error('The canvas cannot be parsed');
  await engine.saveDraft('1', canvas);
  await engine.publish('1', 'rests');
  await engine.start();
  await clock.pass(0); // the store's due times have been read: from here on, only commits arm a timer
  const { executionId } = await engine.startWorkflow({ origin: { companyId: '1', route: 'production' }, workflowId: 'rests' });
  const status = async () => (await engine.execution('1', executionId))?.state.status;
  return { engine, clock, status };
}

const everyEvent: readonly (keyof EngineEvents)[] = [
  'execution.started',
  'visit.left',
  'effect.requested',
  'execution.waiting',
  'execution.ended',
  'lane.recovered',
  'engine.fault',
];

describe('listeners of an engine', () => {
  it.each([
    [
      'throws',
      (): never => {
        throw new Error('A listener of the host');
      },
    ],
    [
      'answers with a rejected promise',
      async (): Promise<never> => {
        throw new Error('A listener of the host');
      },
    ],
  ])('fires a timer even when an earlier listener %s (P11)', async (_what, listener) => {
    const faults: unknown[] = [];
    const { clock, status } = await resting((engine) => {
      for (const name of everyEvent) engine.on(name, listener);
      engine.on('engine.fault', ({ error }) => faults.push(error));
    });
    expect(await status()).toBe('waiting');
    await clock.pass(300);
    expect(await status()).toBe('completed');
    expect(faults).not.toEqual([]);
    expect(faults.every((error) => String(error) === 'Error: A listener of the host')).toBe(true);
  });

  it('fires a timer even when every listener is removed, and removes only own listeners', async () => {
    const offs: (() => void)[] = [];
    const { engine, clock, status } = await resting((fresh) => {
      for (const name of everyEvent) offs.push(fresh.on(name, () => undefined));
    });
    for (const off of offs) off();
    expect(Object.keys(engine)).not.toContain('events');
    await clock.pass(300);
    expect(await status()).toBe('completed');
  });

  it('are called separately: one that throws does not affect others, and a removed one is not called again', async () => {
    const told: string[] = [];
    const removed = (): void => void told.push('removed');
    const { clock } = await resting((engine) => {
      engine.on('execution.waiting', () => {
        throw new Error('A listener of the host');
      });
      engine.on('execution.waiting', () => told.push('waiting'));
      engine.on('execution.waiting', removed);
      engine.off('execution.waiting', removed);
      const off = engine.on('execution.ended', () => told.push('removed as well'));
      off();
      engine.on('execution.ended', (_execution, { status }) => told.push(status));
    });
    await clock.pass(300);
    expect(told).toEqual(['waiting', 'completed']);
  });
});
