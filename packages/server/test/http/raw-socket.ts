import { connect } from 'node:net';

/** The bytes received until the server closed the connection. */
export interface RawAnswer {
  readonly status: number;
  /** The body of the first answer, as JSON. */
  readonly body: unknown;
  readonly text: string;
}

/**
 * Sends bytes as they are and reads until the server closes the connection.
 *
 * @param parts - written one after the other; `null` ends our side, a promise is waited for
 */
export async function sendRaw(port: number, ...parts: readonly (string | Buffer | null | Promise<unknown>)[]): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {}); // a connection that is cut is an answer as well
  for (const part of parts) {
    if (part instanceof Promise) await part;
    else if (part === null) socket.end();
    else socket.write(part);
  }
  await closed;
  const text = Buffer.concat(chunks).toString();
  const [head = '', rest = ''] = text.split(/\r\n\r\n(.*)/s);
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? rest.length);
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), body: jsonOf(rest.slice(0, length)), text };
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
