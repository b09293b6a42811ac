import { createServer } from 'node:http';
import { join } from 'node:path';
import { createEngine } from '@hilo/engine';
import { drive, sendMessage, standardNodes } from '@hilo/nodes';
import { openSqliteStore } from '@hilo/stores';
import { createReadModel, restateRuntime, startDevServer } from '../src/index.ts';
import { talk } from './talk.ts';

// A process that is killed repeatedly: an engine whose lanes are in Restate. `node restate-process.ts DIRECTORY PROGRAM LEDGER` accepts
// messages by HTTP on a port that it reports to its parent, answers GET with the number of open executions, and posts sent messages to
// the ledger.
const [directory = '', program, ledger = ''] = process.argv.slice(2);

const store = await openSqliteStore({ path: join(directory, 'hilo.db') });
const engine = createEngine({
  nodes: standardNodes,
  store: createReadModel(store),
  runtime: restateRuntime(() => startDevServer({ directory: join(directory, 'restate'), store: 'hilo.db', program })),
  drivers: [
    drive(sendMessage, async ({ message }, { userId = '', executionId, nodeId, idempotencyKey }) => {
      if (userId === 'poison') process.kill(process.pid, 'SIGKILL');
      await fetch(ledger, { method: 'POST', body: JSON.stringify({ userId, executionId, nodeId, message, key: idempotencyKey }) });
      return { kind: 'sent', messageId: idempotencyKey };
    }),
  ],
});
const acme = engine.company('acme');
await acme.publish(talk);
await engine.start();

/** Executions that run or wait. */
async function countOpen(): Promise<number> {
  const pages = await Promise.all((['running', 'waiting'] as const).map((status) => store.executions.list('acme', { status, limit: 100 })));
  return pages.reduce((sum, { results }) => sum + results.length, 0);
}

const server = createServer((request, response) => {
  if (request.method === 'GET') return void countOpen().then((count) => response.end(String(count)));
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const { userId, text: said } = JSON.parse(body) as { readonly userId: string; readonly text: string };
    acme
      .message({ bot: 'bot', deliveryId: `${userId}:${said}`, user: { id: userId }, message: { type: 'text', text: said } })
      .then(({ outcome }) => response.end(outcome))
      .catch((error: unknown) => {
        response.statusCode = 503;
        response.end(String(error));
      });
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 });
});
