// A plain Node.js backend with a bot in it: POST /webhook starts the canvas, POST /message is what a user writes.
//   curl localhost:3000/webhook -d '{ "id": "A-7", "customer": { "phone": "51999000111" } }'
//   curl localhost:3000/message -d '{ "id": "m-1", "from": "51999000111", "text": "Yes" }'
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { systemClock } from '@hilo/drivers';
import { createEngine, parseCanvas } from '@hilo/engine';
import { drive, JsonObject } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { sendMessage } from '@hilo/nodes/effects';

const toConsole = drive(sendMessage, ({ message }, { origin, idempotencyKey }) => {
  console.log(`to ${origin.userId}: ${JSON.stringify(message)}`); // a real bot calls its channel here, with the key
  return { kind: 'sent', messageId: idempotencyKey };
});
const engine = createEngine({ nodes: standardNodes, drivers: [toConsole], clock: systemClock, random: { bytes: randomBytes } });
const bot = { companyId: 'acme', botId: 'web-bot' };
const hook = { workflowId: 'order-ready', nodeId: 'hook', route: 'production', channel: 'web' } as const;
const { canvas, problems } = parseCanvas(readFileSync(process.argv[2] ?? new URL('../canvases/order-ready.json', import.meta.url), 'utf8'));
const found = canvas === undefined ? problems : await engine.saveDraft(bot.companyId, canvas);
for (const { severity, pointer, message } of found) console.error(`${severity} ${pointer}: ${message}`);
if (found.some(({ severity }) => severity === 'error')) process.exit(1);
await engine.publish(bot.companyId, hook.workflowId);
await engine.run();

async function handle({ method = '', url }: IncomingMessage, body: JsonObject): Promise<object> {
  if (url === '/webhook') return engine.receiveWebhook({ ...bot, ...hook, request: { method, headers: {}, query: {}, body } });
  const { id: eventId, from: id, text = '' } = body;
  if (typeof id !== 'string' || typeof eventId !== 'string') throw new TypeError('Say in "from" whose message it is, and in "id" which');
  return engine.receiveMessage({ ...bot, eventId, user: { id }, message: { id: eventId, type: 'text', text } });
}

const server = createServer((request, response) => {
  const answered = json(request).then((body) => handle(request, JsonObject.parse(body)));
  answered.then((answer) => response.end(JSON.stringify(answer))).catch((error: unknown) => response.writeHead(400).end(String(error)));
});
server.listen(Number(process.env['PORT'] ?? 3000), () => console.log('listening on', server.address()));
