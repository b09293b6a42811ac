import { Duplex } from 'node:stream';

/** What a client library takes for a socket of its own. */
export type ClientStream = Duplex & {
  connect(): ClientStream;
  setNoDelay(): ClientStream;
  setKeepAlive(): ClientStream;
  setTimeout(): ClientStream;
  ref(): ClientStream;
  unref(): ClientStream;
};

/**
 * A connection that exists already, for a client that would rather open one: all that it could say of where to is heard and
 * not followed (P30). It breaks when more comes in than may, and when the client fails at what came in: no server ends this
 * process with what it says (P17).
 *
 * @param onExcess - called before it breaks for that reason
 * @param isRight - looks at what comes before the client does, and breaks the connection with false
 */
export function clientStream(
  socket: Duplex,
  maxBytes: number,
  onExcess: () => void,
  isRight: (chunk: Uint8Array) => boolean = () => true,
): ClientStream {
  let bytes = 0;
  const duplex = new Duplex({
    read: () => void socket.resume(),
    write: (chunk: Uint8Array, _encoding, done) => void socket.write(chunk, done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      onExcess();
      duplex.destroy();
    } else if (!isRight(chunk)) duplex.destroy(new Error('The server sent what it cannot mean'));
    else if (!duplex.push(chunk)) socket.pause();
  });
  socket.on('end', () => void duplex.push(null));
  socket.on('error', (error) => void duplex.destroy(error));
  socket.on('close', () => void duplex.destroy());

  const tell = duplex.emit.bind(duplex);
  const stream: ClientStream = Object.assign(duplex, {
    emit(event: string, ...given: readonly unknown[]): boolean {
      try {
        return tell(event, ...given);
      } catch (error) {
        duplex.destroy(error instanceof Error ? error : new Error(String(error)));
        return true;
      }
    },
    connect() {
      process.nextTick(() => stream.emit('connect'));
      return stream;
    },
    setNoDelay: () => stream,
    setKeepAlive: () => stream,
    setTimeout: () => stream,
    ref: () => stream,
    unref: () => stream,
  });
  return stream;
}
