// A double of the WhatsApp Cloud API that takes every message at once. Started as a program, this file is that server.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Program } from './start-server.ts';

export const whatsappDouble: Program = {
  title: 'a double of WhatsApp',
  files: {},
  args: () => [import.meta.filename],
  isUp: /listening at (\S+)/,
  path: '/',
  calls: 'messages',
};

if (import.meta.main) serve();

function serve(): void {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      count += 1;
      const contacts = [{ input: '5215512345678', wa_id: '5215512345678' }];
      const text = JSON.stringify({ messaging_product: 'whatsapp', contacts, messages: [{ id: `wamid.${count}` }] });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
      response.end(text);
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(`listening at http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}
