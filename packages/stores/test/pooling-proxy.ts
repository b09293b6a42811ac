import { connect, type Socket } from 'node:net';
import { listenFor, type Proxy, splitMessages } from './proxy.ts';

/** A connection to the server. */
interface Backend {
  readonly socket: Socket;
  /** Who gets its answers. */
  onMessage: (type: string, bytes: Buffer) => void;
}

const authenticated = message('R', Buffer.from([0, 0, 0, 0]));
const ready = message('Z', Buffer.from('I'));
/** A number that is no backend's, and a secret. */
const ownKey = message('K', Buffer.from([0x7f, 0xff, 0xff, 0xff, 1, 2, 3, 4]));

/**
 * Shares connections to a server as PgBouncer does in transaction mode: a client has one for each transaction.
 *
 * @param url - of a server that asks for no password
 */
export async function startPoolingProxy(url: string): Promise<Proxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const free: Backend[] = [];
  /** What it does not take of a connection's settings, as PgBouncer when it is told to ignore them. */
  const startup = Buffer.from(`user\0app\0database\0${new URL(url).pathname.slice(1)}\0client_encoding\0UTF8\0\0`);

  const openBackend = async (): Promise<Backend> => {
    const socket = connect(Number(port), hostname);
    sockets.add(socket.on('error', () => undefined));
    const backend: Backend = { socket, onMessage: () => undefined };
    const isReady = new Promise<void>((resolve) => (backend.onMessage = (type) => type === 'Z' && resolve()));
    socket.on(
      'data',
      splitMessages(false, (type, bytes) => backend.onMessage(type, bytes)),
    );
    socket.write(Buffer.concat([sized(Buffer.concat([Buffer.from([0, 3, 0, 0]), startup]))]));
    await isReady;
    return backend;
  };

  return listenFor(url, sockets, (client) => {
    sockets.add(client.on('error', () => undefined));
    let held: Promise<Backend> | undefined;
    /** Answers that are due: the server is `ready` once for each. */
    let due = 0;
    const hold = async (): Promise<Backend> => {
      const backend = free.pop() ?? (await openBackend());
      backend.onMessage = (type, bytes) => {
        client.write(bytes);
        if (type === 'Z') due -= 1;
        if (type !== 'Z' || due > 0 || bytes.at(-1) !== 'I'.charCodeAt(0)) return;
        held = undefined;
        free.push(backend); // the last one is the next one's
      };
      return backend;
    };
    const forward = async (type: string, bytes: Buffer): Promise<void> => {
      if (type === '') return void client.write(Buffer.concat([authenticated, ownKey, ready]));
      if (type === 'X') return void client.end();
      if (type === 'Q' || type === 'S') due += 1;
      held ??= hold();
      (await held).socket.write(bytes);
    };
    client.on(
      'data',
      splitMessages(true, (type, bytes) => void forward(type, bytes)),
    );
  });
}

function message(type: string, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), sized(content)]);
}

function sized(content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([length, content]);
}
