// A plain Node.js backend with a bot in it: POST /webhook starts the canvas, POST /message is what a user writes.
//   curl localhost:3000/webhook -d '{ "id": "A-7", "customer": { "phone": "51999000111" } }'
//   curl localhost:3000/message -d '{ "id": "m-1", "from": "51999000111", "text": "Yes" }'
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { createEngine, HiloError, isHiloError } from '@hilo/engine';
import { drive, sendMessage, standardNodes } from '@hilo/nodes';
import { openSqliteStore } from '@hilo/stores';
import { z } from 'zod';

const store = await openSqliteStore({ path: process.env['BOT_DB'] ?? './bot.db' });
const toConsole = drive(sendMessage, ({ message }, { userId, idempotencyKey }) => {
  console.log(`to ${userId}: ${JSON.stringify(message)}`); // a real bot calls its channel here, with the key
  return { kind: 'sent', messageId: idempotencyKey };
});
const engine = createEngine({ nodes: standardNodes, drivers: [toConsole], store });
const acme = engine.company('acme');
await acme.publish(readFileSync(process.argv[2] ?? new URL('../canvases/order-ready.json', import.meta.url), 'utf8')).catch(refuse);
await engine.start();
const Inbound = z.object({ id: z.string(), from: z.string(), text: z.string() }); // "id" is the channel's: a repetition has no consequence
async function answer({ method = '', url }: IncomingMessage, body: z.output<ReturnType<typeof z.json>>): Promise<object> {
  if (url === '/webhook') return acme.webhook('order-ready', { method, body }, { bot: 'web-bot' });
  const { id, from, text } = Inbound.parse(body);
  return acme.message({ bot: 'web-bot', deliveryId: id, user: { id: from }, message: { type: 'text', text } });
}
const server = createServer((request, response) => {
  const answered = json(request).then((body) => answer(request, z.json().parse(body)));
  const statusOf = (error: unknown): number => (error instanceof HiloError ? error.status : 400);
  answered.then((found) => response.end(JSON.stringify(found))).catch((error) => response.writeHead(statusOf(error)).end(String(error)));
}).listen(Number(process.env['PORT'] ?? 3000), () => console.log('listening on', server.address()));
process.once('SIGTERM', () => {
  server.close();
  void engine.stop({ drainMs: 5_000 }).then(() => store.close());
});
function refuse(error: unknown): never {
  if (!isHiloError(error, 'INVALID_CANVAS')) throw error;
  for (const { severity, pointer, message } of error.details.problems) console.error(`${severity} ${pointer}: ${message}`);
  process.exit(1);
}
