import { Duplex } from 'node:stream';
import type { Json } from '@hilo/engine/contract';

/** The socket interface that client libraries expect. */
export type ClientStream = Duplex & {
  connect(): ClientStream;
  setNoDelay(): ClientStream;
  setKeepAlive(): ClientStream;
  setTimeout(): ClientStream;
  ref(): ClientStream;
  unref(): ClientStream;
};

/**
 * An existing connection, for a client that would open one itself: the destination that the client chooses is ignored (P30). The
 * connection breaks when more arrives than the limit, and when the client throws on what arrived: no server can end this process by what
 * it sends (P17).
 *
 * @param onExcess - called before it breaks for that reason
 * @param isRight - inspects data before the client does, and breaks the connection by returning false
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

/**
 * A value of a client library as JSON: bytes as base64, an instant as ISO 8601, and a whole number that JSON cannot hold
 * exactly as the text it is.
 */
export function convertToJson(value: unknown): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
    case 'object':
      return convertObject(value);
    default:
      return null;
  }
}

function convertObject(value: object | null): Json {
  if (value === null) return null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map(convertToJson);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, convertToJson(item)]));
}

/** `E`, an error, and `N`, a notice. */
const reports: ReadonlySet<number> = new Set([0x45, 0x4e]);
const headBytes = 5;

/**
 * Inspects data of a PostgreSQL server before its client does: the client would read an endless error or notice for ever, and block this
 * process (P20). Other malformed data makes the client throw, which breaks the connection.
 *
 * @returns a function that is called with all data, in order: false when it is no valid message
 */
export function createMessageCheck(): (chunk: Uint8Array) => boolean {
  let head: number[] = [];
  let left = 0;
  /** The position inside a report: before the letter of a field, in its text, or after the last; `undefined` in other messages. */
  let place: 'field' | 'text' | 'end' | undefined;

  /** A letter for the kind, and the length of what follows with its own four bytes. */
  const begin = (kind: number, length: number): boolean => {
    head = [];
    left = length - 4;
    place = reports.has(kind) ? 'field' : undefined;
    return left > 0 || (left === 0 && place === undefined);
  };
  const read = (part: Uint8Array): boolean => {
    left -= part.length;
    if (place === undefined) return true;
    for (const byte of part) if (place !== 'end') place = byte !== 0 ? 'text' : place === 'field' ? 'end' : 'field';
    return left > 0 || place === 'end';
  };

  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (left > 0) {
        const part = chunk.subarray(at, at + left);
        at += part.length;
        if (!read(part)) return false;
      } else {
        head.push(chunk[at] ?? 0);
        at += 1;
        const [kind = 0, ...length] = head;
        if (head.length === headBytes && !begin(kind, Buffer.from(length).readUInt32BE())) return false;
      }
    }
    return true;
  };
}
