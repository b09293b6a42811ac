import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseCanvas } from './canvas/parse.ts';
import { defineNode, fail, finish, type JsonObject, leave, perform, timer } from './contract/index.ts';
import { createEngine } from './engine.ts';

const visual = { label: '', category: 'flow', icon: 'x', colour: '#000000', description: '' } as const;
const none = z.strictObject({});
const nodes = [
  defineNode({
    type: 'start',
    config: none,
    visual,
    ports: ['next'],
    entry: { kind: 'message', match: () => 'fallback' },
    run: () => leave('next'),
  }),
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
  defineNode({ type: 'end', config: none, visual, ports: [], run: () => finish('done', {}) }),
];

/** Executes one node between a start and an end, by a clock that stands at `clock.atMs`. */
async function standingAt(node: JsonObject) {
  const clock = { atMs: 1_000 };
  const engine = createEngine({
    nodes,
    clock: { now: () => clock.atMs, setTimeout: () => undefined, clearTimeout: () => undefined },
    random: { bytes: (length) => new Uint8Array(length) },
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
  const { executionId } = await engine.start({ origin: { companyId: '1', route: 'production' }, workflowId: 'timed' });
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
  it.each([0, 1, 7_200_000])('tells its node that it fires %i ms late (P11)', async (lateByMs) => {
    const { fireAt, history, state } = await standingAt({ type: 'wait', data: { dueAtMs: 5_000 } });
    await fireAt(4_999);
    expect((await state())?.status).toBe('waiting');
    await fireAt(5_000 + lateByMs);
    expect((await history()).at(-1)?.event).toMatchObject({ type: 'timer.fired', atMs: 5_000 + lateByMs, lateByMs });
    expect((await state())?.variables['$context']).toMatchObject({ told: { kind: 'elapsed', lateByMs } });
  });
});

describe('the pause before a node is tried again', () => {
  const retry = { attempts: 4, delay: 'PT1S', factor: 2, maxDelay: 'PT10S' };

  it.each([
    ['nothing is asked for', {}, [1_000, 2_000, 4_000]],
    ['less is asked for', { retryAfterMs: 1_500 }, [1_500, 2_000, 4_000]],
    ['more is asked for', { retryAfterMs: 9_000 }, [9_000, 9_000, 9_000]],
    ['part of a millisecond is asked for', { retryAfterMs: 8_999.5 }, [9_000, 9_000, 9_000]],
    ['more is asked for than the node ever pauses', { retryAfterMs: 86_400_000 }, [10_000, 10_000, 10_000]],
  ])('is its own, and no shorter than the other side wants: %s (P24)', async (_name, data, expected) => {
    const { engine, fireAt, state } = await standingAt({ type: 'refused', data: { ...data, retry } });
    const pauses: number[] = [];
    for (let dueMs = await engine.nextDueMs(); dueMs !== undefined; dueMs = await engine.nextDueMs()) {
      const { wait } = (await state()) ?? {};
      pauses.push(dueMs - (wait?.openedAtMs ?? 0));
      await fireAt(dueMs);
    }
    expect(pauses).toEqual(expected);
    expect((await state())?.status).toBe('failed');
  });
});
