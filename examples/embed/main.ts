// A plain Node.js backend with a bot in it: POST /webhook starts the canvas, POST /message is what a user writes.
//   curl localhost:3000/webhook -d '{ "id": "A-7", "customer": { "phone": "51999000111" } }'
//   curl localhost:3000/message -d '{ "from": "51999000111", "text": "Yes" }'
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { createEngine, parseCanvas } from '@hilo/engine';
import { type Driver, drive, JsonObject } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { sendMessage } from '@hilo/nodes/effects';

const toConsole: Driver<typeof sendMessage> = ({ message }, { origin }) => {
  console.log(`to ${origin.userId}: ${JSON.stringify(message)}`); // a real bot calls its channel here
  return { kind: 'sent', messageId: randomUUID() };
};
const [drivers, random] = [[drive(sendMessage, toConsole)], { bytes: randomBytes }];
const clock = { now: Date.now, setTimeout, clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout) };
const engine = createEngine({ nodes: standardNodes, drivers, clock, random });
const bot = { companyId: 'acme', botId: 'web-bot' };
const hook = { workflowId: 'order-ready', nodeId: 'hook', route: 'production', channel: 'web' } as const;
const { canvas } = parseCanvas(readFileSync(new URL('../canvases/order-ready.json', import.meta.url), 'utf8'));
if (canvas !== undefined) await engine.saveDraft(bot.companyId, canvas);
await engine.publish(bot.companyId, hook.workflowId); // refuses a canvas that has a problem
await engine.run();

async function handle({ method = '', url }: IncomingMessage, body: JsonObject): Promise<object> {
  if (url === '/webhook') return engine.receiveWebhook({ ...bot, ...hook, request: { method, headers: {}, query: {}, body } });
  const { from: id, text = '' } = body;
  if (typeof id !== 'string') throw new TypeError('Say in "from" whose message it is');
  return engine.receiveMessage({ ...bot, eventId: randomUUID(), user: { id }, message: { type: 'text', text } });
}

const server = createServer((request, response) => {
  const accepted = json(request).then((body) => handle(request, JsonObject.parse(body)));
  const refuse = (error: unknown) => response.writeHead(400).end(String(error));
  accepted.then((answer) => response.end(JSON.stringify(answer)), refuse);
});
server.listen(Number(process.env['PORT'] ?? 3000), () => console.log('listening on', server.address()));
