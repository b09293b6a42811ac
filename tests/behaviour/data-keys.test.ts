import type { JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import { userId } from '../examples/example-canvases.ts';

/** A canvas that takes a request, calls an API with its body, stores and compares the answer, and returns all of it. */
const canvas = {
  schemaVersion: 1,
  id: 'echo',
  name: 'Echo',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'in', methods: ['POST'] } },
    {
      id: 'call',
      type: 'api',
      data: { method: 'POST', url: 'https://a.example', body: '{{$webhook.in.body.data}}', saveAs: '$context.answer' },
    },
    {
      id: 'keep',
      type: 'set',
      data: {
        assignments: [
          { path: '$context.copy', value: { inside: ['{{$webhook.in.body.data}}'], keys: '{{keys($webhook.in.body.data)}}' } },
          { path: '$context.picked', value: '{{$webhook.in.body.data.map(k, $webhook.in.body.data[k])}}' },
        ],
      },
    },
    {
      id: 'same',
      type: 'condition',
      data: { branches: [{ name: 'yes', rule: { op: 'eq', left: '$webhook.in.body.data', right: '{{$context.answer.body}}' } }] },
    },
    { id: 'tell', type: 'log', data: { name: 'echo', data: { copy: '{{$context.copy}}', text: '<{{$context.answer.body}}>' } } },
    {
      id: 'done',
      type: 'end',
      data: {
        outputs: {
          body: '{{$webhook.in.body.data}}',
          answer: '{{$context.answer.body}}',
          copy: '{{$context.copy}}',
          picked: '{{$context.picked}}',
        },
      },
    },
    { id: 'other', type: 'end', data: { outcome: 'failed' } },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'call' },
    { source: 'call', sourceHandle: 'success', target: 'keep' },
    { source: 'keep', target: 'same' },
    { source: 'same', sourceHandle: 'yes', target: 'tell' },
    { source: 'same', sourceHandle: 'else', target: 'other' },
    { source: 'tell', target: 'done' },
  ],
};

const key = fc.constantFrom('constructor', 'then', 'toJSON', 'valueOf', 'length', 'hasOwnProperty', '$ref', 'type');
const { data } = fc.letrec((tie) => ({
  data: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, 1, 'then', { prototype: {} }),
    fc.dictionary(key, tie('data'), { maxKeys: 5 }),
    fc.array(tie('data'), { maxLength: 2 }),
  ),
}));
const object = fc.dictionary(key, data, { maxKeys: 8 }) as fc.Arbitrary<JsonObject>;

describe('keys of a request and of an answer that mean something to JavaScript', () => {
  const echo = async (sent: JsonObject) => {
    const conversation = await simulate(canvas);
    await conversation.webhook({ query: { userId }, body: { data: sent } });
    await conversation.apiAnswers({ status: 200, body: sent });
    return conversation.transcript();
  };

  it('are data on their whole way', () =>
    fc.assert(
      fc.asyncProperty(object, async (sent) => {
        const outputs = { body: sent, answer: sent, copy: { inside: [sent], keys: Object.keys(sent) }, picked: Object.values(sent) };
        expect(await echo(sent)).toContain(`ended: completed ${JSON.stringify(outputs)}`);
      }),
      { numRuns: 50, examples: [[{ constructor: { prototype: {} } }]] },
    ));
});
