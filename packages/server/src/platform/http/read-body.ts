import { encodingProblem, utf8 } from '@hilo/engine';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, HonoRequest, MiddlewareHandler } from 'hono';
import type { Admission, Entry } from './admission.ts';
import { type BodyWait, countWait } from './body-deadlines.ts';
import type { HttpEnv } from './context.ts';
import { httpLimits } from './limits.ts';
import { invalidRequest, HttpError, tooLarge, unauthorized } from './errors.ts';

/** A request whose body is unread. */
interface Unread extends Pick<Context<HttpEnv>, 'env'> {
  readonly req: Pick<HonoRequest, 'raw'>;
}

/**
 * The bytes of a body, up to 1 MB or `maxBytes`, counted as they arrive, regardless of `Content-Length` (P33). Hono's `bodyLimit` bounds
 * each body alone, not all of them together.
 *
 * @throws {HttpError} 413 over the limit, 400 for a truncated or encoded body, 503 when requests together hold too many bytes
 */
export async function readBody(
  c: Unread,
  entry: Pick<Entry, 'take' | 'evicted'>,
  maxBytes: number = httpLimits.bodyBytes,
): Promise<Uint8Array> {
  const { raw } = c.req;
  try {
    refuseEncoded(raw.headers.get('content-encoding'));
    const announced = announcedBytes(raw.headers.get('content-length'), maxBytes);
    // Node's parser never passes more bytes than announced, so a small announced body needs no counting.
    if (announced === undefined || announced > httpLimits.smallBodyBytes || c.env?.incoming === undefined)
      return await unlessEvicted(entry, readCounting(raw.body, entry, maxBytes));
    entry.take(announced);
    return new Uint8Array(await unlessEvicted(entry, raw.arrayBuffer()));
  } catch (error) {
    // The rest of the body is not read: the connection ends with the answer, which says so in its headers.
    if (c.env?.outgoing !== undefined) c.env.outgoing.shouldKeepAlive = false;
    throw error instanceof HttpError ? error : invalidRequest('The body ended before it was complete');
  }
}

/**
 * The same of Node's own request, into one buffer.
 *
 * @throws {HttpError} as `readBody`
 */
export async function readIncoming(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  entry: Pick<Entry, 'take' | 'evicted'>,
): Promise<Uint8Array> {
  const { headers } = incoming;
  try {
    refuseEncoded(headers['content-encoding'] ?? null);
    const announced = announcedBytes(headers['content-length'] ?? null);
    const isSmall = announced !== undefined && announced <= httpLimits.smallBodyBytes;
    if (isSmall) entry.take(announced);
    if (incoming.destroyed) throw invalidRequest('The body ended before it was complete');
    return await new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      let isWhole = false;
      const stop = (error: unknown): void => {
        incoming.off('data', take).resume(); // discards the rest, until the answer has ended the connection
        reject(error);
      };
      const take = (chunk: Buffer): void => {
        try {
          bytes += chunk.byteLength;
          if (bytes > httpLimits.bodyBytes) throw tooLargeBody(httpLimits.bodyBytes);
          if (!isSmall) entry.take(chunk.byteLength);
          chunks.push(chunk);
        } catch (error) {
          stop(error);
        }
      };
      entry.evicted?.catch(stop);
      incoming.on('data', take);
      incoming.on('end', () => {
        isWhole = true;
        resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, bytes));
      });
      incoming.on('close', () => {
        if (!isWhole) reject(invalidRequest('The body ended before it was complete'));
      });
    });
  } catch (error) {
    outgoing.shouldKeepAlive = false;
    throw error instanceof HttpError ? error : invalidRequest('The body ended before it was complete');
  }
}

/** Whether a request has a body, which may be empty where its length is not announced. */
export const hasBody = (c: Pick<Context<HttpEnv>, 'env' | 'req'>): boolean =>
  c.env?.incoming === undefined
    ? c.req.raw.body !== null
    : c.req.header('transfer-encoding') !== undefined || (c.req.header('content-length') ?? '0') !== '0';

/** @throws {HttpError} 400 */
function refuseEncoded(encoding: string | null): void {
  const problem = encodingProblem(encoding);
  if (problem !== undefined) throw invalidRequest(problem);
}

const unlessEvicted = <Read>({ evicted }: Pick<Entry, 'evicted'>, reading: Promise<Read>): Promise<Read> =>
  evicted === undefined ? reading : Promise.race([reading, evicted]);

/** Methods of which a `Request` has no body, or cannot be at all. No route takes a `TRACE`. */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'TRACE']);

/**
 * Limits the body of an operator's request, read as text. The handler reads it only after it has found the resource, so that errors in
 * the body do not reveal what exists (GEN-09).
 */
export const limitTextBody =
  (admission: Admission): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    if (bodiless.has(c.req.method)) return next();
    const entry = admission.enter({ kind: 'known', holder: 'operators' });
    try {
      const { env } = c;
      const { raw } = c.req;
      const text = async function* () {
        const waits = env?.incoming?.complete !== true;
        const body = utf8(await readBody({ env, req: { raw } }, entry));
        if (waits) await requireUnchanged(c);
        yield Buffer.from(body);
      };
      const { url, method, headers } = raw;
      c.req.raw = new Request(url, { method, headers, body: ReadableStream.from(text()), duplex: 'half' });
      return await next();
    } finally {
      entry.leave();
    }
  };

/**
 * Refuses what came so slowly that its operator may do less by now, or is nobody any more: a body may take minutes.
 *
 * @throws {HttpError} 401
 */
async function requireUnchanged(c: Context<HttpEnv>): Promise<void> {
  if ((await c.get('isUnchanged')?.()) === false)
    throw unauthorized('What this credential may do has changed while the body came: send the request again');
}

/** A stream asks again after so many bytes, and at its end. */
const bytesUnasked = 4_194_304;

/**
 * Lets an operator's handler stream a body of up to `maxBytes`, holding one chunk at a time.
 */
export const streamBody =
  (admission: Pick<Admission, 'enter'>, maxBytes: number): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    if (bodiless.has(c.req.method)) return next();
    const { raw } = c.req;
    refuseEncoded(raw.headers.get('content-encoding'));
    const entry = admission.enter({ kind: 'known', holder: 'operators' });
    try {
      const { url, method, headers } = raw;
      const wait = c.env?.incoming === undefined ? undefined : countWait(c.env.incoming);
      const isWhole = c.env?.incoming?.complete === true;
      const body = ReadableStream.from(countBytes(raw.body, maxBytes, wait, isWhole ? async () => {} : () => requireUnchanged(c)));
      c.req.raw = new Request(url, { method, headers, body, duplex: 'half' });
      return await next();
    } finally {
      entry.leave();
      // What a refusal left unread is not read: the connection ends with the answer.
      if (c.env?.outgoing !== undefined && c.env.incoming?.readableEnded === false) c.env.outgoing.shouldKeepAlive = false;
    }
  };

/** @throws {HttpError} 413 over the limit, 400 for a body that is cut */
async function* countBytes(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  wait: BodyWait | undefined,
  askAgain: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let [bytes, askedAt] = [0, 0];
  try {
    wait?.begin();
    for await (const chunk of body ?? []) {
      wait?.end(chunk.byteLength);
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge(`The body is larger than ${maxBytes} bytes`);
      if (bytes - askedAt >= bytesUnasked) {
        await askAgain();
        askedAt = bytes;
      }
      yield chunk;
      wait?.begin();
    }
    if (bytes > askedAt) await askAgain();
  } catch (error) {
    throw error instanceof HttpError ? error : invalidRequest('The body ended before it was complete');
  }
}

/** @throws {HttpError} 413 where more is announced than may come */
function announcedBytes(contentLength: string | null, maxBytes: number = httpLimits.bodyBytes): number | undefined {
  if (contentLength === null || !/^\d+$/.test(contentLength)) return undefined;
  if (Number(contentLength) > maxBytes) throw tooLargeBody(maxBytes);
  return Number(contentLength);
}

async function readCounting(body: ReadableStream<Uint8Array> | null, entry: Pick<Entry, 'take'>, maxBytes: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLargeBody(maxBytes);
    entry.take(chunk.byteLength);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

const tooLargeBody = (maxBytes: number): HttpError => tooLarge(`The body is larger than ${maxBytes} bytes`);
