import { createMemoryCanvases, createMemoryStore } from '@hilo/engine';
import { initialState, nextSnapshot, snapshotOf } from '@hilo/engine/debug';
import type { ExecutionRecord, ExecutionState } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canvasFamily, type CanvasFamily } from '../../packages/testing/src/arbitraries/canvases.ts';
import { eventScript } from '../../packages/testing/src/arbitraries/event-scripts.ts';
import { move } from '../../packages/testing/src/arbitraries/execution-events.ts';
import type { ScriptInput } from '../../packages/simulator/src/script/script-input.ts';
import type { RecordedCall } from '../../packages/simulator/src/simulation/recorded-call.ts';
import { sampleAnswer } from '../../packages/simulator/src/simulation/sample-answers.ts';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import { fewRuns } from '../../scripts/vitest/part-of.ts';
import { play } from './play.ts';
import { compiled, inputOf, walk } from './walk.ts';

const forget = <Value>(value: Value): Value =>
  value === undefined || value instanceof Map ? structuredClone(value) : (JSON.parse(JSON.stringify(value)) as Value);

/** A store that keeps nothing in memory: every value in and out is rebuilt from its text. */
const forgetful = <Store extends object>(store: Store): Store =>
  new Proxy(store, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return async (...args: readonly unknown[]): Promise<unknown> =>
        forget(await (Reflect.apply(member, target, args.map(forget)) as unknown));
    },
  });

const callsByExecution = (calls: readonly RecordedCall[]): ReadonlyMap<string, readonly RecordedCall[]> =>
  Map.groupBy(calls, ({ executionId }) => executionId);

/** The result of an execution, without its history length: it may see another execution's writes one turn later. */
const whatCameOf = (record: ExecutionRecord): ExecutionRecord => ({ ...record, state: { ...record.state, historySize: 0 } });

describe('forgetting everything after each step', () => {
  it('changes no state that the same events lead to', () =>
    fc.assert(
      fc.property(canvasFamily(), fc.array(move, { maxLength: 25, size: 'max' }), ({ main }, moves) => {
        const canvas = compiled(main);
        let state: ExecutionState = forget(initialState(inputOf(canvas)));
        for (const { event, after } of walk(canvas, moves)) {
          // Not even the compiled canvas is kept.
          state = forget(nextSnapshot(compiled(main), snapshotOf(state), forget(event)).state);
          expect(JSON.stringify(state)).toBe(JSON.stringify(after));
        }
      }),
      fewRuns(40),
    ));

  it('changes nothing that an engine does', () =>
    fc.assert(
      fc.asyncProperty(canvasFamily(), eventScript, async (family, script) => {
        const remembered = await play(family, script);
        const forgotten = await play(family, script, {
          store: forgetful(createMemoryStore()),
          canvasStore: forgetful(createMemoryCanvases()),
        });
        // Two executions of one user may take turns in another order on a slower store; each does the same.
        expect(callsByExecution(forgotten.calls)).toEqual(callsByExecution(remembered.calls));
        expect((await forgotten.executions()).map(whatCameOf)).toEqual(forget((await remembered.executions()).map(whatCameOf)));
      }),
      fewRuns(40),
    ));
});

describe('killing the process after each input', () => {
  /** Restarts whenever nothing is under way: a call that is would be made again, and have its whole time again. */
  async function playWithRestarts({ main, children }: CanvasFamily, script: readonly ScriptInput[]) {
    const conversation = await simulate({ canvases: [main, ...children], answers: sampleAnswer });
    for (const input of script) {
      await conversation.plays(input);
      if (conversation.pending().length === 0) await conversation.restarts();
    }
    return conversation;
  }

  it('changes nothing', () =>
    fc.assert(
      fc.asyncProperty(canvasFamily(), eventScript, async (family, script) => {
        const alive = await play(family, script);
        const killed = await playWithRestarts(family, script);
        expect(callsByExecution(killed.calls)).toEqual(callsByExecution(alive.calls));
        expect(await killed.executions()).toEqual(await alive.executions());
        expect(killed.faults).toEqual([]);
      }),
      fewRuns(40),
    ));

  // A defect once released held users after a restart: only executions with a pending effect were recovered.
  it('holds a user through the pause of a retry (RET-04)', async () => {
    const conversation = await simulate({
      schemaVersion: 1,
      id: 'holding',
      name: 'Holding',
      nodes: [
        { id: 'begin', type: 'start', data: { fallback: true } },
        {
          id: 'call',
          type: 'api',
          data: {
            url: 'https://api.example',
            timeout: 'PT2H',
            retry: { attempts: 2, delay: 'PT1H' },
            hold: { enabled: true, message: 'One moment' },
          },
        },
        { id: 'done', type: 'end', data: {} },
      ],
      edges: [
        { source: 'begin', target: 'call' },
        { source: 'call', sourceHandle: 'success', target: 'done' },
      ],
    });
    await conversation.says('hello');
    await conversation.apiAnswers({ status: 500 });
    await conversation.restarts();
    await conversation.says('Are you there?');
    expect(conversation.sent).toMatchObject([{ text: 'One moment' }]);
    expect(await conversation.executions()).toHaveLength(1);
  });

  it('makes a call without an answer again, with the same key (P3, P4)', async () => {
    const conversation = await simulate({
      schemaVersion: 1,
      id: 'calling',
      name: 'Calling',
      nodes: [
        { id: 'begin', type: 'start', data: { fallback: true } },
        { id: 'call', type: 'api', data: { url: 'https://api.example', saveAs: '$context.answer' } },
        { id: 'done', type: 'end', data: { outputs: { status: '{{$context.answer.status}}' } } },
      ],
      edges: [
        { source: 'begin', target: 'call' },
        { source: 'call', sourceHandle: 'success', target: 'done' },
      ],
    });
    await conversation.says('hello');
    await conversation.restarts();
    await conversation.restarts();
    await conversation.apiAnswers({ status: 200 });
    expect(new Set(conversation.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(conversation.calls).toHaveLength(3);
    expect((await conversation.executions()).map(({ state }) => state.ending?.outputs)).toEqual([{ status: 200 }]);
  });
});
