import { parseCanvas } from '@hilo/engine';
import { canvasMachine } from '@hilo/engine/debug';
import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import { compiled, inputOf, walk } from '../properties/walk.ts';

/** Two items go twice through a node of this id. */
const canvasWith = (id: string) => ({
  schemaVersion: 1,
  id: 'names',
  name: 'Names',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id, type: 'for-each', data: { items: ['a', 'b'] } },
    { id: 'say', type: 'message', data: { message: { type: 'text', text: '{{$item}}' } } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: id },
    { source: id, sourceHandle: 'each', target: 'say' },
    { source: 'say', sourceHandle: 'sent', target: id },
    { source: id, sourceHandle: 'done', target: 'done' },
  ],
});

describe('a node', () => {
  it.each(['toString', 'hasOwnProperty', 'none', 'position', 'a:b', '-', '0'])('may be called %s', async (id) => {
    const conversation = await simulate(canvasWith(id));
    await conversation.says('hello');
    expect(conversation.sent).toMatchObject([{ text: 'a' }, { text: 'b' }]);
    const state = (await conversation.execution())?.state;
    expect(state?.status).toBe('completed');
    expect(Object.entries(state?.visits ?? {})).toContainEqual([id, 3]);
  });

  it.each(['__proto__', 'constructor', 'prototype'])('cannot be called %s', (id) => {
    const { canvas, problems } = parseCanvas(canvasWith(id));
    expect(canvas).toBeUndefined();
    expect(problems).toContainEqual(expect.objectContaining({ code: 'INVALID_CANVAS', pointer: '/nodes/1/id' }));
  });

  it.each(['toString', 'hasOwnProperty', 'none', 'position', 'a:b', '-', '0'])('called %s is a state of the statechart', (id) => {
    const canvas = compiled(canvasWith(id));
    const actor = createActor(canvasMachine(canvas), { input: inputOf(canvas) });
    actor.start();
    const settled = { kind: 'answer', choice: 0, text: '', value: null, afterMs: 0 } as const;
    for (const { event, after } of walk(canvas, [settled, settled])) {
      actor.send(event);
      expect(actor.getSnapshot().context.state).toEqual(after);
    }
    expect(actor.getSnapshot().value).toBe('completed');
  });
});
