import { connect, type Socket } from 'node:net';

/** The answer to a request, read whole. */
export interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/** A connection that carries one request at a time. */
export interface RawConnection {
  /** @throws {Error} when the connection ends before the answer has come whole */
  request(path: string, headers: { readonly [name: string]: string }, body: string): Promise<RawAnswer>;
  close(): void;
}

/** All sockets of this process read into one buffer: what it holds is copied out before the next read. */
const received = Buffer.allocUnsafe(64 * 1024);

/**
 * POSTs over a bare socket: a caller that costs little leaves the processors to the servers, and an HTTP client of Node.js takes more
 * time than the fastest of them. It reads the answers that servers here give: a length or chunks, no other encoding.
 *
 * @param origin - such as `http://127.0.0.1:4650`
 */
export async function connectRaw(origin: string): Promise<RawConnection> {
  const { hostname, port, host } = new URL(origin);
  let waiting: { readonly resolve: (answer: RawAnswer) => void; readonly reject: (error: Error) => void } | undefined;
  let pending = '';
  let failure: Error | undefined;

  const take = (bytes: number): boolean => {
    pending += received.toString('latin1', 0, bytes);
    const answer = readAnswer(pending);
    if (answer === undefined) return true;
    pending = '';
    const { resolve } = waiting ?? {};
    waiting = undefined;
    resolve?.(answer);
    return true;
  };
  const fail = (error: Error): void => {
    failure ??= error;
    waiting?.reject(failure);
    waiting = undefined;
  };
  const socket = await new Promise<Socket>((resolve, reject) => {
    const opening = connect({ host: hostname, port: Number(port), noDelay: true, onread: { buffer: received, callback: take } });
    opening.once('connect', () => resolve(opening)).once('error', reject);
  });
  socket.on('error', fail).on('close', () => fail(new Error(`The connection to ${origin} ended`)));

  return {
    request: (path, headers, body) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure);
        waiting = { resolve, reject };
        let head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
        for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
        socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      }),
    close: () => void socket.removeAllListeners('close').destroy(),
  };
}

/** @param text - bytes as Latin-1. @returns `undefined` until the answer has come whole */
function readAnswer(text: string): RawAnswer | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const head = text.slice(0, headEnd);
  const status = Number(head.slice(9, 12));
  const bodyFrom = headEnd + 4;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const end = bodyFrom + Number(length);
    return text.length < end ? undefined : { status, text: decode(text.slice(bodyFrom, end)) };
  }
  const body = /\r\ntransfer-encoding: *chunked/i.test(head) ? readChunks(text, bodyFrom) : '';
  return body === undefined ? undefined : { status, text: decode(body) };
}

/** @returns the chunks joined; `undefined` until the last one has come */
function readChunks(text: string, from: number): string | undefined {
  let body = '';
  for (let at = from; ; ) {
    const lineEnd = text.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const bytes = Number.parseInt(text.slice(at, lineEnd), 16);
    const next = lineEnd + 2 + bytes + 2;
    if (text.length < next) return undefined;
    if (bytes === 0) return body;
    body += text.slice(lineEnd + 2, lineEnd + 2 + bytes);
    at = next;
  }
}

const decode = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();
