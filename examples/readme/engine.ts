import { createEngine, parseCanvas } from '@hilo/engine';
import { drive } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { sendMessage } from '@hilo/nodes/effects';

// Time, randomness and drivers are arguments: this is where they come from in a real process.
const engine = createEngine({
  nodes: standardNodes,
  drivers: [drive(sendMessage, ({ message }, { idempotencyKey }) => (console.log(message), { kind: 'sent', messageId: idempotencyKey }))],
  clock: { now: Date.now, setTimeout, clearTimeout: (timer) => clearTimeout(Number(timer)) },
  random: { bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) },
});

const { canvas } = parseCanvas(`{
  "schemaVersion": 1, "id": "greet", "name": "Greet",
  "nodes": [
    { "id": "hook", "type": "webhook", "data": { "variableName": "order", "methods": ["POST"], "userIdPath": "user" } },
    { "id": "tell", "type": "message", "data": { "message": { "type": "text", "text": "Order {{$webhook.order.body.id}} is ready." } } },
    { "id": "done", "type": "end" }
  ],
  "edges": [{ "source": "hook", "sourceHandle": "new", "target": "tell" }, { "source": "tell", "sourceHandle": "sent", "target": "done" }]
}`);
if (canvas !== undefined) await engine.saveDraft('acme', canvas);
await engine.publish('acme', 'greet');
await engine.receiveWebhook({
  companyId: 'acme',
  workflowId: 'greet',
  nodeId: 'hook',
  route: 'production',
  channel: 'web',
  botId: 'bot',
  request: { method: 'POST', headers: {}, query: {}, body: { id: 'A-17', user: '593987654321' } },
});
await engine.whenIdle();
