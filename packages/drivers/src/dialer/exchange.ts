import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { type DialerError, DriverError, isDialerError, sentAs } from '../driver-error.ts';
import type { Hop } from './redirect.ts';
import type { Headers } from './request-headers.ts';

/** How much of a body may come, and how much of it is kept. */
export interface BodySize {
  readonly maxBytes: number;
  readonly keepBytes: number;
}

/**
 * Sends one request and reads its whole response.
 *
 * @param size - the limit of the body on the wire
 * @throws {DriverError} with `wasSent` as of the end of the exchange; `TIMEOUT` when the signal aborts it
 */
export function exchange(dispatcher: Dispatcher, hop: Hop, { maxBytes, keepBytes }: BodySize, signal: AbortSignal): Promise<Answer> {
  const { url, method, headers } = hop;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  let controller: Dispatcher.DispatchController | undefined;
  let head: Omit<Answer, 'body'> = { status: 0, headers: {} };
  const body = createByteCollector(maxBytes, keepBytes);
  const wasSent = (): boolean => controller !== undefined;

  const stop = (error: DialerError): void => {
    reject(error);
    controller?.abort(error);
  };
  const onAbort = (): void => stop(new DriverError('TIMEOUT', `${url.host} did not answer in time`, { wasSent: wasSent() }));
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });

  const handler: Dispatcher.DispatchHandler = {
    // Comes right before the first byte is written. A request that waited for a connection may be over by then.
    onRequestStart(started) {
      if (signal.aborted) started.abort(new DriverError('TIMEOUT', `${url.host} did not answer in time`));
      else controller = started;
    },
    onResponseStart(_controller, status, raw) {
      head = { status, headers: joinHeaders(raw) };
    },
    onResponseData(_controller, chunk) {
      if (!body.add(chunk)) stop(tooLarge(url, maxBytes));
    },
    onResponseEnd: () => resolve({ ...head, body: body.bytes() }),
    onResponseError: (_controller, error) => reject(exchangeError(url, error, wasSent())),
  };
  if (!signal.aborted) {
    dispatcher.dispatch({ origin: url.origin, path: url.pathname + url.search, method, headers, body: hop.body ?? null }, handler);
  }
  return promise.finally(() => signal.removeEventListener('abort', onAbort));
}

/** A body that is read while it comes. */
export interface BodyStream {
  /** Ends with the error of the exchange where it breaks, takes too long or is too large. */
  readonly body: ReadableStream<Uint8Array>;
  /** Resolves once nothing more comes, whatever the reason. */
  readonly ended: Promise<void>;
}

/**
 * Sends one request and resolves at the head of its response. The body comes as fast as it is read; its size, and the signal, bound it to
 * its end. A reader that leaves ends the exchange.
 *
 * @throws {DriverError} as {@link exchange}, until the head has come
 */
export function exchangeStream(dispatcher: Dispatcher, hop: Hop, maxBytes: number, signal: AbortSignal): Promise<StreamedAnswer> {
  const { url, method, headers } = hop;
  const { promise, resolve, reject } = Promise.withResolvers<StreamedAnswer>();
  const ended = Promise.withResolvers<undefined>();
  let controller: Dispatcher.DispatchController | undefined;
  let sink: ReadableStreamDefaultController<Uint8Array> | undefined;
  let leftBytes = maxBytes;
  let hasHead = false;
  let isOver = false;

  const finish = (error?: Error): void => {
    if (isOver) return;
    isOver = true;
    signal.removeEventListener('abort', onAbort);
    if (error === undefined) sink?.close();
    else if (hasHead) sink?.error(error);
    else reject(error);
    ended.resolve(undefined);
  };
  const stop = (error: DialerError): void => {
    finish(error);
    controller?.abort(error);
  };
  const timeout = (): DialerError =>
    new DriverError('TIMEOUT', `${url.host} did not answer in time`, { wasSent: controller !== undefined });
  const onAbort = (): void => stop(timeout());
  const body = new ReadableStream<Uint8Array>({
    start: (controls) => void (sink = controls),
    pull: () => controller?.resume(),
    cancel: () => {
      isOver = true;
      signal.removeEventListener('abort', onAbort);
      controller?.abort(new DriverError('RESET', 'The rest of the answer is not wanted', { wasSent: true }));
      ended.resolve(undefined);
    },
  });

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      if (isOver) started.abort(timeout());
      else controller = started;
    },
    onResponseStart(_controller, status, raw) {
      hasHead = true;
      resolve({ status, headers: joinHeaders(raw), body: new Uint8Array(0), stream: { body, ended: ended.promise } });
    },
    onResponseData(at, chunk) {
      if (isOver || chunk.length === 0) return; // an empty one comes after each pause: to pause again would be for ever
      leftBytes -= chunk.length;
      if (leftBytes < 0) return stop(tooLarge(url, maxBytes));
      sink?.enqueue(new Uint8Array(chunk));
      if ((sink?.desiredSize ?? 0) <= 0) at.pause();
    },
    onResponseEnd: () => finish(),
    onResponseError: (_controller, error) => finish(exchangeError(url, error, controller !== undefined)),
  };
  if (signal.aborted) onAbort();
  else {
    signal.addEventListener('abort', onAbort, { once: true });
    dispatcher.dispatch({ origin: url.origin, path: url.pathname + url.search, method, headers, body: hop.body ?? null }, handler);
  }
  return promise;
}

/** A response over the limit, before or after decompression. */
const tooLarge = (url: URL, maxBytes: number): DialerError =>
  new DriverError('TOO_LARGE', `The answer of ${url.host} is longer than ${maxBytes} bytes`, { wasSent: true });

/** Headers with a single value: of a repeated one the first counts, as in `node:http`. */
const single: ReadonlySet<string> = new Set(['content-type', 'location', 'retry-after']);

const joinHeaders = (headers: { readonly [name: string]: string | string[] | undefined }): Headers =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([given, value]) => {
      const name = given.toLowerCase();
      return value === undefined
        ? []
        : [[name, Array.isArray(value) ? value.slice(0, single.has(name) ? 1 : undefined).join(', ') : value]];
    }),
  );

/** An error of the connection as a `DriverError`; an error of this program is unchanged. */
function exchangeError(url: URL, error: Error, wasSent: boolean): Error {
  if (isDialerError(error)) return sentAs(error, wasSent);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const options = { wasSent, cause: error };
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return new DriverError('TOO_LARGE', `The headers of ${url.host} are longer than is read`, options);
  if (code.startsWith('UND_ERR_INVALID') || code === 'UND_ERR_NOT_SUPPORTED' || error instanceof TypeError) return error;
  if (code.startsWith('ERR_SSL')) return new DriverError('TLS_FAILED', `${url.host} broke off the secure connection (${code})`, options);
  return new DriverError('RESET', `The connection to ${url.host} broke before the answer was whole${code && ` (${code})`}`, options);
}

/** What one request was answered. */
export interface Answer {
  readonly status: number;
  /** Lower-case names; repeated headers are joined by ", ", except single-valued ones, of which the first counts. */
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** An answer whose body comes as a stream: `body` is empty. */
export interface StreamedAnswer extends Answer {
  readonly stream: BodyStream;
}

/** Puts chunks together as they come. One buffer grows: a body of single bytes must not cost an object for each. */
export interface ByteCollector {
  /** @returns false, and keeps nothing of it, when the chunk goes over the limit */
  add(chunk: Uint8Array): boolean;
  /** All that was added and is kept. */
  bytes(): Uint8Array;
}

const firstBytes = 16 * 1024;

/** @param keepBytes - what comes behind these is counted and not kept */
export function createByteCollector(maxBytes: number, keepBytes = maxBytes): ByteCollector {
  let buffer = new Uint8Array(0);
  let sizeBytes = 0;
  let countedBytes = 0;

  return {
    add(added) {
      if (countedBytes + added.length > maxBytes) return false;
      countedBytes += added.length;
      const chunk = added.subarray(0, keepBytes - sizeBytes);
      const needed = sizeBytes + chunk.length;
      if (needed > buffer.length) {
        const larger = new Uint8Array(Math.min(keepBytes, Math.max(needed, 2 * buffer.length, firstBytes)));
        larger.set(buffer.subarray(0, sizeBytes));
        buffer = larger;
      }
      buffer.set(chunk, sizeBytes);
      sizeBytes = needed;
      return true;
    },
    bytes: () => buffer.subarray(0, sizeBytes),
  };
}

const unpackers = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
} as const;

/** The supported content encodings, as a request header. */
export const acceptEncoding = 'gzip, br';

/**
 * Decompresses a response within a limit that is checked as it grows: a compressed megabyte can contain a thousand. A response with an
 * unrequested or repeated encoding is left as it is.
 *
 * @throws {DriverError} `TOO_LARGE`; `RESET` when it cannot be decompressed
 */
export async function decodeBody(answer: Answer, url: URL, maxBytes: number): Promise<Answer> {
  const { 'content-encoding': encoding = '', ...others } = answer.headers;
  const name = encoding.trim().toLowerCase();
  if (!isPacking(name) || answer.body.length === 0) return answer;
  const headers = Object.fromEntries(Object.entries(others).filter(([header]) => header !== 'content-length'));
  try {
    return { ...answer, headers, body: await unpackers[name](answer.body, { maxOutputLength: maxBytes }) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(url, maxBytes);
    throw new DriverError('RESET', `The answer of ${url.host} is not the ${name} it says it is`, { wasSent: true, cause: error });
  }
}

const isPacking = (name: string): name is keyof typeof unpackers => Object.hasOwn(unpackers, name);
