// The floor: the work by hand on a bare `node:http` server, JSON in and JSON out. Nothing is checked and nothing is kept.
// Started as a program, this file is that server.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer, type Order } from './order.ts';
import type { Program } from './start-server.ts';

export const floor: Program = {
  title: 'floor: node:http by hand, nothing kept',
  files: {},
  args: () => [import.meta.filename],
  isUp: /listening at (\S+)/,
  path: '/order',
  calls: 'orders',
};

if (import.meta.main) serve();

function serve(): void {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      const text = JSON.stringify(request.url === '/messages' ? { success: true, messageId: randomUUID() } : answer(body as Order));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
      response.end(text);
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(`listening at http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}
