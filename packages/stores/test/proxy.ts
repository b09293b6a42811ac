import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** A place where clients of a server arrive instead. */
export interface Proxy {
  /** The server's address, through the proxy. */
  readonly url: string;
  /** Ends every connection through it. */
  close(): void;
}

/**
 * Listens on loopback in place of a server.
 *
 * @param url - the server's own address
 * @param sockets - all open connections, to be ended with the proxy
 * @param onClient - gets each client that connects
 */
export async function listenFor(url: string, sockets: ReadonlySet<Socket>, onClient: (client: Socket) => void): Promise<Proxy> {
  const server = createServer(onClient).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(url);
  const address = server.address();
  through.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  return {
    url: through.href,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * Cuts what one side of a PostgreSQL connection sends into messages, however its packets come.
 *
 * @param begins - whether the first message has no type, as a client's
 * @param onMessage - gets each message with its type, empty for that first one, and its bytes
 */
export function splitMessages(begins: boolean, onMessage: (type: string, bytes: Buffer) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = begins;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (let at = isFirst ? 0 : 1; rest.length >= at + 4 && rest.length >= at + rest.readInt32BE(at); at = 1) {
      const whole = rest.subarray(0, at + rest.readInt32BE(at));
      rest = rest.subarray(whole.length);
      isFirst = false;
      onMessage(at === 0 ? '' : String.fromCharCode(whole[0] ?? 0), whole);
    }
  };
}
