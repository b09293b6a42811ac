import { once } from 'node:events';
import { connect } from 'node:net';

/** A POST to 127.0.0.1, and what to do on its way. */
export interface HttpCall {
  readonly port: number;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
  /** Connected; half of the bytes sent; all sent; the answer received and not read. */
  readonly onProgress: (progress: 'connected' | 'half' | 'written' | 'answered') => void;
}

/** An HTTP call byte by byte, so that a process can die in the middle of it. */
export async function httpCall({
  port,
  path,
  headers,
  body,
  onProgress,
}: HttpCall): Promise<{ readonly status: number; readonly body: string }> {
  const lines = Object.entries({ host: '127.0.0.1', connection: 'close', 'content-length': String(Buffer.byteLength(body)), ...headers });
  const bytes = Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`);
  const half = Math.ceil(bytes.length / 2);
  const socket = connect(port, '127.0.0.1');
  const write = (part: Buffer) => new Promise<void>((resolve) => socket.write(part, () => resolve()));

  await once(socket, 'connect');
  onProgress('connected');
  await write(bytes.subarray(0, half));
  onProgress('half');
  await write(bytes.subarray(half));
  onProgress('written');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => {
    if (chunks.length === 0) onProgress('answered');
    chunks.push(chunk);
  });
  await once(socket, 'close');
  const [head = '', answer = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: answer };
}
