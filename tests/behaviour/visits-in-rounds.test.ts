/** Nodes whose visits end with `again`: what applies at the end of a round, what is counted, and what the history keeps. */
import { canvasMachine, compileCanvas, initialState, nextSnapshot, nodeTypes, replayHistory, snapshotOf } from '@hilo/engine/debug';
import { type ExecutionEvent, type Json, limits } from '@hilo/engine/contract';
import {
  again,
  defineEffect,
  defineNode,
  drive,
  fail,
  isJsonObject,
  leave,
  type NodeDefinition,
  type Outcome,
  perform,
  reply,
} from '@hilo/engine/node-kit';
import { canvasHash } from '@hilo/engine/store-kit';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import { z } from 'zod';
import { readCanvas } from '../../packages/simulator/src/read-canvas.ts';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import { uncoveredPorts } from '../../packages/simulator/src/paths-of.ts';
import { visit } from '../../packages/simulator/src/visit.ts';
import { eventOf, move, type Move } from '../../packages/testing/src/arbitraries/execution-events.ts';
import { naiveExecution } from '../properties/naive-interpreter.ts';
import { inputOf } from '../properties/walk.ts';

const count = defineEffect('own.count', { request: z.strictObject({ round: z.int(), step: z.int() }), result: z.int() });

type Port = 'next' | 'error';

/** Works in rounds: each waits for the user, or not, requests some effects and writes its number. */
const rounds = defineNode({
  type: 'rounds',
  config: z.strictObject({
    rounds: z.int(),
    steps: z.int().default(1),
    waits: z.boolean().default(false),
    memoChars: z.int().default(0),
    fails: z.boolean().default(false),
  }),
  visual: { label: 'Rounds', category: 'flow', icon: 'x', colour: '#000000', description: 'Works in rounds.' },
  ports: ['next'],
  optionalPorts: ['error'],
  effects: [count],
  supports: { retry: false },
  writes: () => ({ next: ['$context.round'] }),
  writingFields: [],
  run({ config, memo }) {
    const round = isJsonObject(memo) ? Number(memo['round']) : 1;
    const finishRound = (): Outcome<Port> => {
      const writes = [
        { path: ['$context', 'round'], value: round },
        { path: ['$memory', 'round'], value: round },
      ];
      if (round < config.rounds) return again({ round: round + 1, text: 'x'.repeat(config.memoChars) }, writes);
      return config.fails ? fail('TOLD_TO', 'It was told to fail') : leave('next', writes, { memo: null });
    };
    const work = (step: number): Outcome<Port> =>
      step > config.steps ? finishRound() : perform(count({ round, step }), () => work(step + 1), { recorded: { step } });
    return config.waits ? perform(reply({}), () => work(1)) : work(1);
  },
}) as NodeDefinition;

const nodes = [...standardNodes, rounds];
const canvasWith = (data: object) => ({
  schemaVersion: 1,
  id: 'rounds',
  name: 'Rounds',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'work', type: 'rounds', data },
    { id: 'done', type: 'end', data: { outputs: { round: '{{$context.round}}', said: '{{$message.text ?? ""}}' } } },
    { id: 'failed', type: 'end', data: { outcome: 'failed', outputs: { cause: '{{$error.cause}}' } } },
  ],
  edges: [
    { source: 'begin', target: 'work' },
    { source: 'work', sourceHandle: 'next', target: 'done' },
    { source: 'work', sourceHandle: 'error', target: 'failed' },
  ],
});
const drivers = [drive(count, ({ step }) => Promise.resolve(step))];
const begin = async (data: object) => {
  const conversation = await simulate({ canvases: [canvasWith(data)], nodes, drivers });
  await conversation.says('go');
  return conversation;
};
const outputs = async (data: object): Promise<Json | undefined> => (await (await begin(data)).execution())?.state.ending?.outputs;

describe('a node that works in rounds', () => {
  it('is in the same state in the engine, the statechart and a naive interpreter, after any events', () => {
    const config = fc.record({
      rounds: fc.integer({ min: 1, max: 4 }),
      steps: fc.integer({ min: 0, max: 2 }),
      waits: fc.boolean(),
      fails: fc.boolean(),
    });
    fc.assert(
      fc.property(config, fc.array(move, { maxLength: 20, size: 'max' }), (data, moves: readonly Move[]) => {
        const canvas = readCanvas(canvasWith(data));
        const { compiled } = compileCanvas(canvas, canvasHash(canvas), nodeTypes(nodes));
        const actor = createActor(canvasMachine(compiled), { input: inputOf(compiled) });
        actor.start();
        let state = initialState(inputOf(compiled));
        const naive = naiveExecution(canvas as never, nodes, state.variables);
        const events: ExecutionEvent[] = [];
        for (const next of [undefined, ...moves]) {
          const message = { id: 'first', type: 'text', text: 'hello' };
          const event: ExecutionEvent =
            next === undefined
              ? { type: 'execution.started', entry: 'begin', trigger: { kind: 'message', message }, atMs: state.startedAtMs }
              : eventOf(state, next, events, 'begin');
          events.push(event);
          const isForThis = 'key' in event ? event.key === state.pending?.key : 'waitId' in event && event.waitId === state.wait?.id;
          naive.take(event, isForThis);
          state = nextSnapshot(compiled, snapshotOf(state), event).state;
          if (actor.getSnapshot().status === 'active') actor.send(event);
          expect(actor.getSnapshot().context.state).toEqual(state);
          const { status, variables } = naive.stands();
          expect({ status, variables }).toEqual({ status: state.status, variables: state.variables });
        }
      }),
    );
  });

  it('shows the writes and the message of each round before the next, and replays to the same states', async () => {
    const conversation = await begin({ rounds: 3, steps: 2, waits: true });
    const seen: Json[] = [];
    for (const text of ['one', 'two', 'three']) {
      await conversation.says(text);
      await conversation.restarts();
      const { $context, $message } = await conversation.variables();
      seen.push([($context as { round: number }).round, ($message as { text: string }).text]);
    }
    expect(seen).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
    ]);
    const { state } = (await conversation.execution())!;
    expect(state).toMatchObject({ status: 'completed', memos: {}, visits: { work: 3 } });
    const canvas = readCanvas(canvasWith({ rounds: 3, steps: 2, waits: true }));
    const { compiled } = compileCanvas(canvas, canvasHash(canvas), nodeTypes(nodes));
    const history = await conversation.history();
    expect(replayHistory(history, () => compiled).at(-1)).toEqual(state);
    expect(new Set(conversation.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(6);
  });

  it('leaves lines with the port "again", which no coverage counts, and keeps in the history what is recorded in place of requests', async () => {
    const history = await (await begin({ rounds: 2 })).history();
    const lines = history.flatMap(({ entries }) => entries).filter(({ nodeId }) => nodeId === 'work');
    expect(lines.flatMap(({ port }) => port ?? [])).toEqual(['again', 'next']);
    expect(lines.flatMap(({ effect }) => (effect?.request === undefined ? [] : [effect.request]))).toEqual([{ step: 1 }, { step: 1 }]);
    expect(uncoveredPorts(canvasWith({ rounds: 2 }), [history], { nodes })).toEqual({
      taken: ['begin.next', 'work.next'],
      never: ['work.error'],
    });
  });

  it('is drawn with a transition to itself', () => {
    const canvas = readCanvas(canvasWith({ rounds: 2 }));
    const { compiled } = compileCanvas(canvas, canvasHash(canvas), nodeTypes(nodes));
    const visiting = canvasMachine(compiled).states.nodes?.states['work']?.states['visiting'];
    expect(visiting?.on['go:work']).toBeDefined();
    expect(visiting?.on['go:done']).toBeUndefined();
  });

  it('is seen in a test of the node alone', () => {
    const visited = visit(rounds, { config: { rounds: 2, steps: 0 } });
    expect(visited).toMatchObject({ by: 'again', writes: { '$context.round': 1 }, failure: undefined });
  });

  it.each([
    [limits.effectsInVisit - 1, { round: 1, said: 'go' }],
    [limits.effectsInVisit, { round: 1, said: 'go' }],
    [limits.effectsInVisit + 1, { cause: 'STEP_LIMIT_EXCEEDED' }],
  ])('requests %d effects in one visit or leaves by error (P16)', async (steps, expected) => {
    expect(await outputs({ rounds: 1, steps })).toEqual(expected);
  });

  it.each([
    [-1, { round: 2, said: 'go' }],
    [0, { round: 2, said: 'go' }],
    [1, { cause: 'VALUE_TOO_LARGE' }],
  ])('keeps a memo of 64 KB, and %d bytes more', async (more, expected) => {
    const memoChars = limits.valueBytes - JSON.stringify({ round: 2, text: '' }).length + more;
    expect(await outputs({ rounds: 2, steps: 0, memoChars })).toEqual(expected);
  });

  it.each([
    [limits.visitsWithoutWait - 2, 'completed', undefined],
    [limits.visitsWithoutWait - 1, 'failed', 'STEP_LIMIT_EXCEEDED'],
  ])('counts each of %d rounds as a step (P16)', async (number, status, cause) => {
    const { state } = (await (await begin({ rounds: number, steps: 0 })).execution())!;
    expect([state.status, state.ending?.failure?.cause]).toEqual([status, cause]);
  });

  it('has no "retry" where it tries again by itself', async () => {
    await expect(begin({ rounds: 1, retry: { attempts: 2 } })).rejects.toMatchObject({
      details: { problems: [{ code: 'INVALID_CONFIG', pointer: '/nodes/1/data/retry' }] },
    });
  });
});
