// A receiver of the messages of a custom bot.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Json } from '@hilo/engine/contract';

interface Call {
  readonly key: string;
  readonly userId: string;
  readonly text: string;
  readonly messageId: string;
}

/**
 * A receiver of a custom bot's messages, with programmable answers and delays, which records messages in order.
 *
 * @param listensAt - a port; any free one when left out
 */
export async function receiver(
  answer: (call: Call, attempt: number, response: ServerResponse) => void | Promise<void> = (_call, _attempt, response) =>
    void response.end(),
  listensAt = 0,
) {
  const calls: Call[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      const { userId, message } = JSON.parse(body) as {
        readonly userId: string;
        readonly message: { readonly text: string; readonly messageId: string };
      };
      const call = { key: String(request.headers['idempotency-key']), userId, text: message.text, messageId: message.messageId };
      calls.push(call);
      return answer(call, calls.filter(({ key }) => key === call.key).length, response);
    });
  }).listen(listensAt, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const own: Json = {
    id: 'bot_own',
    name: 'Own',
    channel: 'custom',
    connectedAt: '2026-01-01T00:00:00Z',
    provider: { kind: 'custom', url: `http://127.0.0.1:${port}/in`, appSecret: 'custom-app-secret' },
  };
  return {
    calls,
    port,
    options: {
      settings: { egressAllow: [`127.0.0.1:${port}`] },
      changes: { '/companies/0/bots/-': own, '/companies/0/workflows/-': chatter },
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Says three things, one after the other. */
const chatter: Json = {
  publish: true,
  canvas: {
    schemaVersion: 1,
    id: 'chatter',
    name: 'Chatter',
    nodes: [
      { id: 'begin', type: 'start', data: {} },
      ...['1', '2', '3'].map((number) => ({
        id: `say${number}`,
        type: 'message',
        data: { message: { type: 'text', text: `workflow ${number}` } },
      })),
      { id: 'done', type: 'end' },
    ],
    edges: [
      { source: 'begin', target: 'say1' },
      { source: 'say1', sourceHandle: 'sent', target: 'say2' },
      { source: 'say2', sourceHandle: 'sent', target: 'say3' },
      { source: 'say3', sourceHandle: 'sent', target: 'done' },
    ],
  },
};
