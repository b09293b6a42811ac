// Bodies that stay the same while a service runs, such as the description of its interface: each is made, encoded and compressed once. A
// megabyte that is written or compressed anew for each of hundreds of requests holds up everybody else.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'hono';
import type { HttpEnv } from './context.ts';

/** A body that is made at its first request, and kept. */
export interface KeptBody {
  /** Answers with it, compressed for whoever takes that. @param headers - with its content type */
  send(c: Context<HttpEnv>, headers: Readonly<Record<string, string>>): Promise<Response>;
}

const compress = promisify(gzip);

/** Whether a caller takes gzip: named, and not with the quality 0. */
export const takesGzip = (c: Context<HttpEnv>): boolean =>
  /\bgzip\b(?! ?; ?q=0(?:\.0{1,3})? ?(?:,|$))/i.test(c.req.header('accept-encoding') ?? '');

/** @param make - the text of the body; called again where it failed */
export function keepBody(make: () => string | Promise<string>): KeptBody {
  const plain = keep(async () => new TextEncoder().encode(await make()));
  const packed = keep(async () => new Uint8Array(await compress(await plain())));
  return {
    async send(c, headers) {
      const vary = { ...headers, vary: 'Accept-Encoding' };
      return takesGzip(c) ? c.body(await packed(), 200, { ...vary, 'content-encoding': 'gzip' }) : c.body(await plain(), 200, vary);
    },
  };
}

function keep<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let kept: Promise<Value> | undefined;
  return () =>
    (kept ??= make().catch((error: unknown) => {
      kept = undefined;
      throw error;
    }));
}
