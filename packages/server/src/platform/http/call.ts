// The calls that two frames hand to one function: the framework's, for a host that mounts a surface, and Node's own server (node-frame.ts).
import type { Context } from 'hono';
import type { Entry } from './admission.ts';
import type { HttpEnv } from './context.ts';
import { readBody } from './read-body.ts';

/** A call as either frame hands it over: its head was read once, its body is still to come. */
export interface HttpCall {
  readonly method: string;
  /** By lower-case name; repeated headers are joined with commas. */
  readonly headers: { readonly [name: string]: string };
  readonly query: URLSearchParams;
  /**
   * Reads the body, counting its bytes.
   *
   * @throws {HttpError} 400, 413, 503 for a refused body
   */
  readonly readBody: (entry: Pick<Entry, 'take' | 'evicted'>) => Promise<Uint8Array>;
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

/** A call as the framework has it. */
export function callOf(c: Context<HttpEnv>): HttpCall {
  const { raw } = c.req;
  const headers: { [name: string]: string } = {};
  raw.headers.forEach((value, name) => {
    headers[name] = value;
  });
  const query = new URLSearchParams(/\?[^#]*/.exec(raw.url)?.[0] ?? '');
  return { method: c.req.method, headers, query, readBody: (entry) => readBody(c, entry) };
}

/** An answer as the framework wants it. */
export const responseOf = ({ status, headers, text }: HttpAnswer): Response => new Response(text, { status, headers });
