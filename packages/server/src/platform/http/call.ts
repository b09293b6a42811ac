// What a handler takes and returns that both Hono and Node's own server call (node-handler.ts).
import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';
import type { Entry } from './admission.ts';
import type { HttpEnv } from './context.ts';
import { readBody } from './read-body.ts';
import { readClientAddress } from './socket-address.ts';

/** A request whose head was read and whose body is unread. */
export interface HttpCall {
  readonly method: string;
  /** By lower-case name; repeated headers are joined with commas. */
  readonly headers: { readonly [name: string]: string };
  readonly query: URLSearchParams;
  /** The address of the caller, to which limits by network count; `undefined` where there is no connection. */
  readonly clientAddress: string | undefined;
  /**
   * Reads the body, counting its bytes.
   *
   * @throws {HttpError} 400, 413, 503 for a refused body
   */
  readonly readBody: (entry: Pick<Entry, 'take' | 'evicted'>) => Promise<Uint8Array>;
  /** Calls the listener when the connection closes before the answer. @returns removes the listener */
  readonly onClosed: (listener: () => void) => () => void;
}

/** The answer to a call, before the common headers are added. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** Null for an answer without a body. */
  readonly text: string | null;
}

/** An answer in JSON. */
export const jsonAnswer = (status: number, body: unknown, headers: HttpAnswer['headers'] = {}): HttpAnswer => ({
  status,
  headers: { ...headers, 'content-type': 'application/json' },
  text: JSON.stringify(body),
});

/** The call of a Hono request. */
export function readCall(c: Context<HttpEnv>): HttpCall {
  const { raw } = c.req;
  const headers: { [name: string]: string } = {};
  raw.headers.forEach((value, name) => {
    headers[name] = value;
  });
  const query = new URLSearchParams(/\?[^#]*/.exec(raw.url)?.[0] ?? '');
  return {
    method: c.req.method,
    headers,
    query,
    clientAddress: readClientAddress(c),
    readBody: (entry) => readBody(c, entry),
    onClosed: (listener) => (c.env?.outgoing === undefined ? onAborted(raw.signal, listener) : onClosed(c.env.outgoing, listener)),
  };
}

/** Follows the connection of an answer: `close` comes after an answer was sent as well, when nobody listens any more. */
export function onClosed(outgoing: Pick<ServerResponse, 'closed' | 'once' | 'off'>, listener: () => void): () => void {
  if (outgoing.closed) listener();
  else outgoing.once('close', listener);
  return () => void outgoing.off('close', listener);
}

function onAborted(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** The Hono response of an answer. */
export const createResponse = ({ status, headers, text }: HttpAnswer): Response => new Response(text, { status, headers });
