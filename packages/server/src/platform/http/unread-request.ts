// What a connection gets in place of an answer when no request of it could be read: too slow, malformed, or without a place.
import type { Duplex } from 'node:stream';
import { RequestError } from '@hono/node-server';
import { internalError } from './errors.ts';
import { httpLimits } from './limits.ts';

/** The body of a 400 or 408 in its usual shape. */
export const invalidBody = (message: string) => ({ error: 'INVALID_REQUEST', message });

export const headTooLarge = `The head of the request is larger than ${httpLimits.headBytes} bytes`;
export const tooLate = 'The request did not come whole in time';

const reasons: { readonly [code: string]: string } = {
  HPE_HEADER_OVERFLOW: headTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: tooLate,
};

/**
 * Ends a connection whose request Node's parser gave up: with a 400, with a 408 for one that came too slowly, or without a word where nothing came on it. Browsers open
 * connections in advance, and take whatever came on one for the answer to the request that they send on it later.
 */
export function endUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
  const isUnused = 'bytesRead' in socket && socket.bytesRead === 0;
  if (error.code === 'ECONNRESET' || !socket.writable || isUnused) socket.destroy();
  else socket.end(formatRaw(reasons[error.code ?? ''] ?? 'This is not a valid HTTP request'));
}

/** Ends a connection on which another host is asked for. */
export const refuseProxying = (socket: Duplex): void => void socket.end(formatRaw('The address must be a path that begins with "/"'));

/** The answer to a request that the listener could not make one of. */
export const answerUnreadable = (error: unknown): Response =>
  error instanceof RequestError
    ? Response.json(invalidBody('The Host header or the address is not valid'), { status: 400 })
    : Response.json(internalError, { status: 500 });

/** A raw HTTP response, for a connection without a request that could be answered: 408 for one that came too slowly, else 400. */
export function formatRaw(message: string): string {
  const body = JSON.stringify(invalidBody(message));
  const lines = [
    `HTTP/1.1 ${message === tooLate ? '408 Request Timeout' : '400 Bad Request'}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** How many connections without a place are heard out at once. */
const maxHeard = 64;
const hearMs = 1_000;

/**
 * Hears out connections for which there is no place: the request on one is answered with a refusal, which closes it. One without a
 * request within a second, and the oldest of more than 64, end without a word.
 *
 * @param limitMs - a second when left out
 * @returns takes a connection
 */
export function createHearing(limitMs = hearMs): (socket: Duplex) => void {
  const heard = new Set<Duplex>();
  return (socket) => {
    const [oldest] = heard;
    if (heard.size >= maxHeard) oldest?.destroy();
    const timer = setTimeout(() => socket.destroy(), limitMs);
    heard.add(socket);
    socket.once('close', () => {
      clearTimeout(timer);
      heard.delete(socket);
    });
  };
}
