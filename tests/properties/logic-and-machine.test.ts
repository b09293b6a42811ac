import { canvasMachine, type CompiledCanvas, lifecycleMachine } from '@hilo/engine/debug';
import { finalStatuses } from '@hilo/engine/store-kit';
import type { ExecutionState } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createActor, transition } from 'xstate';
import { runLogic } from '../../packages/engine/src/machine/canvas-logic.ts';
import { canvasFamily } from '../../packages/testing/src/arbitraries/canvases.ts';
import { move, type Move } from '../../packages/testing/src/arbitraries/execution-events.ts';
import { fewRuns } from '../../scripts/vitest/part-of.ts';
import { compiled, inputOf, walk } from './walk.ts';

/** Sends the same events to both. @returns the state of each after each event */
function standsOf(canvas: CompiledCanvas, moves: readonly Move[]) {
  const actor = createActor(canvasMachine(canvas), { input: inputOf(canvas) });
  actor.start();
  return walk(canvas, moves).map(({ event, after }) => {
    if (actor.getSnapshot().status === 'active') actor.send(event); // XState warns about events to an actor that has ended
    const { context, value } = actor.getSnapshot();
    return { ofLogic: { state: after, position: positionOf(after) }, ofMachine: { state: context.state, position: value } };
  });
}

/** The expected state of the statechart. */
function positionOf({ status, visit }: ExecutionState): unknown {
  if (finalStatuses.has(status) || status === 'quarantined') return status;
  if (visit === undefined) return 'accepted';
  return { nodes: { [visit.nodeId]: status === 'waiting' ? 'waiting' : 'performing' } };
}

describe('canvasLogic and canvasMachine', () => {
  it('take the same states after any events, for any canvas', () =>
    fc.assert(
      fc.property(canvasFamily(), fc.array(move, { maxLength: 25, size: 'max' }), ({ main }, moves) => {
        const stands = standsOf(compiled(main), moves);
        expect(stands.map(({ ofMachine }) => ofMachine)).toEqual(stands.map(({ ofLogic }) => ofLogic));
      }),
      fewRuns(100),
    ));

  it('reach the same states in an actor, as it runs under inspection', () =>
    fc.assert(
      fc.property(canvasFamily(), fc.array(move, { maxLength: 25, size: 'max' }), ({ main }, moves) => {
        const canvas = compiled(main);
        for (const { event, before, after } of walk(canvas, moves)) {
          let snapshots = 0;
          const inspected = runLogic(canvas, before, event, () => (snapshots += 1));
          expect(inspected.state).toEqual(after);
          expect(snapshots > 0).toBe(!finalStatuses.has(before.status));
        }
      }),
      fewRuns(100),
    ));

  it('change statuses as the lifecycle has it, and by no other event', () =>
    fc.assert(
      fc.property(canvasFamily(), fc.array(move, { maxLength: 25, size: 'max' }), ({ main }, moves) => {
        for (const { event, before, after } of walk(compiled(main), moves)) {
          if (after === before) continue; // not legal, so that nothing changed
          const from = lifecycleMachine.resolveState({ value: before.status });
          const change = { type: event.type, to: after.status };
          expect([event.type, from.can(change)]).toEqual([event.type, true]);
          expect(transition(lifecycleMachine, from, change)[0].value).toBe(after.status);
        }
      }),
      fewRuns(100),
    ));

  it('come to the same limit', () => {
    const items = Array.from({ length: 200 }, (_, index) => index);
    const body = ['a', 'b', 'c', 'd', 'e'];
    const set = (id: string) => ({ id, type: 'set', data: { assignments: [{ path: '$context.last', value: '{{$item}}' }] } });
    const canvas = compiled({
      schemaVersion: 1,
      id: 'long',
      name: 'Long',
      nodes: [
        { id: 'begin', type: 'start', data: {} },
        { id: 'each', type: 'for-each', data: { items } },
        ...body.map(set),
        { id: 'done', type: 'end', data: {} },
      ],
      edges: [
        { source: 'begin', target: 'each' },
        ...['each', ...body].map((source, index) => ({
          source,
          ...(source === 'each' && { sourceHandle: 'each' }),
          target: body[index] ?? 'each',
        })),
        { source: 'each', sourceHandle: 'done', target: 'done' },
      ],
    });
    const { ofLogic, ofMachine } = standsOf(canvas, []).at(-1)!;
    expect(ofMachine).toEqual(ofLogic);
    expect(ofLogic.state.ending?.failure?.cause).toBe('STEP_LIMIT_EXCEEDED');
  });
});
