import { createEngine } from '@hilo/engine';
import { drive, sendMessage, standardNodes } from '@hilo/nodes';

// In memory, with the machine's time and randomness; `store`, `clock` and `random` are arguments as well.
const engine = createEngine({
  nodes: standardNodes,
  drivers: [drive(sendMessage, ({ message }, { idempotencyKey }) => (console.log(message), { kind: 'sent', messageId: idempotencyKey }))],
});
const acme = engine.company('acme');

await acme.publish({
  schemaVersion: 1,
  id: 'greet',
  name: 'Greet',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user' } },
    { id: 'tell', type: 'message', data: { message: { type: 'text', text: 'Order {{$webhook.order.body.id}} is ready.' } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'tell' },
    { source: 'tell', sourceHandle: 'sent', target: 'done' },
  ],
});
await acme.webhook('greet', { method: 'POST', body: { id: 'A-17', user: '593987654321' } }, { bot: 'bot' });
await engine.whenIdle();
