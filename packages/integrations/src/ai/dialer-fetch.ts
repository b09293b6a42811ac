/** The `fetch` that libraries for models and for MCP servers get: it uses the dialer, and keeps the outcome, which their errors do not tell. */
import type { AbortSignal as Signal } from '@hilo/engine/contract';
import { type Dialer, type DialerResponse, DriverError, isDialerError } from '@hilo/drivers';
import { type Addressed, type DialerError, mayFit, withHeader } from '@hilo/drivers/kit';

/** The limit of a response, including the reasoning of a model, or the list of all tools; a stream has an event for each word. */
const maxBytes = { whole: 512 * 1024, streamed: 8 * 1024 * 1024 };

const newline = 0x0a;

interface FetchOptions {
  readonly dialer: Pick<Dialer, 'request'>;
  /** The company that makes the call. */
  readonly scope: string;
  /** What is left of the time of the call. */
  readonly leftMs: () => number;
  readonly signal: Signal;
  /** Whether responses are read while they come. */
  readonly stream?: boolean | undefined;
  /** What is added to a call before it goes out, such as a credential. */
  readonly sign: (call: Addressed) => Addressed;
}

/** A `fetch` for one call, and its outcome. */
export interface DialerFetch {
  readonly fetch: (address: string | URL | Request, options?: RequestInit) => Promise<Response>;
  /** The response, before the library parses it, or why there is none; `undefined` before. */
  outcome(): DialerResponse | DialerError | undefined;
}

/** Headers in which the packages send a key of their own, which they demand: credentials are those of the company alone. */
const ownCredentials: ReadonlySet<string> = new Set(['authorization', 'x-api-key', 'x-goog-api-key']);

/** A `fetch` for a library, which uses the dialer (P30), posts texts only and follows no redirect. */
export function createDialerFetch({ dialer, scope, leftMs, signal, stream = false, sign }: FetchOptions): DialerFetch {
  let outcome: DialerResponse | DialerError | undefined;
  /** Passes on whole lines: the library looks through all of a line again with each piece of it that comes. */
  const follow = async function* (body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    let pieces: Uint8Array[] = [];
    let bytes = 0;
    const takeLines = (...ends: readonly Uint8Array[]): Buffer => {
      const lines = Buffer.concat([...pieces, ...ends]);
      for (const line of lines.toString('utf8').split('\n')) checkNesting(line); // the library parses each line
      [pieces, bytes] = [[], 0];
      return lines;
    };
    try {
      for await (const chunk of body) {
        const end = chunk.lastIndexOf(newline) + 1;
        if (end > 0) yield takeLines(chunk.subarray(0, end));
        pieces.push(chunk.subarray(end));
        bytes += chunk.length - end;
        if (bytes > maxBytes.whole) throw new DriverError('TOO_LARGE', 'An event of the answer is too long', { wasSent: true });
      }
      if (bytes > 0) yield takeLines();
    } catch (error) {
      if (isDialerError(error) && error.code === 'TIMEOUT') outcome = error; // after any other, the head tells how far the call came
      throw error;
    }
  };
  return {
    outcome: () => outcome,
    async fetch(address, { headers, body } = {}) {
      let call: Addressed = { url: address instanceof Request ? address.url : String(address), headers: {} };
      for (const [name, value] of new Headers(headers))
        if (!ownCredentials.has(name)) call = { ...call, headers: withHeader(call.headers, name, value) };
      if (typeof body !== 'string') throw new TypeError('Only a text can be posted');
      try {
        outcome = await dialer.request({
          ...sign(call),
          method: 'POST',
          body,
          timeoutMs: leftMs(),
          signal,
          scope,
          maxBytes: stream ? maxBytes.streamed : maxBytes.whole,
          stream,
          maxRedirects: 0,
        });
        checkNesting(Buffer.from(outcome.body).toString('utf8')); // the library would parse a response of any size
      } catch (error) {
        if (isDialerError(error)) outcome = error;
        throw error;
      }
      // Some statuses are none of an answer with a body, not even an empty one.
      const whole = outcome.body.length === 0 ? null : Buffer.from(outcome.body);
      return new Response(outcome.stream === undefined ? whole : ReadableStream.from(follow(outcome.stream.body)), {
        status: outcome.status,
        headers: outcome.headers,
      });
    },
  };
}

/** @throws {DriverError} where a text would be a value beyond all bounds */
function checkNesting(text: string): void {
  if (!mayFit(text)) throw new DriverError('TOO_LARGE', 'The answer is nested too deep, or has too many keys', { wasSent: true });
}
