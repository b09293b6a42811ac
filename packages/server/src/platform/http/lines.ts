import { HiloError } from '@hilo/engine';
import type { Context } from 'hono';
import type { HttpEnv } from './context.ts';

/** The media type of lines of JSON. */
const linesType = 'application/x-ndjson';

/**
 * Answers work that takes long by lines of JSON, the last of which is its result. What it is refused with before its first line is an answer
 * with that status; what it fails with after that is a last line with `error`. A caller who goes away ends it.
 *
 * @param work - gets what writes a line, which resolves once the caller has taken it
 */
export async function answerInLines<Result extends object>(
  c: Context<HttpEnv>,
  work: (write: (line: object) => Promise<void>) => Promise<Result>,
): Promise<Response> {
  const encoder = new TextEncoder();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const begun = Promise.withResolvers<void>();
  let isBegun = false;
  const write = (line: object): Promise<void> => {
    isBegun = true;
    begun.resolve();
    return writer.write(encoder.encode(`${JSON.stringify(line)}\n`));
  };
  const finish = async (): Promise<void> => {
    try {
      await write(await work(write));
    } catch (error) {
      if (!isBegun) return begun.reject(error);
      await write({
        error: error instanceof HiloError ? String(error.code) : 'INTERNAL',
        message: String(error instanceof Error ? error.message : error),
      });
    }
    return writer.close();
  };
  finish().catch(() => undefined); // the caller has gone
  await begun.promise;
  return c.body(readable, 200, { 'content-type': `${linesType}; charset=utf-8` });
}
