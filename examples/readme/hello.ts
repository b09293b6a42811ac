import { simulate } from '@hilo/testing';

const conversation = await simulate({
  schemaVersion: 1,
  id: 'hello',
  name: 'Hello',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    {
      id: 'who',
      type: 'ask',
      data: { message: { type: 'text', text: 'Who are you?' }, input: { kind: 'text' }, saveAs: '$context.name', timeout: 'P21D' },
    },
    { id: 'greet', type: 'message', data: { message: { type: 'text', text: 'Hello {{$context.name}}!' } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'who' },
    { source: 'who', sourceHandle: 'answered', target: 'greet' },
    { source: 'greet', sourceHandle: 'sent', target: 'done' },
  ],
});
await conversation.says('hi');
await conversation.passes('P14D');
await conversation.says('Ana');
console.log(conversation.transcript());
