import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands between a client and a server, and can lose the answer to a commit. */
export interface CuttingProxy {
  /** The server's address, through the proxy. */
  readonly url: string;
  /** The next commit reaches the server; its answer does not come back: the connection breaks instead. */
  loseNextAnswer(): void;
  /** How many answers were lost. */
  lost(): number;
  close(): void;
}

/** @param url - the server's own address */
export async function startCuttingProxy(url: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isArmed = false;
  let lost = 0;

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isCommitting = false;
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) sockets.add(socket.on('error', cut).on('close', cut));
    client.on('data', (bytes) => {
      isCommitting = isArmed && bytes.includes('commit\0');
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (!isCommitting) {
        client.write(bytes);
        return;
      }
      isArmed = false;
      lost += 1;
      cut();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const through = new URL(url);
  const address = server.address();
  through.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  return {
    url: through.href,
    loseNextAnswer() {
      isArmed = true;
    },
    lost: () => lost,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
