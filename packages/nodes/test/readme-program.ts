import { defineEffect, defineNode, drive, formatPath, leave, perform, Template, VariablePath } from '@hilo/engine/node-kit';
import { standardNodes } from '@hilo/nodes';
import { simulate } from '@hilo/testing';
import { z } from 'zod';

/** The effect of the node: its request, and every possible answer. */
const findCustomer = defineEffect('crm.find-customer', {
  request: z.strictObject({ phone: z.string() }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('found'), name: z.string() }),
    z.strictObject({ kind: z.literal('unknown') }),
  ]),
});

/** Looks up who has a phone number. */
const customer = defineNode({
  type: 'customer',
  config: z.strictObject({ phone: Template, saveAs: VariablePath }),
  visual: {
    label: 'Customer',
    category: 'integration',
    icon: 'contact',
    colour: '#0d9488',
    description: 'Looks up who has a phone number.',
  },
  ports: ['found', 'unknown'],
  optionalPorts: ['error'], // a driver that fails, hangs or answers rubbish leads there
  writes: ({ saveAs }) => ({ found: [formatPath(saveAs)] }), // lets publishing check after which ports it may be read
  run: ({ config: { phone, saveAs }, variables }) =>
    perform(findCustomer({ phone: phone(variables) }), (answer) =>
      answer.kind === 'found' ? leave('found', [{ path: saveAs, value: answer.name }]) : leave('unknown'),
    ),
});

/** Performs it. A real one calls its service here, and hands on the `idempotencyKey` of its second argument. */
const crm = drive(findCustomer, ({ phone }) => (phone === '51999' ? { kind: 'found', name: 'Ana' } : { kind: 'unknown' }));

const conversation = await simulate({
  nodes: [...standardNodes, customer],
  drivers: [crm],
  user: { id: '51999', phone: '51999' },
  canvases: [
    {
      schemaVersion: 1,
      id: 'greet',
      name: 'Greet',
      nodes: [
        { id: 'begin', type: 'start', data: { fallback: true } },
        { id: 'who', type: 'customer', data: { phone: '{{$user.phone}}', saveAs: '$context.name' } },
        { id: 'greet', type: 'message', data: { message: { type: 'text', text: 'Hello {{$context.name}}!' } } },
        { id: 'done', type: 'end' },
      ],
      edges: [
        { source: 'begin', target: 'who' },
        { source: 'who', sourceHandle: 'found', target: 'greet' },
        { source: 'who', sourceHandle: 'unknown', target: 'done' },
        { source: 'greet', target: 'done' },
      ],
    },
  ],
});
await conversation.says('hi');
console.log(conversation.transcript());
