import { expect, it } from 'vitest';
import { portKey } from '../canvas/canvas-json.ts';
import { flowOf } from '../canvas/flow.ts';
import { withOpenStubs } from './use-stubs.ts';

const canvas = {
  id: 'a',
  name: 'A',
  schemaVersion: 1,
  nodes: [
    { id: 'ask', type: 'ask', data: {} },
    { id: 'tell', type: 'message', data: {} },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'ask', sourceHandle: 'answered', target: 'tell' },
    { source: 'ask', sourceHandle: 'timeout', target: 'done' },
    { source: 'ask', sourceHandle: 'error', target: 'done' },
  ],
} as const;
const described = new Map([
  [
    'ask',
    {
      nodeId: 'ask',
      ports: [
        { name: 'answered', isRequired: true, isConnected: true },
        { name: 'timeout', isRequired: false, isConnected: true },
        { name: 'error', isRequired: false, isConnected: true },
      ],
      always: [],
      sometimes: [],
    },
  ],
]);

it('a stub that is opened is a wire; all else keeps its identity', () => {
  const flow = flowOf(canvas, { catalogue: new Map(), described });
  const shown = withOpenStubs(flow, new Set([portKey('ask', 'timeout'), portKey('ask', 'answered'), portKey('gone', 'timeout')]));
  expect(shown.wires).toEqual([
    ...flow.wires,
    { id: portKey('ask', 'timeout'), source: 'ask', port: 'timeout', target: 'done', kind: 'optional' },
  ]);
  expect(shown.cards[0]?.ports.map(({ name, isStub }) => [name, isStub])).toEqual([
    ['answered', false],
    ['timeout', false],
    ['error', true],
  ]);
  expect(shown.cards.slice(1)).toEqual(flow.cards.slice(1));
  expect(shown.cards.slice(1).every((card, index) => card === flow.cards[index + 1])).toBe(true);
  expect(withOpenStubs(flow, new Set())).toBe(flow);
});
