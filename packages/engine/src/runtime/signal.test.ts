import { end, start, visual } from '../../test/runnable-nodes.ts';
import { parseCanvas } from '../canvas/parse.ts';
import { type ExecutionStore, HiloError, defineNode, leave, paymentEnd, perform, signal } from '../contract/index.ts';
import { createEngine } from '../engine.ts';
import { createMemoryCanvases } from '../memory/canvas-store.ts';
import { createMemoryStore } from '../memory/execution-store.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import fc from 'fast-check';

const nodes = [
  start,
  defineNode({
    type: 'wait',
    config: z.strictObject({ isPayment: z.boolean().default(false) }),
    visual,
    ports: ['next'],
    run: ({ config }) =>
      perform(config.isPayment ? paymentEnd({ key: '7' }) : signal({ name: 'payment', correlation: '7' }), () => leave('next')),
  }),
  end,
];

const toPayment = { companyId: '1', name: 'payment', correlation: '7', payload: { paid: true } } as const;

/** An engine with executions that wait twice for the event `payment`, or for a payment, each under the value `7`. */
async function waiting(
  count: number,
  { store = createMemoryStore(), isPayment = false }: { store?: ExecutionStore; isPayment?: boolean } = {},
) {
  let drawn = 0;
  const engine = createEngine({
    nodes,
    store: { executions: store, canvases: createMemoryCanvases() },
    clock: { now: () => 1_000, setTimeout: () => undefined, clearTimeout: () => undefined },
    random: { bytes: (length) => new Uint8Array(length).fill((drawn += 1)) },
  });
  const { canvas } = parseCanvas({
    schemaVersion: 1,
    id: 'waits',
    name: 'Waits',
    nodes: [
      { id: 'begin', type: 'start' },
      { id: 'first', type: 'wait', data: { isPayment } },
      { id: 'second', type: 'wait', data: { isPayment } },
      { id: 'done', type: 'end' },
    ],
    edges: [
      { source: 'begin', target: 'first' },
      { source: 'first', target: 'second' },
      { source: 'second', target: 'done' },
    ],
  });
  if (canvas === undefined) throw new Error('The canvas cannot be parsed');
  const executionIds: string[] = [];
  for (const companyId of ['1', '2']) {
    await engine.saveDraft(companyId, canvas);
    await engine.publish(companyId, 'waits');
    for (let index = 0; index < count; index += 1) {
      const { executionId } = await engine.startWorkflow({ origin: { companyId, route: 'production' }, workflowId: 'waits' });
      if (companyId === '1') executionIds.push(executionId);
    }
  }
  await engine.whenIdle();
  const answers = async (executionId: string): Promise<number> =>
    (await engine.history('1', executionId)).filter(({ event }) => event.type === 'signal.received').length;
  const allAnswers = (): Promise<readonly number[]> => Promise.all(executionIds.map(answers));
  return { engine, executionIds, allAnswers };
}

describe('engine.signal', () => {
  it('resumes every waiting execution of the company, and returns which', async () => {
    const { engine, executionIds, allAnswers } = await waiting(3);
    expect(await engine.signal(toPayment)).toEqual({ executionIds });
    expect(await allAnswers()).toEqual([1, 1, 1]);
    expect(await engine.signal({ ...toPayment, correlation: '8' })).toEqual({ executionIds: [] });
    expect(await engine.signal({ ...toPayment, name: 'paid' })).toEqual({ executionIds: [] });
    expect((await engine.signal({ ...toPayment, companyId: '2' })).executionIds).toHaveLength(3);
    expect(await allAnswers()).toEqual([1, 1, 1]);
  });

  it('ends no payment and no hand-off unless it names that kind: their keys are no secret', async () => {
    const { engine, executionIds, allAnswers } = await waiting(1, { isPayment: true });
    expect(await engine.signal(toPayment)).toEqual({ executionIds: [] });
    expect(await engine.signal({ ...toPayment, kind: 'handoff' })).toEqual({ executionIds: [] });
    expect(await allAnswers()).toEqual([0]);
    expect(await engine.signal({ ...toPayment, kind: 'payment' })).toEqual({ executionIds });
  });

  it('answers each wait once among concurrent signals, and only that one reports it (P7)', async () => {
    const { engine, executionIds, allAnswers } = await waiting(2);
    const told = await Promise.all(Array.from({ length: 20 }, () => engine.signal(toPayment)));
    expect(await allAnswers()).toEqual([1, 1]);
    expect(told.flatMap((answer) => answer.executionIds).sort()).toEqual([...executionIds].sort());
  });

  it('returns the same answer under the same idempotency key, and answers no wait opened since (P10)', async () => {
    const sent = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), copies: fc.integer({ min: 1, max: 3 }) }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(sent, async (signals) => {
        const { engine, executionIds, allAnswers } = await waiting(2);
        const first = new Map<string, readonly string[]>();
        for (const { key, copies } of signals) {
          const told = await Promise.all(Array.from({ length: copies }, () => engine.signal({ ...toPayment, idempotencyKey: key })));
          // Each execution waits twice, so that the first two keys find both and the third finds none.
          const expected = first.get(key) ?? (first.size < 2 ? executionIds : []);
          first.set(key, expected);
          for (const answer of told) expect(answer).toEqual({ executionIds: expected });
        }
        expect(await allAnswers()).toEqual(executionIds.map(() => Math.min(first.size, 2)));
      }),
    );
  });

  it('continues where it was interrupted: a repetition answers the rest, and returns all (P2)', async () => {
    for (const commits of [0, 1, 2, 3]) {
      const kept = createMemoryStore();
      let commitsLeft = Number.POSITIVE_INFINITY;
      const store: ExecutionStore = {
        ...kept,
        async commit(commit) {
          commitsLeft -= 1;
          if (commitsLeft < 0) throw new HiloError('STORE_UNAVAILABLE', { reason: 'The process dies here' });
          return kept.commit(commit);
        },
      };
      const { engine, executionIds, allAnswers } = await waiting(3, { store });
      const idempotencyKey = `after ${commits}`;
      commitsLeft = commits;
      await expect(engine.signal({ ...toPayment, idempotencyKey })).rejects.toThrow('The process dies here');
      commitsLeft = Number.POSITIVE_INFINITY;
      const told = await engine.signal({ ...toPayment, idempotencyKey });
      expect(told.executionIds).toEqual(executionIds);
      expect(await allAnswers()).toEqual([1, 1, 1]);
    }
  });

  it('refuses a payload that no variable could hold', async () => {
    const { engine, allAnswers } = await waiting(1);
    await expect(engine.signal({ ...toPayment, payload: 'x'.repeat(64 * 1024) })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await allAnswers()).toEqual([0]);
    expect((await engine.signal({ ...toPayment, payload: 'x'.repeat(64 * 1024 - 2) })).executionIds).toHaveLength(1);
  });
});
