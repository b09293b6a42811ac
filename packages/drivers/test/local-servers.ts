import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';

/** A request that a server got, whole. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server on a free port of this machine. */
export interface LocalServer {
  readonly port: number;
  /** `127.0.0.1:port`, as an allow list names it. */
  readonly host: string;
  /** Every connection so far, with what came over it where that is kept. */
  readonly connections: readonly Socket[];
  close(): Promise<void>;
}

export interface HttpServer extends LocalServer {
  /** Every request so far, in order. */
  readonly received: readonly Received[];
}

type Answer = (request: Received, response: ServerResponse) => void;

const keepsRequests = (answer: Answer) => {
  const received: Received[] = [];
  const listener = (message: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const { method = '', url = '', headers } = message;
      const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
      received.push(request);
      answer(request, response);
    });
  };
  return { received, listener };
};

export async function startHttp(answer: Answer): Promise<HttpServer> {
  const { received, listener } = keepsRequests(answer);
  return { ...(await listening(createHttpServer(listener))), received };
}

export async function startHttps(tls: ServerOptions, answer: Answer): Promise<HttpServer> {
  const { received, listener } = keepsRequests(answer);
  return { ...(await listening(createHttpsServer(tls, listener))), received };
}

/** A server that says what it likes, HTTP or not. */
export const startTcp = (talk: (socket: Socket) => void): Promise<LocalServer> => listening(createTcpServer(talk));

async function listening(server: Server): Promise<LocalServer> {
  const connections: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    connections.push(socket);
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return {
    port: address.port,
    host: `127.0.0.1:${address.port}`,
    connections,
    async close() {
      for (const socket of connections) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
