// What a retry does once more: the effect by whose answer a node failed, and after any other failure the same event with the answer that it had.
import { createEngine, createMemoryCanvases, createMemoryStore } from '@hilo/engine';
import { defineEffect, defineNode, drive, leave, perform, Template } from '@hilo/engine/node-kit';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createVirtualClock, seededRandom } from '../../packages/testing/src/index.ts';

type Answer = { readonly kind: 'done' | 'refused'; readonly outcome?: 'failed' | 'unknown' };

const chargeCard = defineEffect('shop.charge', {
  request: z.null(),
  result: z.strictObject({ kind: z.enum(['done', 'refused']), outcome: z.enum(['failed', 'unknown']).exactOptional() }),
});

/** Charges a card; behind a good answer it may fail by itself. */
const charge = defineNode({
  type: 'charge',
  config: z.strictObject({ after: z.enum(['leave', 'throw', 'text']).default('leave'), text: Template.exactOptional() }),
  ports: ['charged'],
  optionalPorts: ['error'],
  effects: [chargeCard],
  visual: { label: 'Charge', category: 'data', icon: 'box', colour: '#0f766e', description: 'Charges a card.', summary: () => '' },
  run: ({ config, variables }) =>
    perform(chargeCard(null), ({ kind }) => {
      if (kind === 'refused') return leave('error');
      if (config.after === 'throw') throw new Error('a fault of the node');
      if (config.after === 'text') config.text?.(variables);
      return leave('charged');
    }),
});

const failing = '{{$context.executionId * 2.0}}';
const note = (id: string) => ({ id, type: 'set', data: { assignments: [{ path: '$context.said', value: failing }] } });

const shop = (data: object, isErrorDrawn = false) => ({
  schemaVersion: 1,
  id: 'shop',
  name: 'Shop',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'charge', type: 'charge', data },
    note('receipt'),
    ...(isErrorDrawn ? [note('sorry')] : []),
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'charge' },
    { source: 'charge', sourceHandle: 'charged', target: 'receipt' },
    { source: 'receipt', target: 'done' },
    ...(isErrorDrawn
      ? [
          { source: 'charge', sourceHandle: 'error', target: 'sorry' },
          { source: 'sorry', target: 'done' },
        ]
      : []),
  ],
});

/** @param answers - of the driver, the last for all that follow; it throws without one */
async function open(canvas: object, answers: readonly (Answer | undefined)[]) {
  const clock = createVirtualClock();
  const keys: string[] = [];
  const driver = drive(chargeCard, (_request, { idempotencyKey }) => {
    const answer = answers[Math.min(keys.length, answers.length - 1)];
    keys.push(idempotencyKey);
    if (answer === undefined) throw new Error('no answer in time');
    return answer;
  });
  const store = { executions: createMemoryStore(), canvases: createMemoryCanvases() };
  const engine = createEngine({ nodes: [...standardNodes, charge], drivers: [driver], store, clock, random: seededRandom(1) });
  const acme = engine.company('acme');
  await acme.publish(canvas);
  await engine.start();
  const { executionId } = await acme.start('shop');
  await engine.whenIdle();
  return { engine, acme, clock, keys, executionId };
}

const ways: readonly (readonly [
  way: string,
  canvas: object,
  answer: Answer | undefined,
  expected: { readonly repeats: boolean; readonly keepsKey: boolean },
])[] = [
  ['its answer was a refusal that did not happen', shop({}), { kind: 'refused', outcome: 'failed' }, { repeats: true, keepsKey: false }],
  ['its answer was a refusal that may have happened', shop({}), { kind: 'refused', outcome: 'unknown' }, { repeats: true, keepsKey: true }],
  ['its answer was a refusal that says nothing of it', shop({}), { kind: 'refused' }, { repeats: true, keepsKey: false }],
  ['its effect had no answer', shop({}), undefined, { repeats: true, keepsKey: true }],
  ['its refusal was taken, and another node failed', shop({}, true), { kind: 'refused' }, { repeats: false, keepsKey: false }],
  ['its answer was good, and another node failed', shop({}), { kind: 'done' }, { repeats: false, keepsKey: false }],
  ['its answer was good, and the node threw', shop({ after: 'throw' }), { kind: 'done' }, { repeats: false, keepsKey: false }],
  [
    'its answer was good, and its own expression failed',
    shop({ after: 'text', text: failing }),
    { kind: 'done' },
    { repeats: false, keepsKey: false },
  ],
];

describe.for(ways)('a retry where %s', ([, canvas, answer, expected]) => {
  it.for(['auto', 'repeat', 'keep'] as const)('with the effect "%s", under each of the keys', async (effect) => {
    for (const keys of ['auto', 'same', 'new'] as const) {
      const { engine, acme, keys: called, executionId } = await open(canvas, [answer]);
      expect((await acme.execution(executionId))?.state.status).toBe('failed');
      const made = await acme.retry(executionId, { effect, keys });
      await engine.whenIdle();
      const isRepeated = effect === 'repeat' || (effect === 'auto' && expected.repeats);
      expect({ keys, calls: called.length }).toEqual({ keys, calls: isRepeated ? 2 : 1 });
      const isKept = keys === 'same' || (keys === 'auto' && expected.keepsKey);
      expect({ keys, isKept: isRepeated && called[0] === called[1] }).toEqual({ keys, isKept: isRepeated && isKept });
      const [before, after] = [await acme.execution(executionId), await acme.execution(made.executionId)];
      const failureOf = (record: typeof before) => [record?.state.ending?.failure?.nodeId, record?.state.ending?.failure?.cause];
      expect(failureOf(after)).toEqual(failureOf(before));
    }
  });
});

const hourMs = 3_600_000;

/** Waits a day for an event, and a day more before its end. */
const waiting = {
  schemaVersion: 1,
  id: 'shop',
  name: 'Shop',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'wait', type: 'wait-event', data: { name: 'go', timeout: 'P1D' } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'wait' },
    { source: 'wait', sourceHandle: 'received', target: 'done' },
    { source: 'wait', sourceHandle: 'timeout', target: 'done' },
  ],
};

describe('the time of an open wait', () => {
  it('is whole again in a retry, and in a copy what was left before the event', async () => {
    const { acme, clock, executionId } = await open(waiting, [undefined]);
    clock.advanceTo(clock.now() + 6 * hourMs);
    await acme.cancel(executionId);
    clock.advanceTo(clock.now() + 48 * hourMs);
    const dueInMs = async (id: string) => ((await acme.execution(id))?.state.wait?.dueAtMs ?? 0) - clock.now();
    const history = await acme.history(executionId);
    expect(history.at(-1)?.event.type).toBe('execution.cancelled');
    const copy = await acme.fork(executionId, { before: history.length - 1 });
    expect(await dueInMs(copy.executionId)).toBe(18 * hourMs);
    const retried = await acme.retry(executionId);
    expect(await dueInMs(retried.executionId)).toBe(24 * hourMs);
  });
});

describe('a pause between two attempts', () => {
  const retrying = shop({ retry: { attempts: 3, delay: 'PT1H' } });
  const refused = (outcome: 'failed' | 'unknown'): Answer => ({ kind: 'refused', outcome });

  it.for([
    { answers: [refused('unknown'), refused('failed')], keys: 'auto', keepsKey: false },
    { answers: [refused('failed'), refused('unknown')], keys: 'auto', keepsKey: true },
    { answers: [refused('unknown'), refused('failed')], keys: 'same', keepsKey: true },
    { answers: [refused('failed'), refused('unknown')], keys: 'new', keepsKey: false },
  ] as const)('goes on under the key that its last attempt calls for: %o', async ({ answers, keys, keepsKey }) => {
    const { engine, acme, clock, keys: called, executionId } = await open(retrying, answers);
    const calledTimes = async (times: number): Promise<void> => {
      clock.advanceTo(clock.now() + 12 * hourMs); // longer than any pause
      await expect.poll(() => called.length).toBe(times);
      await engine.whenIdle();
    };
    await calledTimes(2);
    expect((await acme.execution(executionId))?.state.wait?.kind).toBe('retry');
    await acme.cancel(executionId);
    await acme.retry(executionId, { keys });
    expect(called).toHaveLength(2);
    await calledTimes(3);
    expect(called[2] === called[1]).toBe(keepsKey);
  });
});
