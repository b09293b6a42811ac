import { compileCanvas, type CompiledCanvas, initialState, nextSnapshot, nodeTypes, snapshotOf } from '@hilo/engine/debug';
import { canvasHash } from '@hilo/engine/store-kit';
import type { ExecutionEvent, ExecutionState } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCanvas } from '../../packages/simulator/src/read-canvas.ts';
import { canvasFamily } from '../../packages/testing/src/arbitraries/canvases.ts';
import { eventOf, move, type Move } from '../../packages/testing/src/arbitraries/execution-events.ts';
import { nodeConfigs, type NodeType } from '../../packages/testing/src/arbitraries/node-configs.ts';
import { type CanvasJson, naiveExecution, type Standing } from './naive-interpreter.ts';
import { inputOf } from './walk.ts';

/** All but the types that draw numbers, which only the engine can. */
const nodes = (Object.keys(nodeConfigs) as readonly NodeType[]).filter((type) => type !== 'random' && type !== 'code');

/** The engine's state, as far as the documents define it. */
const standingOf = ({ status, visit, pending, wait, variables, ending }: ExecutionState, path: Standing['path']): Standing => ({
  status,
  at:
    visit === undefined
      ? null
      : {
          nodeId: visit.nodeId,
          ...(pending !== undefined && { effect: { type: pending.type, request: pending.request } }),
          ...(wait !== undefined && { wait: { kind: wait.kind, dueAtMs: wait.kind === 'retry' ? null : wait.dueAtMs } }),
        },
  path,
  variables,
  ending:
    ending === undefined
      ? null
      : {
          outputs: ending.outputs,
          ...(ending.failure !== undefined && { cause: ending.failure.cause }),
          ...(ending.failure?.nodeId !== undefined && { nodeId: ending.failure.nodeId }),
        },
});

/** Whether an event names the visit, effect or wait of the execution. */
const isFor = ({ pending, wait }: ExecutionState, event: ExecutionEvent): boolean =>
  'key' in event ? event.key === pending?.key : 'waitId' in event && event.waitId === wait?.id;

function both(canvas: CompiledCanvas, json: CanvasJson, moves: readonly Move[]) {
  const entry = canvas.starts[0]?.id ?? canvas.webhook?.id ?? '';
  const input = inputOf(canvas);
  const message = { id: 'first', type: 'text', text: 'hello' };
  const events: ExecutionEvent[] = [{ type: 'execution.started', entry, trigger: { kind: 'message', message }, atMs: input.startedAtMs }];
  let state = initialState(input);
  const naive = naiveExecution(json, standardNodes, state.variables);
  const path: (readonly [string, string])[] = [];
  return [undefined, ...moves].map((next) => {
    if (next !== undefined) events.push(eventOf(state, next, events, entry));
    const event = events.at(-1)!;
    naive.take(event, isFor(state, event));
    const { state: after, history } = nextSnapshot(canvas, snapshotOf(state), event);
    state = after;
    for (const { nodeId, port } of history) if (port !== undefined) path.push([nodeId, port]);
    return { event: event.type, engine: standingOf(state, [...path]), naive: naive.stands() };
  });
}

describe('a canvas runs as documented', () => {
  it('after any events: the engine is in the state of a naive interpreter of the documents', () =>
    fc.assert(
      fc.property(canvasFamily({ nodes }), fc.array(move, { maxLength: 25, size: 'max' }), ({ main }, moves) => {
        const canvas = readCanvas(main);
        const { compiled } = compileCanvas(canvas, canvasHash(canvas), nodeTypes(standardNodes));
        const steps = both(compiled, main as unknown as CanvasJson, moves);
        expect(steps.map(({ event, engine }) => ({ event, ...engine }))).toEqual(steps.map(({ event, naive }) => ({ event, ...naive })));
      }),
    ));
});
