/** An agent whose tools want a yes, and a form with free times: what comes of either is done once. */
import type { JsonObject } from '@hilo/engine/contract';

const sku = { sku: { type: 'text' } };
const confirm = { text: 'Shall I order {{$tool.sku}}?', yes: 'Yes', no: 'No' };

const say = (id: string, text: string): JsonObject => ({ id, type: 'message', data: { message: { type: 'text', text } } });

/** An agent with a tool of each kind: a workflow that moves money, and a tool of a server. */
const ordering = (host: string): JsonObject => ({
  schemaVersion: 1,
  id: 'ordering',
  name: 'Ordering',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['order'], match: 'words' } },
    {
      id: 'talk',
      type: 'agent',
      data: {
        model: { baseUrl: `http://${host}/v1`, name: 'small' },
        instructions: 'Take orders.',
        tools: [
          { kind: 'workflow', name: 'charge', description: 'Orders', workflowId: 'charge', inputs: sku, confirm, risk: 'money' },
          {
            kind: 'mcp',
            name: 'ship',
            description: 'Orders elsewhere',
            url: `http://${host}/mcp`,
            tool: 'ship',
            schema: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
            confirm,
          },
        ],
        exits: [
          { name: 'ordered', when: 'It is ordered.' },
          { name: 'left', when: 'They want none.' },
        ],
      },
    },
    say('thanks', 'It is ordered.'),
    say('bye', 'Bye.'),
    say('sorry', 'Sorry.'),
    { id: 'stop', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'talk' },
    { source: 'talk', sourceHandle: 'ordered', target: 'thanks' },
    { source: 'talk', sourceHandle: 'left', target: 'bye' },
    ...['limit', 'timeout', 'error'].map((sourceHandle) => ({ source: 'talk', sourceHandle, target: 'sorry' })),
    ...['thanks', 'bye', 'sorry'].flatMap((source) => ['sent', 'error'].map((sourceHandle) => ({ source, sourceHandle, target: 'stop' }))),
  ],
});

const charge = (host: string): JsonObject => ({
  schemaVersion: 1,
  id: 'charge',
  name: 'Charge',
  kind: 'tool',
  settings: { inputs: { sku: { type: 'string' } } },
  nodes: [
    { id: 'begin', type: 'start', data: {} },
    { id: 'pay', type: 'api', data: { method: 'POST', url: `http://${host}/shop`, body: { sku: '{{$input.sku}}' } } },
    { id: 'stop', type: 'end', data: { outputs: { ordered: true } } },
  ],
  edges: [
    { source: 'begin', target: 'pay' },
    { source: 'pay', sourceHandle: 'success', target: 'stop' },
  ],
});

const visiting = (host: string): JsonObject => ({
  schemaVersion: 1,
  id: 'visiting',
  name: 'Visiting',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['visit'] } },
    {
      id: 'when',
      type: 'ask',
      data: {
        message: {
          type: 'flow',
          text: 'When?',
          parameters: { flow_name: 'visit', flow_cta: 'Choose', flow_action: 'data_exchange' },
        },
        input: {
          kind: 'form',
          fields: { day: { type: 'date' }, time: { type: 'time' } },
          exchange: { workflowId: 'slots', context: { city: 'Lima' } },
        },
        saveAs: '$context.visit',
      },
    },
    {
      id: 'book',
      type: 'api',
      data: {
        method: 'POST',
        url: `http://${host}/shop`,
        body: { sku: '{{$user.id}}', when: '{{$context.visit.day}} {{$context.visit.time}}' },
      },
    },
    say('thanks', 'We come on {{$context.visit.day}} at {{$context.visit.time}}.'),
    say('sorry', 'Sorry.'),
    { id: 'stop', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'when' },
    { source: 'when', sourceHandle: 'answered', target: 'book' },
    { source: 'when', sourceHandle: 'invalid', target: 'sorry' },
    { source: 'when', sourceHandle: 'error', target: 'sorry' },
    { source: 'book', sourceHandle: 'success', target: 'thanks' },
    ...['thanks', 'sorry'].flatMap((source) => ['sent', 'error'].map((sourceHandle) => ({ source, sourceHandle, target: 'stop' }))),
  ],
});

/** What answers the screens of the form: it looks the free times up. */
const slots = (host: string): JsonObject => ({
  schemaVersion: 1,
  id: 'slots',
  name: 'Slots',
  kind: 'tool',
  settings: {
    inputs: {
      action: { type: 'string' },
      screen: { type: 'any', default: null },
      data: { type: 'object' },
      user: { type: 'any', default: null },
      context: { type: 'any', default: null },
    },
    outputs: { screen: { type: 'string' }, data: { type: 'object' } },
  },
  nodes: [
    { id: 'begin', type: 'start', data: {} },
    { id: 'look', type: 'api', data: { method: 'GET', url: `http://${host}/look/{{$input.user.id}}`, saveAs: '$context.found' } },
    {
      id: 'stop',
      type: 'end',
      data: { outputs: { screen: 'TIMES', data: { city: '{{$input.context.city}}', times: '{{$context.found.body.times}}' } } },
    },
  ],
  edges: [
    { source: 'begin', target: 'look' },
    { source: 'look', sourceHandle: 'success', target: 'stop' },
  ],
});

export const confirmedWorkflows = (host: string): readonly JsonObject[] => [charge, ordering, slots, visiting].map((make) => make(host));
