// Canvases as people and language models write them who know other products: one problem each, with its place, and its fixes mend it.
import { checkCanvasText } from '@hilo/engine';
import { applyPatch } from '@hilo/engine/authoring';
import type { Fix } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { standardNodes } from '../src/index.ts';

const sound = {
  schemaVersion: 1,
  id: 'c',
  name: 'C',
  nodes: [
    { id: 's', type: 'start', data: { keywords: ['hi'] } },
    { id: 'm', type: 'message', data: { message: { type: 'text', text: 'Hello' } } },
    { id: 'e', type: 'end' },
  ],
  edges: [
    { source: 's', target: 'm' },
    { source: 'm', sourceHandle: 'sent', target: 'e' },
  ],
};
const [start, message, end] = sound.nodes;

const check = (canvas: unknown) => checkCanvasText(canvas, { nodes: standardNodes });
const errors = (canvas: unknown): readonly string[] =>
  check(canvas)
    .filter(({ severity }) => severity === 'error')
    .map(({ code, pointer }) => `${code} ${pointer}`);

/** Takes the first fix of the first error until none is left, as an editor or a model would. */
function mend(canvas: unknown): unknown {
  let mended = canvas;
  for (let step = 0; step < 20; step += 1) {
    const fix: Fix | undefined = check(mended).find(({ severity }) => severity === 'error')?.fixes?.[0];
    if (fix === undefined) return mended;
    mended = applyPatch(mended, fix.patch);
  }
  return mended;
}

const withMessage = (data: object, edge: object = {}) => ({
  ...sound,
  nodes: [start, { id: 'm', type: 'message', data }, end],
  edges: [sound.edges[0], { ...sound.edges[1], ...edge }],
});

const withNode = (type: string, data: object, ports: readonly string[]) => ({
  ...sound,
  nodes: [start, { id: 'm', type, data }, end],
  edges: [sound.edges[0], ...ports.map((sourceHandle) => ({ source: 'm', sourceHandle, target: 'e' }))],
});

describe('what is called otherwise', () => {
  it.each<readonly [what: string, canvas: unknown, ...problems: string[]]>([
    [
      'ends of edges',
      { ...sound, edges: [{ from: 's', to: 'm' }, sound.edges[1]] },
      'UNKNOWN_FIELD /edges/0/from',
      'UNKNOWN_FIELD /edges/0/to',
    ],
    ['the list of edges', { ...sound, edges: undefined, connections: sound.edges }, 'UNKNOWN_FIELD /connections'],
    [
      'a port',
      { ...sound, edges: [sound.edges[0], { source: 'm', source_handle: 'sent', target: 'e' }] },
      'UNKNOWN_FIELD /edges/1/source_handle',
    ],
    [
      'the data of a node',
      { ...sound, nodes: [start, { id: 'm', type: 'message', config: message?.data }, end] },
      'UNKNOWN_FIELD /nodes/1/config',
    ],
    ['the version', { ...sound, schemaVersion: undefined, schema_version: 1 }, 'UNKNOWN_FIELD /schema_version'],
    ['a type of node', { ...sound, nodes: [start, { ...message, type: 'sendMessage' }, end] }, 'UNKNOWN_NODE_TYPE /nodes/1/type'],
    ['a type in capitals', { ...sound, nodes: [start, { ...message, type: 'Message' }, end] }, 'UNKNOWN_NODE_TYPE /nodes/1/type'],
    ['the message', withMessage({ text: 'Hello' }), 'UNKNOWN_FIELD /nodes/1/data/text'],
    ['a field of the message', withMessage({ message: { type: 'text', body: 'Hello' } }), 'UNKNOWN_FIELD /nodes/1/data/message/body'],
    [
      'two fields of the message',
      withMessage({ message: { type: 'image', url: 'https://example.com/a.png', caption: 'A' } }),
      'UNKNOWN_FIELD /nodes/1/data/message/caption',
      'UNKNOWN_FIELD /nodes/1/data/message/url',
    ],
    ['the type of the message', withMessage({ message: { type: 'Text', text: 'Hello' } }), 'INVALID_CONFIG /nodes/1/data/message/type'],
    ['a text for a message', withMessage({ message: 'Hello' }), 'INVALID_CONFIG /nodes/1/data/message'],
    [
      'a text for a list',
      { ...sound, nodes: [{ ...start, data: { keywords: 'hi' } }, message, end] },
      'INVALID_CONFIG /nodes/0/data/keywords',
    ],
    [
      'a number for an id',
      { ...sound, nodes: [...sound.nodes.slice(0, 2), { id: 3, type: 'end' }], edges: [sound.edges[0], { source: 'm', target: '3' }] },
      'INVALID_CANVAS /nodes/2/id',
    ],
    [
      'a duration',
      {
        ...sound,
        nodes: [start, { id: 'm', type: 'delay', data: { delay: '5 min' } }, end],
        edges: [sound.edges[0], { source: 'm', sourceHandle: 'elapsed', target: 'e' }],
      },
      'UNKNOWN_FIELD /nodes/1/data/delay',
    ],
    [
      'a method',
      {
        ...sound,
        nodes: [start, { id: 'm', type: 'api', data: { url: 'https://example.com', method: 'post' } }, end],
        edges: [sound.edges[0], { source: 'm', sourceHandle: 'success', target: 'e' }],
      },
      'INVALID_CONFIG /nodes/1/data/method',
    ],
    [
      'an operator',
      withNode('condition', { branches: [{ name: 'a', rule: { op: '==', left: '$context.executionId', right: 'x' } }] }, ['a', 'else']),
      'INVALID_CONFIG /nodes/1/data/branches/0/rule/op',
    ],
    [
      'both sides of a comparison',
      withNode('condition', { branches: [{ name: 'a', rule: { op: 'eq', field: '$context.executionId', value: 'x' } }] }, ['a', 'else']),
      'UNKNOWN_FIELD /nodes/1/data/branches/0/rule/field',
      'UNKNOWN_FIELD /nodes/1/data/branches/0/rule/value',
    ],
    [
      'a path to write',
      withNode('set', { assignments: [{ name: '$context.a', value: 1 }] }, ['next']),
      'UNKNOWN_FIELD /nodes/1/data/assignments/0/name',
    ],
    [
      'a kind of answer',
      withNode('ask', { message: { type: 'text', text: 'A?' }, input: { kind: 'integer' } }, ['answered', 'invalid']),
      'INVALID_CONFIG /nodes/1/data/input/kind',
    ],
    [
      'a day of the week',
      withNode('business-hours', { week: { monday: [['09:00', '18:00']] } }, ['open', 'closed']),
      'UNKNOWN_FIELD /nodes/1/data/week/monday',
    ],
    ['the text of a program', withNode('code', { code: 'return 1' }, ['next', 'error']), 'UNKNOWN_FIELD /nodes/1/data/code'],
    [
      'buttons as texts',
      withMessage({ message: { type: 'quick_reply', text: 'A?', quick_replies: ['Yes'] } }),
      'INVALID_CONFIG /nodes/1/data/message/quick_replies/0',
    ],
  ])('%s is told once, and mended by its fixes', (_what, canvas, ...problems) => {
    const plain: unknown = JSON.parse(JSON.stringify(canvas));
    expect(errors(plain)).toEqual(problems);
    expect(errors(mend(plain))).toEqual([]);
  });

  it.each([
    ['loop', 'for-each'],
    ['forEach', 'for-each'],
    ['http', 'api'],
    ['httpRequest', 'api'],
    ['n8n-nodes-base.httpRequest', 'api'],
    ['if', 'condition'],
    ['router', 'switch'],
    ['llm', 'ai-task'],
    ['classifier', 'decide'],
    ['assistant', 'agent'],
    ['question', 'ask'],
    ['buttons', 'ask'],
    ['sendText', 'message'],
    ['wait', 'delay'],
    ['setVariable', 'set'],
    ['javascript', 'code'],
    ['human', 'handoff'],
    ['trigger', 'start'],
    ['stripe', 'payment'],
    ['constructor', undefined],
    ['httpIf', undefined], // two are meant
    ['', undefined],
  ])('the type %j is offered as %j', (type, meant) => {
    const [problem] = check({ ...sound, nodes: [start, { ...message, type }, end] }).filter(({ code }) => code === 'UNKNOWN_NODE_TYPE');
    expect(problem?.fixes?.map(({ label }) => label) ?? []).toEqual(meant === undefined ? [] : [`Make it a ${meant} node`]);
  });

  it('a kind under another name is told by its own', () => {
    const canvas = withNode('ask', { message: { type: 'text', text: 'A?' }, input: { type: 'number' } }, ['answered', 'invalid']);
    expect(check(canvas).map(({ message }) => message)).toEqual(['"input.kind" is missing; it is called "kind", not "type"']);
  });

  it('a node without an id is one problem, and no edge to it another', () => {
    expect(errors({ ...sound, nodes: [start, { type: 'message', data: message?.data }, end] })).toEqual(['INVALID_CANVAS /nodes/1/id']);
  });
});

describe('what is no canvas', () => {
  it.each([
    [
      'n8n',
      {
        name: 'A',
        nodes: [{ parameters: {}, id: 'a', name: 'Webhook', type: 'n8n-nodes-base.webhook', position: [0, 0] }],
        connections: {},
      },
    ],
    ['Typebot', { version: '6', id: 'x', events: [], groups: [], edges: [], variables: [] }],
    ['Botpress', { version: '2', flows: [] }],
    ['Twilio Studio', { states: [], initial_state: 'Trigger' }],
    ['Node-RED', [{ id: 'a', type: 'inject', wires: [['b']] }]],
    ['stands in "canvas"', { canvas: sound }],
    ['stands in a list', [sound]],
  ])('%s is said in one problem', (product, canvas) => {
    const problems = check(canvas);
    expect(problems.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(['INVALID_CANVAS ']);
    expect(problems[0]?.message).toContain(product);
  });
});
