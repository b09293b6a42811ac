import { defineCanvas } from '@hilo/engine';
import { standardNodes } from '@hilo/nodes';
import { simulate } from '@hilo/testing';

const canvas = defineCanvas(standardNodes)({
  schemaVersion: 1,
  id: 'opening',
  name: 'Opening hours',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['hours'], match: 'words' } },
    { id: 'tell', type: 'message', data: { message: { type: 'text', text: 'From nine to six.' } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'tell' },
    { source: 'tell', sourceHandle: 'sent', target: 'done' },
  ],
});

const conversation = await simulate(canvas);
await conversation.says('Your hours?');
console.log(conversation.transcript());
