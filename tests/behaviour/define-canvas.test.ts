import { type CanvasInput, defineCanvas, checkCanvasText } from '@hilo/engine';
import { defineNode, leave } from '@hilo/engine/node-kit';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const define = defineCanvas(standardNodes);

describe('defineCanvas', () => {
  it('returns the canvas unchanged, and its JSON can be published', () => {
    const canvas = define({
      schemaVersion: 1,
      id: 'hello',
      name: 'Hello',
      nodes: [
        { id: 'begin', type: 'start', data: { keywords: ['hello'] } },
        {
          id: 'who',
          type: 'ask',
          data: { label: 'Who?', message: { type: 'text', text: 'Who are you?' }, input: { kind: 'text' }, saveAs: '$context.name' },
        },
        { id: 'adult', type: 'condition', data: { branches: [{ name: 'yes', rule: { op: 'eq', left: '$context.name', right: 'Ana' } }] } },
        { id: 'done', type: 'end' },
      ],
      edges: [
        { source: 'begin', target: 'who' },
        { source: 'who', sourceHandle: 'answered', target: 'adult' },
        { source: 'adult', sourceHandle: 'yes', target: 'done' },
        { source: 'adult', sourceHandle: 'else', target: 'done' },
      ],
    });
    expect(checkCanvasText(JSON.stringify(canvas), { nodes: standardNodes }).filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

// What must not compile: the type check fails where one of these lines does.
const head = { schemaVersion: 1, id: 'typed', name: 'Typed' } as const;

describe('the types of a canvas', () => {
  it('refuse what publishing would refuse', () => {
    // @ts-expect-error there is no such type of node
    define({ ...head, nodes: [{ id: 'a', type: 'massage' }] });
    // @ts-expect-error a message has no field "massage"
    define({ ...head, nodes: [{ id: 'a', type: 'message', data: { massage: 'Hi' } }] });
    // @ts-expect-error a delay has a duration, a text
    define({ ...head, nodes: [{ id: 'a', type: 'delay', data: { duration: 5 } }] });
    // @ts-expect-error and may not leave it out
    define({ ...head, nodes: [{ id: 'a', type: 'delay', data: {} }] });
    // @ts-expect-error nor all of its data
    define({ ...head, nodes: [{ id: 'a', type: 'delay' }] });
    define({
      ...head,
      nodes: [
        { id: 'a', type: 'delay', data: { duration: 'PT1S', label: 'A second', retry: { attempts: 2 } } },
        { id: 'b', type: 'end' },
      ],
      edges: [
        { source: 'a', sourceHandle: 'elapsed', target: 'b' },
        // @ts-expect-error a delay has no port "sent"
        { source: 'a', sourceHandle: 'sent', target: 'b' },
        // @ts-expect-error there is no node "c"
        { source: 'c', target: 'b' },
        // @ts-expect-error nor is it one to go to
        { source: 'a', target: 'c' },
      ],
    });
    // @ts-expect-error another version of the format
    define({ ...head, schemaVersion: 2, nodes: [{ id: 'b', type: 'end' }] });
    // @ts-expect-error a canvas has no field "node"
    define({ ...head, nodes: [{ id: 'b', type: 'end' }], node: [] });
    expect(define({ ...head, nodes: [{ id: 'b', type: 'end' }] }).nodes[0].id).toBe('b');
  });

  it("have a host's own nodes beside those of Hilo", () => {
    const own = defineNode({
      type: 'lead-score',
      config: z.strictObject({ field: z.string() }),
      visual: { label: 'Score', category: 'data', icon: 'gauge', colour: '#000000', description: 'Scores.' },
      ports: ['scored'],
      run: () => leave('scored'),
    });
    const defineOwn = defineCanvas([...standardNodes, own]);
    const canvas = defineOwn({
      ...head,
      nodes: [
        { id: 'score', type: 'lead-score', data: { field: 'x' } },
        { id: 'done', type: 'end' },
      ],
      edges: [{ source: 'score', sourceHandle: 'scored', target: 'done' }],
    });
    expect(canvas.nodes).toHaveLength(2);
    // @ts-expect-error its own field is a text
    defineOwn({ ...head, nodes: [{ id: 'score', type: 'lead-score', data: { field: 7 } }] });
  });

  it('take a canvas without ids of a type of their own', () => {
    const canvas: CanvasInput = { ...head, nodes: [{ id: 'done', type: 'end' }] };
    const own: CanvasInput = { ...head, nodes: [{ id: 'score', type: 'score-lead', data: { label: 'Score', hotFrom: 60 } }] };
    const defined: CanvasInput = define({ ...head, nodes: [{ id: 'begin', type: 'start', data: { keywords: ['hi'] } }] });
    // @ts-expect-error a label is a text, whatever the node
    const unlabelled: CanvasInput = { ...head, nodes: [{ id: 'score', type: 'score-lead', data: { label: 5 } }] };
    expect([canvas, own, defined, unlabelled].map(({ nodes }) => nodes.length)).toEqual([1, 1, 1, 1]);
  });

  it('have a type that a host can write, with the fields of its nodes', () => {
    const canvas: CanvasInput<typeof standardNodes> = { ...head, nodes: [{ id: 'begin', type: 'start', data: { keywords: ['hi'] } }] };
    expect(canvas.nodes).toHaveLength(1);
    // @ts-expect-error a start has no such field
    const wrong: CanvasInput<typeof standardNodes> = { ...head, nodes: [{ id: 'begin', type: 'start', data: { keyword: ['hi'] } }] };
    expect(wrong.id).toBe('typed');
  });
});
